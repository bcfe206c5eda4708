/** The server: the only package that knows Helidon. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.gateway.internal.server;
