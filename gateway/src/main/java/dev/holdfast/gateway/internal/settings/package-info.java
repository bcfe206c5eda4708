/** The keys that the gateway adds to a client's configuration. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.gateway.internal.settings;
