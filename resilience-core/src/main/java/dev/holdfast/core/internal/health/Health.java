package dev.holdfast.core.internal.health;

import dev.holdfast.FailureKind;
import dev.holdfast.HealthStatus;
import dev.holdfast.Target;
import dev.holdfast.core.HealthPolicy;
import dev.holdfast.core.internal.health.Vitals.Effect;
import dev.holdfast.core.internal.health.Vitals.Heard;
import dev.holdfast.core.internal.registry.BoundedRegistry;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * How the endpoints of a client do, and the models on them: first by what real calls see, then by probes. A server error
 * counts for the model on the endpoint; a lost connection counts for the endpoint too; any answer at all shows that the
 * endpoint lives. Safe for use by many threads; nothing blocks.
 */
public final class Health {
    private static final int MOST = 10_000;
    /** For how long a limit or a refused key speaks against a target, where the server does not say. */
    private static final Duration MARK = Duration.ofSeconds(60);

    private static final Duration LONGEST_MARK = Duration.ofDays(1);

    private final HealthPolicy policy;
    private final Timekeeper time;
    private final Consumer<HealthChange> changed;
    private BoundedRegistry<String, HealthRecord> endpoints;
    private BoundedRegistry<Target, HealthRecord> targets;

    /**
     * @param policy when something is degraded or unhealthy
     * @param time the time
     * @param changed hears each change of standing, on the thread that caused it
     */
    public Health(HealthPolicy policy, Timekeeper time, Consumer<HealthChange> changed) {
        this.policy = policy;
        this.time = time;
        this.changed = changed;
        this.endpoints = new BoundedRegistry<>(MOST, name -> new HealthRecord(policy, time.nanoTime()));
        this.targets = new BoundedRegistry<>(MOST, target -> new HealthRecord(policy, time.nanoTime()));
    }

    /** Goes on with what an earlier client has seen, if it judged by the same policy. Before anything is heard. */
    public void continueFrom(Health earlier) {
        if (policy.equals(earlier.policy)) {
            endpoints = earlier.endpoints;
            targets = earlier.targets;
        }
    }

    /**
     * {@return an attempt that is on its way to the target from now on; it must be ended once}
     *
     * @param target where it goes
     * @param limitsSpeak whether a limit that it meets speaks against the target for a while
     */
    public Flight begin(Target target, boolean limitsSpeak) {
        HealthRecord ofTarget = targets.get(target);
        HealthRecord ofEndpoint = endpoints.get(target.endpoint());
        ofTarget.began();
        ofEndpoint.began();
        return new Flight(target, ofTarget, ofEndpoint, limitsSpeak, time.nanoTime());
    }

    /**
     * Takes evidence of an endpoint as a whole: that of a probe.
     *
     * @param endpoint the endpoint
     * @param sign what was seen
     * @param took how long that took
     * @param source from where it comes
     */
    public void heard(String endpoint, Sign sign, Duration took, Source source) {
        heardOfEndpoint(endpoints.get(endpoint), endpoint, sign, took.toNanos(), source, true);
    }

    /**
     * Takes evidence of a model on an endpoint, and with it of the endpoint.
     *
     * @param target the model on the endpoint
     * @param sign what was seen
     * @param took how long that took
     * @param source from where it comes
     */
    public void heard(Target target, Sign sign, Duration took, Source source) {
        heard(
                target,
                targets.get(target),
                endpoints.get(target.endpoint()),
                new Told(sign, source, took.toNanos(), MARK, false));
    }

    private record Told(Sign sign, Source source, long tookNanos, Duration mark, boolean repeated) {}

    private void heard(Target target, HealthRecord ofTarget, HealthRecord ofEndpoint, Told told) {
        Effect effect =
                told.repeated() ? Effect.NONE : effect(told.sign(), told.sign().isFailure(), false);
        long now = time.nanoTime();
        HealthRecord.Change change = ofTarget.heard(
                new Heard(
                        told.sign(),
                        told.source(),
                        effect,
                        told.tookNanos(),
                        told.mark().toNanos()),
                now);
        tell(change, target.endpoint(), Optional.of(target.model()), told.sign());
        // What one model is marked for is not held against the others.
        Sign seen = told.sign().isMark() ? Sign.ALIVE : told.sign();
        heardOfEndpoint(ofEndpoint, target.endpoint(), seen, told.tookNanos(), told.source(), false);
    }

    private void heardOfEndpoint(
            HealthRecord record, String endpoint, Sign sign, long tookNanos, Source source, boolean wholly) {
        boolean bad = sign.isFailure() && (wholly || sign == Sign.UNREACHABLE);
        Effect effect = effect(sign, bad, true);
        HealthRecord.Change change =
                record.heard(new Heard(sign, source, effect, tookNanos, MARK.toNanos()), time.nanoTime());
        tell(change, endpoint, Optional.empty(), sign);
    }

    /** For a model only a good answer is good; for an endpoint every answer but a failure is. */
    private Effect effect(Sign sign, boolean bad, boolean ofEndpoint) {
        if (bad) {
            return sign == Sign.UNREACHABLE && policy.unreachableAtOnce() ? Effect.BAD_AT_ONCE : Effect.BAD;
        }
        boolean lives = ofEndpoint && !sign.isFailure();
        return sign == Sign.GOOD || lives ? Effect.GOOD : Effect.NONE;
    }

    private void tell(HealthRecord.Change change, String endpoint, Optional<String> model, Sign because) {
        if (!change.isNone()) {
            changed.accept(new HealthChange(endpoint, model, change.from(), change.to(), because));
        }
    }

    /** {@return how a model on an endpoint does; its status is the worse of both} */
    public HealthView of(Target target) {
        HealthView own = targets.get(target).view(time.nanoTime());
        HealthView whole = ofEndpoint(target.endpoint());
        return new HealthView(
                worse(own.status(), whole.status()),
                own.latency(),
                own.idle(),
                own.sinceGood(),
                whole.probeLatency(),
                own.errorRate(),
                own.calls(),
                own.inFlight(),
                Math.max(own.failuresInRow(), whole.failuresInRow()),
                Math.min(own.share(), whole.share()),
                own.mark().or(whole::mark),
                isDue(own) && isDue(whole) && (own.trialDue() || whole.trialDue()));
    }

    /** {@return the mean latency of calls to a model on an endpoint; empty before the first} */
    public Optional<Duration> latencyOf(Target target) {
        return targets.get(target).latency();
    }

    private static boolean isDue(HealthView view) {
        return view.status() != HealthStatus.UNHEALTHY || view.trialDue();
    }

    private static HealthStatus worse(HealthStatus one, HealthStatus other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** {@return how an endpoint does as a whole} */
    public HealthView ofEndpoint(String endpoint) {
        return endpoints.get(endpoint).view(time.nanoTime());
    }

    /** {@return the endpoints anything was asked or heard of} */
    public List<String> endpoints() {
        return endpoints.snapshot().keySet().stream().sorted().toList();
    }

    /** {@return the models anything was asked or heard of} */
    public Set<String> models() {
        return targets.snapshot().keySet().stream().map(Target::model).collect(Collectors.toSet());
    }

    /** {@return how the targets do that anything was asked or heard of} */
    public Map<Target, HealthView> targets() {
        var views = new java.util.HashMap<Target, HealthView>();
        targets.snapshot().keySet().forEach(target -> views.put(target, of(target)));
        return Map.copyOf(views);
    }

    /** {@return whether a real call went well there lately and none failed since: no probe need be sent, none is believed that fails} */
    public boolean isVouchedFor(String endpoint) {
        return endpoints.get(endpoint).vouches(time.nanoTime());
    }

    /**
     * {@return whether this call may try the target, which is unhealthy and has rested}
     *
     * <p>One call wins; for the others it rests on, longer than before, unless what is tried goes well.
     */
    public boolean tryTrial(Target target) {
        HealthView view = of(target);
        if (!view.trialDue()) {
            return false;
        }
        long now = time.nanoTime();
        HealthRecord own = targets.get(target);
        HealthRecord whole = endpoints.get(target.endpoint());
        boolean ownIsOut = own.view(now).status() == HealthStatus.UNHEALTHY;
        boolean wholeIsOut = whole.view(now).status() == HealthStatus.UNHEALTHY;
        return (!wholeIsOut || whole.tryTrial(now)) && (!ownIsOut || own.tryTrial(now));
    }

    /** An attempt on its way. Ends once; what comes later is not heard. */
    public final class Flight {
        private final Target target;
        private final HealthRecord ofTarget;
        private final HealthRecord ofEndpoint;
        private final boolean limitsSpeak;
        private final long startedNanos;
        private final AtomicInteger ends = new AtomicInteger();
        private volatile long tookNanos = -1;

        private Flight(
                Target target, HealthRecord ofTarget, HealthRecord ofEndpoint, boolean limitsSpeak, long startedNanos) {
            this.limitsSpeak = limitsSpeak;
            this.target = target;
            this.ofTarget = ofTarget;
            this.ofEndpoint = ofEndpoint;
            this.startedNanos = startedNanos;
        }

        /** The answer is there, or a stream has begun: this is how long it took, whenever it ends. */
        public void arrived() {
            if (tookNanos < 0) {
                tookNanos = time.nanoTime() - startedNanos;
            }
        }

        public void succeeded() {
            end(Optional.of(Sign.GOOD), MARK, false);
        }

        /**
         * It failed.
         *
         * @param kind how
         * @param suggestedDelay how long the server asked to be left alone; empty where it did not
         * @param repeated whether the call failed there before: of one call only one failure counts
         */
        public void failed(FailureKind kind, Optional<Duration> suggestedDelay, boolean repeated) {
            Duration mark = suggestedDelay.orElse(MARK);
            Optional<Sign> sign = Sign.of(kind).map(seen -> seen == Sign.LIMITED && !limitsSpeak ? Sign.ALIVE : seen);
            end(sign, mark.compareTo(LONGEST_MARK) > 0 ? LONGEST_MARK : mark, repeated);
        }

        /** It ended, and says nothing of the endpoint: it was cancelled, or cut by the deadline. */
        public void ignored() {
            end(Optional.empty(), MARK, false);
        }

        private void end(Optional<Sign> sign, Duration mark, boolean repeated) {
            if (!ends.compareAndSet(0, 1)) {
                return;
            }
            ofTarget.ended();
            ofEndpoint.ended();
            arrived();
            sign.ifPresent(seen ->
                    heard(target, ofTarget, ofEndpoint, new Told(seen, Source.CALL, tookNanos, mark, repeated)));
        }
    }
}
