package dev.holdfast.core.internal.call;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.CallEvent;
import dev.holdfast.Cost;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.ModelResponse;
import dev.holdfast.Rejection;
import dev.holdfast.Target;
import dev.holdfast.core.internal.call.Admission.Admitted;
import dev.holdfast.core.internal.call.KindRules.SameTarget;
import dev.holdfast.core.internal.call.NextMove.Send;
import dev.holdfast.core.internal.call.NextMove.Stop;
import dev.holdfast.core.internal.call.NextMove.StopReason;
import dev.holdfast.core.internal.call.Outcome.Answered;
import dev.holdfast.core.internal.call.Outcome.Failed;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One call on its way: asks the rules what is next, does it, and tells what came of it, until there is an answer. */
final class CallRun {
    private final Call call;
    private final Services services;
    private final Moves moves;
    private final AttemptSender sender;
    private @Nullable TokenEstimate estimate;
    private final Timekeeper time;
    private CallState state;
    private Duration waited = Duration.ZERO;

    CallRun(Call call, CallState begun, Services services) {
        this.call = call;
        this.state = begun;
        this.services = services;
        this.moves = services.movesFor(call);
        this.sender = services.senderFor(call);
        this.time = services.setup().timekeeper();
    }

    ModelResponse run() {
        try {
            while (true) {
                state = state.at(time.nanoTime());
                switch (moves.next(state)) {
                    case Stop(StopReason why) -> throw Endings.of(why, state);
                    case Send send -> {
                        Optional<ModelResponse> response = go(send);
                        if (response.isPresent()) {
                            return response.get();
                        }
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Endings.interrupted(state);
        }
    }

    /** Waits, is admitted, sends. Empty if the call has to think again. */
    private Optional<ModelResponse> go(Send send) throws InterruptedException {
        Candidate candidate = state.candidates().get(send.candidate());
        if (!budgetAllows(send, candidate)) {
            return Optional.empty();
        }
        awaitOrGiveBack(send, candidate);
        long before = time.nanoTime();
        Admission.Decision decision = services.admission()
                .admit(candidate, state.at(before), send.candidate(), this::estimate, call.options());
        if (candidate.model().limits().isPresent()) {
            waited = waited.plusNanos(time.nanoTime() - before);
        }
        return switch (decision) {
            case Admission.Refused(Rejection rejection) -> {
                call.events().accept(new CallEvent.TargetRejected(time.now(), call.id(), rejection));
                if (state.tracks().get(send.candidate()).attempts() > 0) {
                    services.budgets().giveBack(candidate.target());
                }
                state = state.rejected(send.candidate(), rejection);
                yield Optional.empty();
            }
            case Admitted admitted -> attempt(send, candidate, admitted);
        };
    }

    /** Guessed once, and only where a limit or a maximal cost asks. */
    private TokenEstimate estimate() {
        TokenEstimate known = estimate;
        if (known == null) {
            known = services.setup().estimator().estimate(call.request());
            estimate = known;
        }
        return known;
    }

    /** A retry is paid for from the target's budget; a first attempt on a target pays into it. */
    private boolean budgetAllows(Send send, Candidate candidate) {
        boolean first = state.tracks().get(send.candidate()).attempts() == 0;
        if (first || services.budgets().tryWithdraw(candidate.target())) {
            return true;
        }
        call.events().accept(new CallEvent.BudgetRefused(time.now(), call.id(), candidate.target()));
        state = state.retryRefused(send.candidate());
        return false;
    }

    /** A retry that was paid for and then cancelled was never sent. */
    private void awaitOrGiveBack(Send send, Candidate candidate) throws InterruptedException {
        try {
            await(send, candidate);
        } catch (InterruptedException e) {
            if (state.tracks().get(send.candidate()).attempts() > 0) {
                services.budgets().giveBack(candidate.target());
            }
            throw e;
        }
    }

    private void await(Send send, Candidate candidate) throws InterruptedException {
        boolean resting = state.tracks().get(send.candidate()).rejection().isPresent();
        Duration delay = resting ? services.retryDelay().spread(send.delay(), state.untilDeadline()) : send.delay();
        if (resting) {
            state = state.waited();
        }
        if (delay.isPositive()) {
            call.events()
                    .accept(new CallEvent.RetryScheduled(
                            time.now(), call.id(), candidate.target(), delay, send.suggested()));
            time.sleep(delay);
            waited = waited.plus(delay);
        } else if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        announceMove(send, candidate);
    }

    private void announceMove(Send send, Candidate candidate) {
        boolean moved = send.reason() == AttemptReason.FAILOVER || send.reason() == AttemptReason.FALLBACK;
        if (moved && state.current() >= 0) {
            Target from = state.candidates().get(state.current()).target();
            call.events().accept(new CallEvent.Moved(time.now(), call.id(), from, candidate.target(), send.reason()));
        }
    }

    private Optional<ModelResponse> attempt(Send send, Candidate candidate, Admitted admitted)
            throws InterruptedException {
        state = state.at(time.nanoTime());
        if (!state.untilDeadline().isPositive()) {
            admitted.neverSent();
            throw Endings.of(StopReason.DEADLINE, state);
        }
        Track track = state.tracks().get(send.candidate());
        if (track.attempts() == 0) {
            services.budgets().recordFirstAttempt(candidate.target());
        }
        int number = state.attempts().size() + 1;
        Instant startedAt = time.now();
        call.events()
                .accept(new CallEvent.AttemptStarted(startedAt, call.id(), number, send.reason(), candidate.target()));
        Duration timeout = services.timeoutFor(call, candidate);
        boolean cutByDeadline = timeout.compareTo(state.untilDeadline()) >= 0;
        Outcome outcome = send(send, candidate, admitted, cutByDeadline ? state.untilDeadline() : timeout);
        Duration took = Duration.ofNanos(time.nanoTime() - state.nowNanos());
        var attempt = new Attempt(
                number,
                send.reason(),
                candidate.target(),
                candidate.credential().map(key -> key.name()),
                startedAt,
                waited,
                took,
                outcome instanceof Failed(Failure failure, var limits) ? Optional.of(failure) : Optional.empty(),
                outcome.rateLimits());
        waited = Duration.ZERO;
        call.events().accept(new CallEvent.AttemptFinished(time.now(), call.id(), attempt));
        return switch (outcome) {
            case Answered answered -> {
                admitted.succeeded(answered.answer().usage());
                yield Optional.of(respond(answered, attempt, candidate));
            }
            case Failed(Failure failure, var limits) -> {
                fail(send.candidate(), attempt, failure, admitted, cutByDeadline);
                yield Optional.empty();
            }
        };
    }

    /** Whatever happens in there, the permit comes back. */
    private Outcome send(Send send, Candidate candidate, Admitted admitted, Duration timeout)
            throws InterruptedException {
        boolean ended = false;
        try {
            boolean keyRefused = state.tracks()
                    .get(send.candidate())
                    .failure()
                    .filter(failure -> KindRules.of(failure.kind()).sameTarget() == SameTarget.WITH_FRESH_KEY)
                    .isPresent();
            Outcome outcome = sender.send(candidate, state.attempts().size() + 1, send.reason(), timeout, keyRefused);
            ended = true;
            return outcome;
        } finally {
            if (!ended) {
                admitted.ignored();
            }
        }
    }

    private void fail(int candidate, Attempt attempt, Failure failure, Admitted admitted, boolean cutByDeadline) {
        boolean late = cutByDeadline || time.nanoTime() - state.deadlineNanos() >= 0;
        boolean deadlineCut = late && failure.kind() == FailureKind.TIMEOUT;
        Track before = state.tracks().get(candidate);
        boolean hears = !deadlineCut
                && services.admission().breakerHears(state.candidates().get(candidate), failure);
        if (hears) {
            admitted.failed(failure, before.heard());
            before = before.nowHeard();
        } else {
            admitted.ignored(failure);
        }
        long now = time.nanoTime();
        Duration untilDeadline = Duration.ofNanos(state.deadlineNanos() - now);
        Duration backoff = failure.suggestedDelay().isEmpty()
                        && before.attempts() + 1 < services.setup().retry().maxAttempts()
                ? services.retryDelay().backoff(before.attempts() + 1, before.backoff())
                : before.backoff();
        Duration delay = services.retryDelay().after(failure, backoff, untilDeadline);
        state = state.failed(candidate, attempt, before.failed(failure, delay, backoff, now));
        rest(candidate, failure);
        if (deadlineCut) {
            throw Endings.of(StopReason.DEADLINE, state);
        }
    }

    /**
     * An account that is limited, used up or misconfigured rests; the server's own word on how long is what others must obey.
     */
    private void rest(int candidate, Failure failure) {
        Candidate account = state.candidates().get(candidate);
        if (!services.setup().retry().cooldowns() || !concernsTheAccount(failure, candidate)) {
            return;
        }
        services.admission()
                .rest(account, failure)
                .ifPresent(length -> call.events()
                        .accept(new CallEvent.CooldownStarted(time.now(), account.target(), length, failure.kind())));
    }

    private boolean concernsTheAccount(Failure failure, int candidate) {
        return switch (failure.kind()) {
            case RATE_LIMITED, QUOTA_EXHAUSTED -> failure.scope() != FailureScope.REQUEST;
            case MODEL_NOT_FOUND -> true;
            case AUTH, PERMISSION ->
                !state.candidates().get(candidate).refreshable()
                        || state.tracks().get(candidate).keyRefusals() > 1;
            default -> false;
        };
    }

    private ModelResponse respond(Answered answered, Attempt attempt, Candidate candidate) {
        var attempts = new java.util.ArrayList<>(state.attempts());
        attempts.add(attempt);
        Optional<Cost> cost = answered.answer()
                .usage()
                .flatMap(usage -> services.priceOf(candidate.target().model()).map(price -> price.of(usage)));
        return new ModelResponse(
                answered.answer(),
                Optional.of(candidate.target()),
                attempts,
                cost,
                false,
                false,
                Optional.of(sender.idempotencyKey(candidate)),
                call.id(),
                answered.providerRequestId(),
                answered.adjusted());
    }
}
