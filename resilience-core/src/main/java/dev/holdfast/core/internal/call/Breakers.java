package dev.holdfast.core.internal.call;

import dev.holdfast.BreakerState;
import dev.holdfast.CallEvent;
import dev.holdfast.FailureKind;
import dev.holdfast.Rejection;
import dev.holdfast.Target;
import dev.holdfast.core.BreakerFleet;
import dev.holdfast.core.BreakerFleet.Membership;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.internal.event.Audience;
import dev.holdfast.core.internal.registry.BoundedRegistry;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The breakers of a client, one for each target, and their part in a fleet where there is one. */
public final class Breakers implements AutoCloseable {
    private static final int MOST_TARGETS = 10_000;
    private static final Duration LOOK_AGAIN = Duration.ofMillis(250);

    private final Setup setup;
    private final Optional<BreakerFleet> fleet;
    private final BoundedRegistry<Target, Guarding> byTarget;

    Breakers(Setup setup, Audience audience) {
        this.setup = setup;
        this.fleet = setup.breakerStore().map(store -> BreakerFleet.of(store, setup.timekeeper()));
        this.byTarget = new BoundedRegistry<>(MOST_TARGETS, target -> create(target, audience), Guarding::dropped);
    }

    /** Goes on with the breakers of an earlier client whose policies are the same. A fleet remembers for itself. */
    void continueFrom(Breakers earlier) {
        if (fleet.isPresent() || earlier.fleet.isPresent()) {
            return;
        }
        earlier.byTarget.snapshot().forEach((target, guarding) -> {
            if (policy(target).equals(Optional.of(guarding.breaker().policy()))) {
                byTarget.adopt(target, guarding);
            }
        });
    }

    /** A breaker and its membership. */
    private record Guarding(CircuitBreaker breaker, Optional<Membership> membership) {
        void dropped() {
            membership.ifPresent(Membership::close);
        }
    }

    private Guarding create(Target target, Audience audience) {
        var breaker = CircuitBreaker.of(
                target.toString(),
                policy(target).orElseThrow(),
                setup.timekeeper(),
                setup.random(),
                transition -> audience.emit(new CallEvent.BreakerChanged(
                        setup.timekeeper().now(), target, transition.from(), transition.to(), transition.reason())));
        return new Guarding(breaker, fleet.map(each -> each.join(breaker)));
    }

    private Optional<BreakerPolicy> policy(Target target) {
        return policy(setup.model(target.model()));
    }

    private Optional<BreakerPolicy> policy(ModelSettings model) {
        return model.breaker().isPresent() ? model.breaker() : setup.breaker();
    }

    Optional<CircuitBreaker> of(Candidate candidate) {
        return policy(candidate.model()).isPresent() ? Optional.of(guarding(candidate.target())) : Optional.empty();
    }

    private CircuitBreaker guarding(Target target) {
        return byTarget.get(target).breaker();
    }

    /** {@return the breaker of a target; empty where it has none} */
    public Optional<CircuitBreaker> of(Target target) {
        return policy(target).map(policy -> guarding(target));
    }

    /** {@return what there is to see of every breaker that was asked so far, by name} */
    public List<CircuitBreaker.Status> statuses() {
        return byTarget.snapshot().values().stream()
                .map(each -> each.breaker().status())
                .sorted(Comparator.comparing(CircuitBreaker.Status::name))
                .toList();
    }

    Optional<Rejection> rejection(Candidate candidate) {
        Optional<CircuitBreaker> breaker = of(candidate);
        return breaker.isEmpty()
                ? Optional.empty()
                : breaker.get().rejection().map(open -> rejection(candidate, breaker.get(), open));
    }

    /** While probes are under way no one knows when the breaker closes; it is worth another look soon. */
    Rejection rejection(Candidate candidate, CircuitBreaker breaker, CircuitBreaker.Open open) {
        boolean probing = breaker.state() == BreakerState.HALF_OPEN;
        Optional<Duration> availableIn =
                open.availableIn().map(in -> probing && in.compareTo(LOOK_AGAIN) > 0 ? LOOK_AGAIN : in);
        return new Rejection(candidate.target(), FailureKind.CIRCUIT_OPEN, availableIn);
    }

    boolean wouldAdmit(Target target) {
        return of(target).flatMap(CircuitBreaker::rejection).isEmpty();
    }

    @Override
    public void close() {
        fleet.ifPresent(BreakerFleet::close);
    }
}
