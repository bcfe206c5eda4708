package dev.holdfast.core.internal.call;

import java.util.UUID;
import java.util.random.RandomGenerator;

/** Random ids in the form of UUIDs (RFC 9562, version 4), from the client's own generator. */
final class CallIds {
    private final RandomGenerator random;

    CallIds(RandomGenerator random) {
        this.random = random;
    }

    String next() {
        long high = (random.nextLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x4000L;
        long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low).toString();
    }
}
