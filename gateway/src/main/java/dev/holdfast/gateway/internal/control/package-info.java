/** Orders of who runs the gateway. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.gateway.internal.control;
