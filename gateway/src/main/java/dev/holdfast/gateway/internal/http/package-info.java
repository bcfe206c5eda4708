/** Requests and answers as the gateway sees them, apart from the server that carries them. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.gateway.internal.http;
