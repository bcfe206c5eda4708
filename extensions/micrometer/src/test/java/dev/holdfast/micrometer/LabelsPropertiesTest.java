package dev.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.BreakerState;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.AttemptFinished;
import dev.holdfast.CallEvent.AttemptQueued;
import dev.holdfast.CallEvent.AttemptStarted;
import dev.holdfast.CallEvent.BreakerChanged;
import dev.holdfast.CallEvent.CallFinished;
import dev.holdfast.CallEvent.CallStarted;
import dev.holdfast.CallEvent.CooldownStarted;
import dev.holdfast.CallEvent.HealthChanged;
import dev.holdfast.CallEvent.Hedged;
import dev.holdfast.CallEvent.Moved;
import dev.holdfast.CallEvent.TargetRejected;
import dev.holdfast.Cost;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.HealthStatus;
import dev.holdfast.Rejection;
import dev.holdfast.Route;
import dev.holdfast.Spend;
import dev.holdfast.Target;
import dev.holdfast.Usage;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever callers ask for and whatever happens, labels stay few, and nothing is counted twice or lost. */
class LabelsPropertiesTest {
    private static final Instant AT = Instant.EPOCH;

    /** What a caller writes: never a label. */
    private static final String WRITTEN = "written-by-a-caller-";

    /** What happened to one target in one call. */
    record Story(int model, FailureKind kind, AttemptReason reason, long tokens, boolean failed) {}

    @Property(tries = 40)
    void labelsAreConfiguredNamesOnlyAndSumsAreWhole(@ForAll("stories") List<Story> stories) {
        var registry = new SimpleMeterRegistry();
        ClientMetrics metrics = ClientMetrics.of(registry).withModels("m0");
        long tokens = 0;
        for (int i = 0; i < stories.size(); i++) {
            events(stories.get(i), "call-" + i).forEach(metrics::onEvent);
            tokens += stories.get(i).tokens();
        }
        assertThat(registry.getMeters())
                .allSatisfy(meter -> assertThat(meter.getId().getTags())
                        .extracting(Tag::getValue)
                        .noneMatch(value -> value.contains(WRITTEN) || value.startsWith("call-")));
        assertThat(registry.find("holdfast.calls").timers().stream()
                        .mapToLong(Timer::count)
                        .sum())
                .isEqualTo(stories.size());
        assertThat(registry.find("holdfast.tokens").tags("type", "output").counters().stream()
                        .mapToDouble(counter -> counter.count())
                        .sum())
                .isEqualTo(tokens);
        // models m0 and other; what else is in labels is of enums
        int most = 2 * (FailureKind.values().length + 1);
        assertThat(registry.find("holdfast.calls").timers()).hasSizeLessThanOrEqualTo(most);
        assertThat(registry.find("holdfast.attempts").timers())
                .hasSizeLessThanOrEqualTo(most * AttemptReason.values().length);
    }

    private static List<CallEvent> events(Story story, String id) {
        var target = new Target(story.model() == 0 ? "m0" : WRITTEN + story.model(), "up");
        var failure = Failure.of(story.kind(), FailureScope.REQUEST, Delivery.ANSWERED, WRITTEN);
        Optional<Failure> ending = story.failed() ? Optional.of(failure) : Optional.empty();
        var attempt = new Attempt(
                1,
                story.reason(),
                target,
                Optional.of(WRITTEN),
                AT,
                Duration.ZERO,
                Duration.ofMillis(7),
                ending,
                Optional.empty(),
                Optional.of(new Spend(
                        Usage.of(1, story.tokens()),
                        Optional.of(new Cost(new BigDecimal("0.01"))),
                        Spend.Basis.REPORTED)));
        return List.of(
                new CallStarted(AT, id, Route.of(WRITTEN, target.model())),
                new AttemptQueued(AT, id, target, Optional.empty()),
                new AttemptStarted(AT, id, 1, story.reason(), target),
                new Moved(AT, id, target, target, AttemptReason.FALLBACK),
                new Moved(AT, id, target, target, AttemptReason.FAILOVER),
                new TargetRejected(AT, id, new Rejection(target, story.kind(), Optional.empty())),
                new Hedged(AT, id, target, target, CallEvent.HedgeStep.SENT),
                new BreakerChanged(AT, target, BreakerState.CLOSED, BreakerState.OPEN, WRITTEN),
                new HealthChanged(
                        AT, "up", Optional.of(target.model()), HealthStatus.HEALTHY, HealthStatus.DEGRADED, WRITTEN),
                new CooldownStarted(AT, target, Duration.ofSeconds(1), story.kind()),
                new AttemptFinished(AT, id, attempt, Optional.of(WRITTEN), Map.of(WRITTEN, WRITTEN)),
                new CallFinished(
                        AT,
                        id,
                        Duration.ofMillis(9),
                        1,
                        story.failed() ? Optional.empty() : Optional.of(target),
                        ending,
                        Optional.empty()));
    }

    @Provide
    Arbitrary<List<Story>> stories() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 50),
                        Arbitraries.of(FailureKind.values()),
                        Arbitraries.of(AttemptReason.values()),
                        Arbitraries.longs().between(0, 1_000_000),
                        Arbitraries.of(true, false))
                .as(Story::new)
                .list()
                .ofMaxSize(40);
    }
}
