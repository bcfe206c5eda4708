package dev.holdfast.core.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Headers;
import dev.holdfast.RateLimitSnapshot;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimitNamesTest {
    private static final String LONGEST = "d".repeat(64);

    @ParameterizedTest
    @CsvSource({
        "X-RateLimit-Remaining-Requests, requests",
        "ratelimit-remaining, ''",
        "rate-limit-remaining-input-tokens, input-tokens",
        "x-ratelimit-remaining-after, ''",
        "x-tokenlimit-remaining, tokens",
        "tokenlimit-remaining-minute, tokens-minute",
        "x-ratelimitbysize-remaining-minute, size-minute",
        "x-ratelimitbysize-remaining, size",
        "anthropic-ratelimit-input-tokens-remaining, input-tokens",
    })
    void aNameSaysWhatIsLimited(String name, String dimension) {
        assertThat(dimensions(name, "5")).containsExactly(dimension);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x-ratelimit-remaining-",
                "x-ratelimit-left-requests",
                "x-x-ratelimit-remaining",
                "my-ratelimit-remaining",
                "ratelimits-remaining",
                "anthropic-ratelimit-remaining",
                "anthropic-ratelimit--left",
                "x-anthropic-ratelimit-tokens-remaining",
            })
    void aNameOfAnotherShapeSaysNothing(String name) {
        assertThat(dimensions(name, "5")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x-ratelimit-remaining-%s", "anthropic-ratelimit-%s-remaining"})
    void aDimensionIsAtMostSixtyFourCharactersLong(String name) {
        assertThat(dimensions(name.formatted(LONGEST), "5")).containsExactly(LONGEST);
        assertThat(dimensions(name.formatted(LONGEST + 'd'), "5")).isEmpty();
    }

    private static Set<String> dimensions(String name, String value) {
        return RateLimitHeaders.parse(Headers.of(name, value), Instant.EPOCH)
                .map(RateLimitSnapshot::dimensions)
                .map(java.util.Map::keySet)
                .orElse(Set.of());
    }
}
