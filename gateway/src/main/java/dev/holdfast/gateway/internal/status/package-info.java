/** How the gateway does, as documents. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.gateway.internal.status;
