package dev.holdfast.simulation.internal.provider;

import dev.holdfast.simulation.FaultScript;

/**
 * What a provider is started with.
 *
 * @param script what it answers
 * @param port the port it listens on; 0 for a free one
 * @param secure whether it speaks TLS, and within it HTTP/2 with who wants it
 * @param maxStreams how many streams a connection of HTTP/2 is allowed at once
 * @param honoursKeys whether a repeated idempotency key is executed once
 */
public record Options(FaultScript script, int port, boolean secure, int maxStreams, boolean honoursKeys) {}
