package dev.holdfast.micrometer.internal;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.AttemptFinished;
import dev.holdfast.CallEvent.AttemptQueued;
import dev.holdfast.CallEvent.AttemptStarted;
import dev.holdfast.CallEvent.BreakerChanged;
import dev.holdfast.CallEvent.BudgetRefused;
import dev.holdfast.CallEvent.CacheConsulted;
import dev.holdfast.CallEvent.CallFinished;
import dev.holdfast.CallEvent.CallStarted;
import dev.holdfast.CallEvent.ControlChanged;
import dev.holdfast.CallEvent.CooldownStarted;
import dev.holdfast.CallEvent.EndpointProbed;
import dev.holdfast.CallEvent.HealthChanged;
import dev.holdfast.CallEvent.Hedged;
import dev.holdfast.CallEvent.KeyConsulted;
import dev.holdfast.CallEvent.Moved;
import dev.holdfast.CallEvent.RetryScheduled;
import dev.holdfast.CallEvent.TargetRejected;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.Spend;
import dev.holdfast.Target;
import dev.holdfast.Usage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Counts events. Safe for use by many threads; blocks nobody. */
public final class EventMeters {
    /** Bounds of the buckets: answers take from a tenth of a second to minutes. */
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        Duration.ofSeconds(120)
    };

    /** A call that is not here has its model from who served it: more than there may be calls in flight. */
    private static final int MOST_CALLS = 20_000;

    private static final String NONE = "none";

    private final MeterRegistry registry;
    private final Tags common;
    private final Labels labels;

    /** The model that each call in flight asked for. */
    private final ConcurrentHashMap<String, String> asked = new ConcurrentHashMap<>();

    /**
     * Creates meters.
     *
     * @param registry where they are
     * @param common tags of every meter
     * @param labels names that may be labels
     */
    public EventMeters(MeterRegistry registry, Tags common, Labels labels) {
        this.registry = registry;
        this.common = common;
        this.labels = labels;
    }

    /**
     * Counts an event.
     *
     * @param event what happened
     */
    public void count(CallEvent event) {
        switch (event) {
            case CallStarted started -> started(started);
            case CallFinished finished -> finished(finished);
            case AttemptStarted attempt -> started(attempt);
            case AttemptFinished attempt -> finished(attempt.attempt());
            default -> countRarer(event);
        }
    }

    private void countRarer(CallEvent event) {
        switch (event) {
            case RetryScheduled retry ->
                timer("holdfast.retry.delay", "how long calls wait before they try again")
                        .tags(labels.target(retry.target()).and("suggested", Boolean.toString(retry.suggested())))
                        .register(registry)
                        .record(retry.delay());
            case AttemptQueued queued ->
                add("holdfast.queued", "attempts that wait for their turn under a limit", of(queued.target()));
            case Moved moved -> moved(moved);
            case TargetRejected rejected ->
                add(
                        "holdfast.rejections",
                        "targets that were skipped without sending anything",
                        of(rejected.rejection().target())
                                .and("kind", rejected.rejection().kind().wireName()));
            case BudgetRefused refused ->
                add("holdfast.retry.budget.refusals", "retries that a budget refused", of(refused.target()));
            case Hedged hedged ->
                add(
                        "holdfast.hedges",
                        "attempts beside one that takes long, by the target that takes long",
                        of(hedged.slow()).and("step", Labels.word(hedged.step())));
            case CacheConsulted cache ->
                add("holdfast.cache", "what the cache did for calls", Tags.of("outcome", Labels.word(cache.outcome())));
            case KeyConsulted key ->
                add(
                        "holdfast.idempotency",
                        "what was known of the keys of calls",
                        Tags.of("outcome", Labels.word(key.outcome())));
            default -> countOfTargets(event);
        }
    }

    private void countOfTargets(CallEvent event) {
        switch (event) {
            case BreakerChanged breaker ->
                add(
                        "holdfast.breaker.changes",
                        "transitions of breakers",
                        of(breaker.target()).and("to", Labels.word(breaker.to())));
            case CooldownStarted cooldown ->
                add(
                        "holdfast.cooldowns",
                        "times that a provider asked to be left alone",
                        of(cooldown.target()).and("kind", cooldown.kind().wireName()));
            case HealthChanged health ->
                add(
                        "holdfast.health.changes",
                        "changes of health",
                        Tags.of(
                                "endpoint", health.endpoint(),
                                "model", health.model().map(labels::model).orElse(NONE),
                                "to", Labels.word(health.to())));
            case EndpointProbed probe ->
                timer("holdfast.probes", "how long probes take")
                        .tags(Tags.of("endpoint", probe.endpoint(), "healthy", Boolean.toString(probe.healthy())))
                        .register(registry)
                        .record(probe.took());
            case ControlChanged control ->
                add("holdfast.control.changes", "orders that were given or ended", Tags.empty());
            default -> {
                // A later version's event is not counted by this one.
            }
        }
    }

    private void started(CallStarted started) {
        if (asked.size() < MOST_CALLS && !started.route().models().isEmpty()) {
            asked.put(started.callId(), started.route().models().getFirst());
        }
    }

    private void finished(CallFinished finished) {
        String first = asked.remove(finished.callId());
        String model = first != null
                ? labels.model(first)
                : finished.servedBy().map(Target::model).map(labels::model).orElse(NONE);
        timer("holdfast.calls", "how long calls take, with all their attempts and waits")
                .tags(Tags.of("model", model).and(outcome(finished.failure())))
                .register(registry)
                .record(finished.took());
    }

    private void started(AttemptStarted attempt) {
        if (attempt.reason() == AttemptReason.RETRY) {
            add("holdfast.retries", "attempts on the same target again", of(attempt.target()));
        }
    }

    private void finished(Attempt attempt) {
        timer("holdfast.attempts", "how long attempts take")
                .tags(of(attempt.target())
                        .and("reason", attempt.reason().wireName())
                        .and(outcome(attempt.failure())))
                .register(registry)
                .record(attempt.took());
        attempt.spend().ifPresent(spend -> spent(attempt.target(), spend));
        ofArticle(attempt);
    }

    /** The names by which the endpoints of a published dashboard are shown. */
    private void ofArticle(Attempt attempt) {
        Tags endpoint = Tags.of("endpoint_name", attempt.target().endpoint());
        String status = status(attempt.failure());
        add("ai.endpoint.requests", "attempts of an endpoint", endpoint.and("status", status));
        timer("ai.endpoint.latency", "how long attempts of an endpoint take")
                .tags(endpoint)
                .register(registry)
                .record(attempt.took());
    }

    private static Tags outcome(Optional<Failure> failure) {
        return Tags.of(
                "outcome",
                status(failure),
                "kind",
                failure.map(Failure::kind).map(FailureKind::wireName).orElse(NONE));
    }

    private static String status(Optional<Failure> failure) {
        return failure.map(Failure::kind)
                .map(kind -> kind == FailureKind.CANCELLED ? "cancelled" : "error")
                .orElse("success");
    }

    private void moved(Moved moved) {
        if (moved.reason() == AttemptReason.FALLBACK) {
            add(
                    "holdfast.fallbacks",
                    "moves to another model",
                    Tags.of(
                            "model", labels.model(moved.from().model()),
                            "to", labels.model(moved.to().model())));
        } else {
            add(
                    "holdfast.failovers",
                    "moves to another endpoint",
                    of(moved.from()).and("to", moved.to().endpoint()));
        }
    }

    private void spent(Target target, Spend spend) {
        Tags tags = of(target).and("basis", Labels.word(spend.basis()));
        Usage usage = spend.usage();
        tokens(tags, "input", usage.input());
        tokens(tags, "cached_input", usage.cachedInput());
        tokens(tags, "cache_write", usage.cacheWrite());
        tokens(tags, "output", usage.output());
        tokens(tags, "reasoning", usage.reasoning());
        if (spend.cost().isEmpty()) {
            add("holdfast.unpriced", "attempts that used tokens of an unknown price", tags);
            return;
        }
        counter("holdfast.cost", "US dollars, by what is known of them", tags, "usd")
                .increment(spend.cost().get().usd().doubleValue());
    }

    private void tokens(Tags tags, String type, long count) {
        if (count > 0) {
            counter("holdfast.tokens", "tokens; reasoning is a part of output", tags.and("type", type), null)
                    .increment((double) count);
        }
    }

    private Tags of(Target target) {
        return labels.target(target);
    }

    private void add(String name, String description, Tags tags) {
        counter(name, description, tags, null).increment();
    }

    private Counter counter(String name, String description, Tags tags, @Nullable String unit) {
        return Counter.builder(name)
                .description(description)
                .baseUnit(unit)
                .tags(common.and(tags))
                .register(registry);
    }

    private Timer.Builder timer(String name, String description) {
        return Timer.builder(name)
                .description(description)
                .serviceLevelObjectives(BUCKETS)
                .tags(common);
    }
}
