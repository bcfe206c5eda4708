package dev.holdfast.gateway.internal.settings;

import dev.holdfast.CacheMode;
import dev.holdfast.cache.CachePolicy;
import dev.holdfast.core.config.Key;
import dev.holdfast.core.config.Kinds;
import dev.holdfast.core.config.Schema;
import dev.holdfast.core.config.Section;
import java.time.Duration;

/** The section {@code cache}. */
public final class CacheKeys {
    private static final long USUAL_BYTES = 256L << 20;

    private static final Key<CacheMode> MODE = Key.of(
                    "mode", Kinds.choice(CacheMode.class), "what calls do that ask for nothing else")
            .usually("deterministic-only");
    private static final Key<Duration> TTL =
            Key.of("ttl", Kinds.DURATION, "how long an answer is fresh").usually("5m");
    private static final Key<Long> MAX_BYTES = Key.of("max-bytes", Kinds.BYTES, "what all answers may weigh in memory")
            .usually("256MiB");
    private static final Key<Duration> STALE =
            Key.of("stale-if-error", Kinds.DURATION, "for how long after that an answer stands in when providers fail");
    private static final Schema SCHEMA =
            Schema.of("answers that are kept; none are if it is absent", MODE, TTL, MAX_BYTES, STALE);

    /** The key. */
    public static final Key<Section> KEY = Key.of("cache", Kinds.section(SCHEMA), SCHEMA.title());

    /**
     * What the section says.
     *
     * @param policy which calls use the cache
     * @param maxBytes what all answers may weigh
     */
    public record Cache(CachePolicy policy, long maxBytes) {}

    private CacheKeys() {}

    /**
     * {@return what the section says}
     *
     * @param section the section
     */
    public static Cache read(Section section) {
        CachePolicy policy = CachePolicy.defaults();
        policy = section.change(policy, MODE, CachePolicy::withMode);
        policy = section.change(policy, TTL, CachePolicy::withTtl);
        policy = section.change(policy, STALE, CachePolicy::withStaleIfError);
        long bytes = section.get(MAX_BYTES).orElse(USUAL_BYTES);
        if (bytes < 1) {
            throw section.refused(MAX_BYTES, bytes + " (expected: >= 1)");
        }
        return new Cache(policy, bytes);
    }
}
