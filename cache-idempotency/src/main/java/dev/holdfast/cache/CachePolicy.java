package dev.holdfast.cache;

import dev.holdfast.CacheMode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Which calls use a cache, and for how long an answer is good.
 *
 * @param mode what calls do that name no mode of their own
 * @param ttl how long an answer is fresh, give or take a tenth by chance, so that answers stored together do not end together
 * @param ttls how long the answers of a model are fresh instead, by the model that was asked for
 * @param staleIfError for how long after that an answer may stand in when the provider fails; zero for not at all
 * @param maxAnswerBytes what an answer may weigh to be kept, in about the bytes its objects take in memory; heavier ones are
 *     delivered untouched
 * @param family which answers may stand for each other: clients whose endpoints are not interchangeable share a store only
 *     under different families
 * @param tags the names of the tags that are part of the key: those by which a router or an interceptor of yours decides who
 *     answers, or what is sent
 * @param singleFlight whether calls that ask for the same at the same time are made once
 */
public record CachePolicy(
        CacheMode mode,
        Duration ttl,
        Map<String, Duration> ttls,
        Duration staleIfError,
        long maxAnswerBytes,
        String family,
        Set<String> tags,
        boolean singleFlight) {
    private static final long MAX_ANSWER_BYTES = 1 << 20;

    /** Refuses a time to live that is not positive, a negative {@code staleIfError} and a limit below 1. */
    public CachePolicy {
        positive("ttl", ttl);
        ttls = Map.copyOf(ttls);
        ttls.forEach((model, length) -> positive("ttl of " + model, length));
        if (staleIfError.isNegative()) {
            throw new IllegalArgumentException("staleIfError: " + staleIfError + " (expected: >= 0)");
        }
        if (maxAnswerBytes < 1) {
            throw new IllegalArgumentException("maxAnswerBytes: " + maxAnswerBytes + " (expected: >= 1)");
        }
        tags = Set.copyOf(tags);
    }

    /**
     * {@return answers to deterministic requests of at most 1 MiB, for 5 minutes, none past its time, the same call in flight
     * made once}
     */
    public static CachePolicy defaults() {
        return new CachePolicy(
                CacheMode.DETERMINISTIC_ONLY,
                Duration.ofMinutes(5),
                Map.of(),
                Duration.ZERO,
                MAX_ANSWER_BYTES,
                "default",
                Set.of(),
                true);
    }

    /**
     * {@return how long an answer to a request for that model is fresh}
     *
     * @param model the model that was asked for
     */
    public Duration ttlOf(String model) {
        return ttls.getOrDefault(model, ttl);
    }

    /**
     * {@return this policy with another mode}
     *
     * @param changed the mode
     */
    public CachePolicy withMode(CacheMode changed) {
        return with(draft -> draft.mode = changed);
    }

    /**
     * {@return this policy with another time to live}
     *
     * @param changed how long an answer is fresh
     */
    public CachePolicy withTtl(Duration changed) {
        return with(draft -> draft.ttl = changed);
    }

    /**
     * {@return this policy with a time to live for one model}
     *
     * @param model the model that is asked for
     * @param length how long its answers are fresh
     */
    public CachePolicy withTtl(String model, Duration length) {
        return with(draft -> {
            draft.ttls = new LinkedHashMap<>(ttls);
            draft.ttls.put(model, length);
        });
    }

    /**
     * {@return this policy with answers that stand in past their time}
     *
     * @param length for how long after their time to live; zero for not at all
     */
    public CachePolicy withStaleIfError(Duration length) {
        return with(draft -> draft.staleIfError = length);
    }

    /**
     * {@return this policy with another limit to what is kept}
     *
     * @param bytes what an answer may weigh, at least 1
     */
    public CachePolicy withMaxAnswerBytes(long bytes) {
        return with(draft -> draft.maxAnswerBytes = bytes);
    }

    /**
     * {@return this policy with another family}
     *
     * @param changed the family
     */
    public CachePolicy withFamily(String changed) {
        return with(draft -> draft.family = changed);
    }

    /**
     * {@return this policy with these tags, and those it has, in the key}
     *
     * @param names the names of the tags
     */
    public CachePolicy withTags(String... names) {
        return with(draft -> {
            draft.tags = new TreeSet<>(tags);
            draft.tags.addAll(Set.of(names));
        });
    }

    /**
     * {@return this policy with single-flight on or off}
     *
     * @param changed whether calls that ask for the same at the same time are made once
     */
    public CachePolicy withSingleFlight(boolean changed) {
        return with(draft -> draft.singleFlight = changed);
    }

    private static void positive(String name, Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: > 0)");
        }
    }

    private CachePolicy with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.finish();
    }

    /** The components of a copy, open to one change. */
    private static final class Draft {
        private CacheMode mode;
        private Duration ttl;
        private Map<String, Duration> ttls;
        private Duration staleIfError;
        private long maxAnswerBytes;
        private String family;
        private Set<String> tags;
        private boolean singleFlight;

        Draft(CachePolicy policy) {
            mode = policy.mode;
            ttl = policy.ttl;
            ttls = policy.ttls;
            staleIfError = policy.staleIfError;
            maxAnswerBytes = policy.maxAnswerBytes;
            family = policy.family;
            tags = policy.tags;
            singleFlight = policy.singleFlight;
        }

        CachePolicy finish() {
            return new CachePolicy(mode, ttl, ttls, staleIfError, maxAnswerBytes, family, tags, singleFlight);
        }
    }
}
