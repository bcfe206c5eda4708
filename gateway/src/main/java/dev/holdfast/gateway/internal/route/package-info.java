/** Which path is answered by what: where one starts to read. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.gateway.internal.route;
