/** Who may ask for what: keys, their limits, and requests that a browser was talked into. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.gateway.internal.access;
