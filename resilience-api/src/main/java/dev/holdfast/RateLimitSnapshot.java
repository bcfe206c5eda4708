package dev.holdfast;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the headers of one answer, good or bad, said of the provider's limits.
 *
 * @param takenAt when the answer arrived
 * @param dimensions what is limited, by the provider's word: {@code "requests"}, {@code "tokens"},
 *     {@code "input-tokens"}; {@code ""} where the headers name none
 */
public record RateLimitSnapshot(Instant takenAt, Map<String, Dimension> dimensions) {
    /** Copies the dimensions, keeping their order. */
    public RateLimitSnapshot {
        dimensions = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(dimensions));
    }

    /**
     * One limited thing.
     *
     * @param limit how much the whole window allows
     * @param remaining how much is left
     * @param resetIn how long until the window is full again, counted from {@link #takenAt()}
     */
    public record Dimension(OptionalLong limit, OptionalLong remaining, Optional<Duration> resetIn) {}

    /**
     * {@return how long, from {@link #takenAt()}, until every dimension that has nothing left is full again; zero if
     * something is left of all, empty if one with nothing left does not say}
     */
    public Optional<Duration> waitTime() {
        Duration longest = Duration.ZERO;
        for (Dimension dimension : dimensions.values()) {
            if (dimension.remaining().orElse(1) > 0) {
                continue;
            }
            if (dimension.resetIn().isEmpty()) {
                return Optional.empty();
            }
            Duration reset = dimension.resetIn().get();
            longest = reset.compareTo(longest) > 0 ? reset : longest;
        }
        return Optional.of(longest);
    }
}
