package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallOptions;
import dev.holdfast.FailureKind;
import dev.holdfast.ProviderFailedException;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.RetryAfterForm;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.HashSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SuggestedDelayTest {
    @Property(tries = 200)
    void noAttemptComesEarlierThanTheServerAsked(
            @ForAll @LongRange(max = 60_000) long millis, @ForAll RetryAfterForm form, @ForAll boolean busy) {
        Duration hint = Duration.ofMillis(millis / 1_000 * 1_000);
        World world = World.of(Reply.status(busy ? 503 : 429).withRetryAfter(hint, form));
        try (ResilientClient client = world.builder().build()) {
            world.call(client).answer();

            assertThat(world.times()).hasSize(2);
            assertThat(world.times().get(1)).isGreaterThanOrEqualTo(hint);
        }
    }

    @Property(tries = 50)
    void milliseconds(@ForAll @IntRange(max = 5_000) int millis) {
        Duration hint = Duration.ofMillis(millis);
        World world = World.of(Reply.status(429).withRetryAfter(hint, RetryAfterForm.MILLISECONDS));
        try (ResilientClient client = world.builder().build()) {
            world.call(client).answer();

            assertThat(world.times().get(1)).isGreaterThanOrEqualTo(hint);
        }
    }

    @Test
    void thoseWhoWereToldTheSameDoNotComeBackTogether() {
        var times = new HashSet<Duration>();
        for (int i = 0; i < 20; i++) {
            World world = World.of(Reply.rateLimited(Duration.ofSeconds(10)));
            try (ResilientClient client =
                    world.builder().random(new java.util.Random(i)).build()) {
                world.call(client).answer();
                times.add(world.times().get(1));
            }
        }

        assertThat(times).hasSizeGreaterThan(10).allMatch(time -> time.compareTo(Duration.ofSeconds(10)) >= 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503})
    void aSuggestionBeyondTheCeilingEndsTheCallAtOnceAndIsTold(int status) {
        World world = World.of(Reply.status(status).withHeader("Retry-After", "61"));
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(client);

            assertThat(call.failure()).isInstanceOf(ProviderFailedException.class);
            assertThat(call.failure().retryAfter()).contains(Duration.ofSeconds(61));
            assertThat(call.took()).isZero();
            assertThat(world.sent()).hasSize(1);
        }
    }

    @Test
    void aSuggestionAsLongAsTheCeilingIsKeptAlthoughJitterGoesPastIt() {
        World world = World.of(Reply.rateLimited(Duration.ofSeconds(60)));
        try (ResilientClient client = world.builder().build()) {
            assertThat(world.call(client).answer().attempts()).hasSize(2);
            assertThat(world.times().get(1)).isGreaterThanOrEqualTo(Duration.ofSeconds(60));
        }
    }

    @Test
    void aSuggestionBeyondTheDeadlineEndsTheCallAtOnceAndIsTold() {
        World world = World.of(Reply.rateLimited(Duration.ofSeconds(30)));
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(client, CallOptions.none().withDeadline(Duration.ofSeconds(10)));

            assertThat(call.failure().kind()).isEqualTo(FailureKind.RATE_LIMITED);
            assertThat(call.failure().retryAfter()).contains(Duration.ofSeconds(30));
            assertThat(call.took()).isZero();
            assertThat(world.sent()).hasSize(1);
        }
    }

    @Test
    void jitterNeverCarriesASuggestionPastTheDeadline() {
        for (int seed = 0; seed < 50; seed++) {
            World world = World.of(Reply.rateLimited(Duration.ofSeconds(10)));
            try (ResilientClient client =
                    world.builder().random(new java.util.Random(seed)).build()) {
                Ended call = world.call(client, CallOptions.none().withDeadline(Duration.ofMillis(10_100)));

                assertThat(call.answer().attempts()).hasSize(2);
                assertThat(world.times().get(1)).isBetween(Duration.ofSeconds(10), Duration.ofMillis(10_100));
            }
        }
    }

    @Test
    void aLongSuggestionSendsTheCallToAnotherModelAtOnce() {
        World world = twoModels(Reply.rateLimited(Duration.ofSeconds(30)));
        try (ResilientClient client = clientOfTwoModels(world, World.retry())) {
            Ended call = world.call(client);

            assertThat(call.answer().model()).contains("other");
            assertThat(call.took()).isZero();
            assertThat(world.path()).containsExactly("p1", "p2");
        }
    }

    @Test
    void whatIsLongIsAPolicy() {
        World world = twoModels(Reply.rateLimited(Duration.ofSeconds(30)));
        RetryPolicy patient =
                World.retry().withFallbackIfWaitOver(Duration.ofSeconds(31)).withoutCooldowns();
        try (ResilientClient client = clientOfTwoModels(world, patient)) {
            Ended call = world.call(client);

            assertThat(call.answer().model()).contains(World.MODEL);
            assertThat(call.took()).isGreaterThanOrEqualTo(Duration.ofSeconds(30));
        }
    }

    @Test
    void zeroIsAValidSuggestion() {
        World world = World.of(Reply.rateLimited(Duration.ZERO));
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(client);

            assertThat(call.answer().attempts()).hasSize(2);
            assertThat(call.took()).isLessThanOrEqualTo(Duration.ofSeconds(1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-5", "NaN", "1e400", "99999999999999999999999", "30s", "Infinity", "\u0660"})
    void junkIsNoSuggestion(String junk) {
        World world = World.of(Reply.status(503).withHeader("Retry-After", junk));
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(client);

            assertThat(call.error().map(error -> error.retryAfter().isPresent()).orElse(false))
                    .as("either absent, or beyond any ceiling")
                    .isEqualTo(call.response().isEmpty());
            assertThat(call.took()).isLessThanOrEqualTo(Duration.ofSeconds(1));
        }
    }

    @Test
    void aHintOnAGoodAnswerThrottlesNothing() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.completion("ok").withHeader("Retry-After", "30")));
        try (ResilientClient client = world.builder().build()) {
            assertThat(world.call(client).took()).isZero();
            assertThat(world.call(client).took()).isZero();
        }
    }

    private static World twoModels(Reply first) {
        return new World().provider("p1", FaultScript.of(first)).provider("p2", FaultScript.healthy());
    }

    private static ResilientClient clientOfTwoModels(World world, RetryPolicy policy) {
        return world.builder()
                .retry(policy)
                .model(ModelSettings.of(World.MODEL).withEndpoints("p1").withFallbacks("other"))
                .model(ModelSettings.of("other").withEndpoints("p2"))
                .build();
    }
}
