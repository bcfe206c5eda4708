package dev.holdfast.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.cache.IdempotencyPolicy.WhenUnknown;
import dev.holdfast.spi.Interceptor.Setting;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A guard that repeats what is in doubt says, when a client is built with it, where that may be paid for twice. */
class RepeatWarningTest {
    private static final IdempotencyPolicy REPEATS =
            IdempotencyPolicy.defaults().withWhenUnknown(WhenUnknown.REPEAT);

    @Test
    void oneAccountOfAnEndpointThatHonoursKeysIsSafe() {
        assertThat(linesFor(REPEATS, endpoint("p1", true, 1))).isEmpty();
    }

    @Test
    void aPolicyThatRefusesIsSafeEverywhere() {
        assertThat(linesFor(IdempotencyPolicy.defaults(), endpoint("p1", false, 2), endpoint("p2", true, 1)))
                .isEmpty();
    }

    @Test
    void whatMayBePaidForTwiceIsSaidOnce() {
        assertThat(linesFor(REPEATS, endpoint("p1", false, 2), endpoint("p2", true, 1)))
                .singleElement()
                .asString()
                .contains("endpoint p1 does not honour idempotency keys")
                .contains("calls take turns at the 2 accounts of endpoint p1")
                .contains("of 2 endpoints a call may try another one first")
                .doesNotContain("endpoint p2");
    }

    private static List<String> linesFor(IdempotencyPolicy policy, Endpoint... endpoints) {
        var guard = IdempotencyGuard.of(new CaffeineIdempotencyStore(10), policy);
        try (LogLines log = new LogLines()) {
            guard.join(new Setting(List.of(endpoints)));
            return List.copyOf(log.lines());
        }
    }

    private static Endpoint endpoint(String name, boolean honours, int accounts) {
        Endpoint.Builder builder = Endpoint.builder(name, URI.create("https://" + name + ".test/v1"))
                .honoursIdempotencyKey(honours);
        for (int i = 0; i < accounts; i++) {
            builder.credential(Credential.of("sk-test-0123456789abcdef0123456789abcdef-" + i));
        }
        return builder.build();
    }
}
