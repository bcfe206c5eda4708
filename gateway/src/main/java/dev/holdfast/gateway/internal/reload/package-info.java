/** Another configuration while the gateway runs: when it is read, and what came of it. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.gateway.internal.reload;
