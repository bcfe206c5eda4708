package dev.holdfast.gateway.internal.settings;

import dev.holdfast.cache.IdempotencyPolicy;
import dev.holdfast.cache.IdempotencyPolicy.OnStoreFailure;
import dev.holdfast.cache.IdempotencyPolicy.WhenInFlight;
import dev.holdfast.cache.IdempotencyPolicy.WhenUnknown;
import dev.holdfast.core.config.Key;
import dev.holdfast.core.config.Kinds;
import dev.holdfast.core.config.Schema;
import dev.holdfast.core.config.Section;
import java.time.Duration;

/** The section {@code idempotency}. */
public final class IdempotencyKeys {
    private static final Key<Duration> TTL =
            Key.of("ttl", Kinds.DURATION, "how long a key is remembered").usually("24h");
    private static final Key<WhenInFlight> IN_FLIGHT = Key.of(
                    "in-flight", Kinds.choice(WhenInFlight.class), "what a call does whose key is being executed")
            .usually("wait");
    private static final Key<WhenUnknown> UNKNOWN = Key.of(
                    "unknown", Kinds.choice(WhenUnknown.class), "what a call does whose key may have been executed")
            .usually("refuse");
    private static final Key<OnStoreFailure> FAILURE = Key.of(
                    "on-store-failure", Kinds.choice(OnStoreFailure.class), "what a call does when the store is full")
            .usually("proceed");
    private static final Key<Long> MAX_KEYS = Key.of(
                    "max-keys", Kinds.whole(1, 100_000_000), "how many keys are remembered")
            .usually("100000");
    private static final long USUAL_KEYS = 100_000;
    private static final Schema SCHEMA = Schema.of(
            "calls with an idempotency-key are made once; none are guarded if it is absent",
            TTL,
            IN_FLIGHT,
            UNKNOWN,
            FAILURE,
            MAX_KEYS);

    /** The key. */
    public static final Key<Section> KEY = Key.of("idempotency", Kinds.section(SCHEMA), SCHEMA.title());

    /**
     * What the section says.
     *
     * @param policy how calls are treated
     * @param maxKeys how many keys are remembered
     */
    public record Idempotency(IdempotencyPolicy policy, long maxKeys) {}

    private IdempotencyKeys() {}

    /**
     * {@return what the section says}
     *
     * @param section the section
     */
    public static Idempotency read(Section section) {
        IdempotencyPolicy policy = IdempotencyPolicy.defaults();
        policy = section.change(policy, TTL, IdempotencyPolicy::withLifetime);
        policy = section.change(policy, IN_FLIGHT, IdempotencyPolicy::withWhenInFlight);
        policy = section.change(policy, UNKNOWN, IdempotencyPolicy::withWhenUnknown);
        policy = section.change(policy, FAILURE, IdempotencyPolicy::withOnStoreFailure);
        return new Idempotency(policy, section.get(MAX_KEYS).orElse(USUAL_KEYS));
    }
}
