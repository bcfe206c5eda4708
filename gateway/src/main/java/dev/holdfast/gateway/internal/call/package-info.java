/** Calls of clients: from the request to the answer, whole or streamed. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.gateway.internal.call;
