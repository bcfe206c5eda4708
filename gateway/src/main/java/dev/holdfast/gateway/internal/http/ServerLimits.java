package dev.holdfast.gateway.internal.http;

import java.time.Duration;

/**
 * How long a client is waited for, and how much it may send.
 *
 * @param head how long the first line and the header fields may take, from their first byte
 * @param body how long a body may take
 * @param idle how long a connection may be without a request
 * @param write how long a client may leave what was sent to it unread
 * @param headBytes how large the header fields may be, in bytes
 * @param connections how many connections may be open
 */
public record ServerLimits(
        Duration head, Duration body, Duration idle, Duration write, int headBytes, int connections) {
    /** {@return 10 s for a head, 60 s for a body, 75 s between requests, 30 s for unread answers; 32 KiB, 10,000} */
    public static ServerLimits defaults() {
        return new ServerLimits(
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                Duration.ofSeconds(75),
                Duration.ofSeconds(30),
                32 << 10,
                10_000);
    }
}
