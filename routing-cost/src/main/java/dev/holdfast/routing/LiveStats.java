package dev.holdfast.routing;

import dev.holdfast.Attempt;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.AttemptFinished;
import dev.holdfast.Failure;
import dev.holdfast.routing.internal.ledger.IdleMap;
import dev.holdfast.routing.internal.route.Fading;
import dev.holdfast.spi.CallListener;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.Optional;

/**
 * How models do, from what calls went through: averages in which an attempt counts half as much after each half-life. Give it
 * to the client as a listener and to a router as what it knows.
 *
 * <p>The latency is that of answers. The success rate counts what shows that a model is not to be had: failures of the
 * server, of the connection, timeouts, limits, refused keys; not what is the request's fault, or the caller's. It holds one
 * assumed success: a model that failed and is left alone comes back to 1 as its failures grow old.
 *
 * <p>Thread-safe; keeps 1,000 models.
 */
public final class LiveStats implements CallListener {
    private static final int MOST_MODELS = 1_000;
    private static final Duration HALF_LIFE = Duration.ofSeconds(60);
    /** Less than this of a single answer says nothing any more: ten half-lives. */
    private static final double LEAST_WEIGHT = 0.001;

    private final double halfLifeNanos;
    private final Timekeeper timekeeper;
    private final IdleMap<String, Fading> latencies;
    private final IdleMap<String, Fading> successes;

    private LiveStats(Duration halfLife, Timekeeper timekeeper) {
        if (!halfLife.isPositive()) {
            throw new IllegalArgumentException("halfLife: " + halfLife + " (expected: > 0)");
        }
        this.halfLifeNanos = halfLife.toNanos();
        this.timekeeper = timekeeper;
        this.latencies = new IdleMap<>(MOST_MODELS, Fading.NOTHING, (model, fading) -> {});
        this.successes = new IdleMap<>(MOST_MODELS, Fading.NOTHING, (model, fading) -> {});
    }

    /** {@return statistics that have seen nothing, with a half-life of a minute} */
    public static LiveStats create() {
        return of(HALF_LIFE, Timekeeper.system());
    }

    /**
     * {@return statistics that have seen nothing}
     *
     * @param halfLife after how long an attempt counts half, positive
     * @param timekeeper tells how old attempts are
     */
    public static LiveStats of(Duration halfLife, Timekeeper timekeeper) {
        return new LiveStats(halfLife, timekeeper);
    }

    @Override
    public void onEvent(CallEvent event) {
        if (event instanceof AttemptFinished finished) {
            hear(finished.attempt());
        }
    }

    private void hear(Attempt attempt) {
        String model = attempt.target().model();
        long now = timekeeper.nanoTime();
        if (attempt.succeeded()) {
            latencies.change(
                    model, now, before -> before.plus((double) attempt.took().toNanos(), now, halfLifeNanos));
            successes.change(model, now, before -> before.plus(1, now, halfLifeNanos));
        } else if (attempt.failure().filter(LiveStats::showsTheModel).isPresent()) {
            successes.change(model, now, before -> before.plus(0, now, halfLifeNanos));
        }
    }

    private static boolean showsTheModel(Failure failure) {
        return switch (failure.kind()) {
            case RATE_LIMITED,
                    QUOTA_EXHAUSTED,
                    OVERLOADED,
                    SERVER_ERROR,
                    TIMEOUT,
                    CONNECTION,
                    MALFORMED_RESPONSE,
                    EMPTY_RESPONSE,
                    TRUNCATED,
                    AUTH,
                    PERMISSION,
                    PROXY_AUTH,
                    REDIRECT_REFUSED,
                    MODEL_NOT_FOUND -> true;
            default -> false;
        };
    }

    /**
     * {@return how long answers took lately; empty before the first and long after the last}
     *
     * @param model the model
     */
    public Optional<Duration> latency(String model) {
        Fading fading = latencies.get(model);
        return fading.weightAt(timekeeper.nanoTime(), halfLifeNanos) < LEAST_WEIGHT
                ? Optional.empty()
                : Optional.of(Duration.ofNanos((long) fading.mean(0)));
    }

    /**
     * {@return the share of attempts that succeeded lately, above 0, at most 1; 1 where nothing is known}
     *
     * @param model the model
     */
    public double successRate(String model) {
        return successes.get(model).meanWith(1, timekeeper.nanoTime(), halfLifeNanos);
    }
}
