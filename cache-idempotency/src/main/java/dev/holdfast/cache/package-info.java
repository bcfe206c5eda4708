/** The response cache, single-flight and the idempotency guard. */
package dev.holdfast.cache;
