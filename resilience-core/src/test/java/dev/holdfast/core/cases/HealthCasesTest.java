package dev.holdfast.core.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FailureKind;
import dev.holdfast.HealthStatus;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.Target;
import dev.holdfast.core.HealthPolicy;
import dev.holdfast.core.internal.ManualTime;
import dev.holdfast.core.internal.failure.FailureClassifier;
import dev.holdfast.core.internal.failure.Redactor;
import dev.holdfast.core.internal.health.Health;
import dev.holdfast.core.internal.health.Sign;
import dev.holdfast.core.internal.health.Source;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Plays the reported failures of health checks: what probes and calls saw, in turn, and how the endpoint does by it. */
class HealthCasesTest {
    private static final int CASES = 3;
    private static final Set<String> CONFIG =
            Set.of("probe", "unhealthy_after", "healthy_after", "interval_ms", "probe_timeout_ms");
    private static final Target TARGET = new Target("m", "e");
    private static final Duration SOON = Duration.ofMillis(50);
    private static final String TRAFFIC = "a real call on the same endpoint succeeds every 300 ms";

    private final FailureClassifier classifier = new FailureClassifier(Redactor.of(List.of()));

    @TestFactory
    Stream<DynamicTest> reportedFailures() {
        return cases().map(one -> DynamicTest.dynamicTest(one.displayName(), () -> play(one)));
    }

    @Test
    void everyCaseIsPlayed() {
        assertThat(cases()).hasSize(CASES);
        assertThat(HandedCase.all().stream().filter(one -> one.capability().equals("endpoint-health")))
                .hasSize(CASES);
    }

    private static Stream<HandedCase> cases() {
        return HandedCase.all().stream().filter(one -> one.kind().equals("health"));
    }

    private void play(HandedCase one) {
        JsonObject config = one.given().object("config").orElseThrow();
        assertThat(CONFIG).containsAll(config.members().keySet());
        play(one, one.given().list("probe_replies"), one.expect());
        List<JsonValue> variants = one.given().list("variants");
        for (int i = 0; i < variants.size(); i++) {
            play(
                    one,
                    variants.get(i).asObject().orElseThrow().list("probe_replies"),
                    one.expect().list("variant_expect").get(i).asObject().orElseThrow());
        }
    }

    private void play(HandedCase one, List<JsonValue> replies, JsonObject expect) {
        JsonObject config = one.given().object("config").orElseThrow();
        var time = new ManualTime();
        HealthPolicy policy = HealthPolicy.defaults()
                .withThresholds((int) config.longValue("unhealthy_after").orElse(3), (int)
                        config.longValue("healthy_after").orElse(2));
        var health = new Health(policy, time, change -> {});
        boolean traffic = one.given().text("traffic").filter(TRAFFIC::equals).isPresent();
        assertThat(one.given().get("traffic").isPresent()).isEqualTo(traffic);
        List<JsonValue> afterEach = expect.list("healthy_after_each");
        for (int i = 0; i < replies.size(); i++) {
            if (traffic) {
                IntStream.range(0, 2).forEach(call -> health.heard(TARGET, Sign.GOOD, SOON, Source.CALL));
                assertThat(health.isVouchedFor("e")).as("no probe need be sent").isTrue();
            }
            health.heard("e", sign(one, replies.get(i)), SOON, Source.PROBE);
            if (!afterEach.isEmpty()) {
                assertThat(isHealthy(health))
                        .as("after probe %d", i + 1)
                        .isEqualTo(afterEach.get(i).isTrue());
            }
            time.advance(Duration.ofMillis(config.longValue("interval_ms").orElse(30_000)));
        }
        expect.get("healthy").ifPresent(healthy -> assertThat(isHealthy(health)).isEqualTo(healthy.isTrue()));
        expect.text("note")
                .ifPresent(note -> assertThat(health.ofEndpoint("e").mark())
                        .as("a mark of its own")
                        .contains(note.equals("auth") ? Sign.REFUSED : Sign.LIMITED));
    }

    private static boolean isHealthy(Health health) {
        return health.ofEndpoint("e").status() != HealthStatus.UNHEALTHY;
    }

    private Sign sign(HandedCase one, JsonValue reply) {
        if (reply.asText().filter("timeout"::equals).isPresent()) {
            return Sign.TIMED_OUT;
        }
        long status = reply.asObject()
                .map(object -> object.longValue("status").orElseThrow())
                .orElseGet(() -> reply.asLong().orElseThrow());
        if (status == 200) {
            return Sign.GOOD;
        }
        FailureKind kind = classifier
                .classify(one.answer(reply.asObject().orElseThrow(), status))
                .orElseThrow()
                .kind();
        return Sign.of(kind).orElseThrow();
    }
}
