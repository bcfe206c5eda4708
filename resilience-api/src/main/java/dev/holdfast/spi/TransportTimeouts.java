package dev.holdfast.spi;

import java.time.Duration;

/**
 * How long each part of an exchange may take, each greater than zero.
 *
 * @param connect until the connection stands, name resolution included
 * @param firstByte from the start until status and headers are there
 * @param idle between two reads of the body
 * @param total from the start until the last byte of the body
 */
public record TransportTimeouts(Duration connect, Duration firstByte, Duration idle, Duration total) {
    /** Refuses timeouts that are not positive. */
    public TransportTimeouts {
        positive("connect", connect);
        positive("firstByte", firstByte);
        positive("idle", idle);
        positive("total", total);
    }

    /**
     * {@return timeouts of an exchange that is only bounded as a whole}
     *
     * @param total from the start until the last byte of the body
     */
    public static TransportTimeouts total(Duration total) {
        return new TransportTimeouts(total, total, total, total);
    }

    private static void positive(String name, Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: > 0)");
        }
    }
}
