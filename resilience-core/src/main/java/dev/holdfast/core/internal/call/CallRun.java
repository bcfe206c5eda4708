package dev.holdfast.core.internal.call;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.CallEvent;
import dev.holdfast.CallTrail;
import dev.holdfast.Cost;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelResponse;
import dev.holdfast.Rejection;
import dev.holdfast.Spend;
import dev.holdfast.Target;
import dev.holdfast.core.internal.call.Admission.Admitted;
import dev.holdfast.core.internal.call.KindRules.SameTarget;
import dev.holdfast.core.internal.call.NextMove.Send;
import dev.holdfast.core.internal.call.NextMove.Stop;
import dev.holdfast.core.internal.call.NextMove.StopReason;
import dev.holdfast.core.internal.call.Outcome.Answered;
import dev.holdfast.core.internal.call.Outcome.Begun;
import dev.holdfast.core.internal.call.Outcome.CutShort;
import dev.holdfast.core.internal.call.Outcome.Failed;
import dev.holdfast.core.internal.stream.SourceStream;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One call on its way, streamed or not: asks the rules what is next, does it, and tells what came of it, until there is an
 * answer, or a stream has begun.
 */
final class CallRun {
    private final Call call;
    private final Services services;
    private final Moves moves;
    private final AttemptSender sender;
    private final Spending spending;
    private final Timekeeper time;
    private CallState state;
    private Duration waited = Duration.ZERO;

    CallRun(Call call, CallState begun, Services services) {
        this.call = call;
        this.state = begun;
        this.services = services;
        this.moves = services.movesFor(call);
        this.sender = services.senderFor(call);
        this.spending = services.spendingOf(call);
        this.time = services.setup().timekeeper();
    }

    /**
     * The attempt that a call ends well with, and what it holds.
     *
     * @param candidate where it went
     * @param outcome what came of it
     * @param underway the attempt, which ends with the answer's last byte
     * @param admitted what was taken for it
     */
    record Won(int candidate, Outcome.Good outcome, Underway underway, Admitted admitted) {}

    /** Makes the call and returns its answer, which has come as a whole. */
    ModelResponse answer() {
        Won won = win();
        return switch (won.outcome()) {
            case Answered answered -> answered(won, answered);
            case Begun begun -> throw new IllegalStateException("a stream came of a call that asked for none");
        };
    }

    /**
     * Makes the call and returns its stream: one that has begun, and holds its place among the calls in flight, or one of an
     * answer that came as a whole.
     */
    Opened open(InFlight.Stay stay, StreamSettlement.Finished finished) {
        Won won = win();
        Consumer<Runnable> start = work -> services.async().start("holdfast-stream", work);
        return switch (won.outcome()) {
            case Answered answered -> {
                ModelResponse response = answered(won, answered);
                yield new Opened(SourceStream.replayed(time, start, response), Optional.of(response));
            }
            case Begun begun -> {
                var settlement = new StreamSettlement(this, won, stay, finished);
                SourceStream live = SourceStream.live(
                        time, start, begun.first(), begun.flow(), begun.watch(), begun.reply(), settlement);
                stay.handOver(() -> live.close("the client was closed"));
                yield new Opened(live, Optional.empty());
            }
        };
    }

    /**
     * A stream for the consumer.
     *
     * @param stream the stream
     * @param whole the response, where it came as a whole and nothing is open
     */
    record Opened(SourceStream stream, Optional<ModelResponse> whole) {}

    private Won win() {
        try {
            while (true) {
                state = asOfNow();
                switch (moves.next(state)) {
                    case Stop(StopReason why) -> throw Endings.of(why, state);
                    case Send send -> {
                        Optional<Won> won = go(send);
                        if (won.isPresent()) {
                            return won.get();
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
    private Optional<Won> go(Send send) throws InterruptedException {
        Candidate candidate = state.candidates().get(send.candidate());
        if (!budgetAllows(send, candidate)) {
            return Optional.empty();
        }
        awaitOrGiveBack(send, candidate);
        long before = time.nanoTime();
        Admission.Decision decision = services.admission()
                .admit(
                        candidate,
                        asOfNow(),
                        send.candidate(),
                        new Admission.Ask(spending, call.options(), availableIn -> tellQueued(candidate, availableIn)));
        if (services.admission().isLimited(candidate)) {
            waited = waited.plusNanos(time.nanoTime() - before);
        }
        return switch (decision) {
            case Admission.Refused(Rejection rejection) -> {
                call.events().accept(new CallEvent.TargetRejected(time.now(), call.id(), rejection));
                if (state.tracks().get(send.candidate()).attempts() > 0) {
                    services.budgets().giveBack(candidate.target());
                }
                state = state.at(time.nanoTime()).rejected(send.candidate(), rejection);
                yield Optional.empty();
            }
            case Admitted admitted -> attempt(send, candidate, admitted);
        };
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

    private Optional<Won> attempt(Send send, Candidate candidate, Admitted admitted) throws InterruptedException {
        state = asOfNow();
        if (!state.untilDeadline().isPositive()) {
            admitted.neverSent();
            throw Endings.of(StopReason.DEADLINE, state);
        }
        Track track = state.tracks().get(send.candidate());
        if (track.attempts() == 0) {
            services.budgets().recordFirstAttempt(candidate.target());
        }
        state = state.started();
        int number = state.attempts().size() + 1;
        Instant startedAt = time.now();
        call.events()
                .accept(new CallEvent.AttemptStarted(startedAt, call.id(), number, send.reason(), candidate.target()));
        Duration timeout = services.timeoutFor(call, candidate);
        Duration untilCut = Duration.ofNanos(call.deadlineNanos() - state.nowNanos());
        boolean cut = timeout.compareTo(untilCut) >= 0;
        // A stream has timers that run out long before: only the clock says whether the deadline cut it.
        boolean cutByDeadline = cut && !call.request().streaming();
        var underway = Underway.of(number, send, candidate, startedAt, state.nowNanos(), waited);
        Outcome outcome = send(send, underway, admitted, cut ? untilCut : timeout);
        waited = Duration.ZERO;
        outcome.rateLimits().ifPresent(said -> services.rateLimits().heard(candidate.account(), said));
        outcome.rateLimits().ifPresent(admitted::heard);
        return switch (outcome) {
            case Outcome.Good good -> Optional.of(new Won(send.candidate(), good, underway, admitted));
            case Failed(Failure failure, var limits) -> {
                Attempt attempt = underway.ended(
                        Optional.of(failure),
                        limits,
                        spending.of(failure, candidate.target().model()),
                        time.nanoTime());
                tell(attempt, admitted);
                fail(send.candidate(), attempt, failure, admitted, cutByDeadline);
                yield Optional.empty();
            }
            case CutShort(Failure failure) -> {
                Attempt attempt = underway.ended(
                        Optional.of(failure),
                        Optional.empty(),
                        spending.of(failure, candidate.target().model()),
                        time.nanoTime());
                tell(attempt, admitted);
                admitted.ignored(failure);
                state = state.failed(
                        send.candidate(),
                        attempt,
                        track.failed(failure, Duration.ZERO, track.backoff(), time.nanoTime()));
                throw new InterruptedException();
            }
        };
    }

    /** The time, and how long anyone waits for this call now: the rules decide on a wait by these. */
    private CallState asOfNow() {
        return state.at(time.nanoTime(), call.patienceNanos());
    }

    private ModelResponse answered(Won won, Answered answered) {
        Attempt attempt = endedWell(won, answered.answer());
        tell(attempt, won.admitted());
        won.admitted().succeeded(answered.answer().usage());
        return respond(won, answered.answer(), attempt);
    }

    /** The attempt that won, if it ends now with this answer. */
    Attempt endedWell(Won won, ModelAnswer answer) {
        Spend spend = spending.of(answer, won.underway().candidate().target().model());
        return won.underway().ended(Optional.empty(), won.outcome().rateLimits(), Optional.of(spend), time.nanoTime());
    }

    /** The attempt that won, if its stream ends now in failure. Part of the answer came, and may be charged for. */
    Attempt endedBadly(Won won, Failure failure) {
        Spend spend = spending.possible(won.underway().candidate().target().model());
        return won.underway()
                .ended(Optional.of(failure), won.outcome().rateLimits(), Optional.of(spend), time.nanoTime());
    }

    private void tellQueued(Candidate candidate, Optional<Duration> availableIn) {
        call.events().accept(new CallEvent.AttemptQueued(time.now(), call.id(), candidate.target(), availableIn));
    }

    /** Tells, once for each attempt, how it ended and what it cost. */
    void tell(Attempt attempt, Admitted admitted) {
        admitted.spent(attempt.spend());
        call.events()
                .accept(new CallEvent.AttemptFinished(
                        time.now(),
                        call.id(),
                        attempt,
                        call.options().tenant(),
                        call.options().tags()));
    }

    /** What the call did, ended by this attempt. */
    CallTrail trail(Attempt last) {
        var attempts = new ArrayList<>(state.attempts());
        attempts.add(last);
        return new CallTrail(call.id(), attempts, state.rejections());
    }

    /** A stream that had begun failed: it is told of like any failure, and nothing is tried again. */
    void lost(Won won, Failure failure) {
        Candidate candidate = won.underway().candidate();
        if (services.admission().breakerHears(candidate, failure)) {
            won.admitted().failed(failure, state.tracks().get(won.candidate()).heard());
        } else {
            won.admitted().ignored(failure);
        }
        rest(won.candidate(), failure);
    }

    /** Whatever happens in there, the permit comes back, and what may have been paid for is told. */
    private Outcome send(Send send, Underway underway, Admitted admitted, Duration timeout)
            throws InterruptedException {
        boolean ended = false;
        FailureKind broken = FailureKind.LOCAL;
        try {
            boolean keyRefused = state.tracks()
                    .get(send.candidate())
                    .failure()
                    .filter(failure -> KindRules.of(failure.kind()).sameTarget() == SameTarget.WITH_FRESH_KEY)
                    .isPresent();
            Outcome outcome = sender.send(underway.candidate(), underway.number(), send.reason(), timeout, keyRefused);
            ended = true;
            return outcome;
        } catch (InterruptedException e) {
            broken = FailureKind.CANCELLED;
            throw e;
        } finally {
            if (!ended) {
                admitted.ignored();
                breakOff(send.candidate(), underway, admitted, broken);
            }
        }
    }

    /** Cancelled while its key was fetched, nothing was sent; where a part threw, nobody knows. */
    private void breakOff(int candidate, Underway underway, Admitted admitted, FailureKind kind) {
        Failure failure = kind == FailureKind.CANCELLED
                ? Failure.of(
                        kind, FailureScope.REQUEST, Delivery.NEVER_SENT, "the thread was interrupted before sending")
                : Failure.of(kind, FailureScope.REQUEST, Delivery.AMBIGUOUS, "a plugged-in part threw");
        Attempt attempt = underway.ended(
                Optional.of(failure),
                Optional.empty(),
                spending.of(failure, underway.candidate().target().model()),
                time.nanoTime());
        tell(attempt, admitted);
        state = state.failed(candidate, attempt, state.tracks().get(candidate));
    }

    private void fail(int candidate, Attempt attempt, Failure failure, Admitted admitted, boolean cutByDeadline) {
        boolean late = cutByDeadline || time.nanoTime() - call.deadlineNanos() >= 0;
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
        Duration untilDeadline = Duration.ofNanos(call.patienceNanos() - now);
        Duration backoff = failure.suggestedDelay().isEmpty() && leavesAttempts(failure, before)
                ? services.retryDelay().backoff(failure.kind(), before)
                : before.backoff();
        Duration delay = services.retryDelay().after(failure, backoff, untilDeadline);
        state = state.at(now).failed(candidate, attempt, before.failed(failure, delay, backoff, now));
        rest(candidate, failure);
        if (deadlineCut) {
            throw Endings.of(StopReason.DEADLINE, state);
        }
    }

    private boolean leavesAttempts(Failure failure, Track before) {
        Track after = before.failed(failure, Duration.ZERO, Duration.ZERO, 0);
        return KindRules.leavesAttempts(services.setup().retry(), failure, after);
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

    ModelResponse respond(Won won, ModelAnswer answer, Attempt attempt) {
        Candidate candidate = won.underway().candidate();
        Optional<Cost> cost = attempt.spend()
                .filter(spend -> spend.basis() == Spend.Basis.REPORTED)
                .flatMap(Spend::cost);
        return new ModelResponse(
                answer,
                Optional.of(candidate.target()),
                trail(attempt).attempts(),
                cost,
                false,
                false,
                Optional.of(sender.idempotencyKey(candidate)),
                call.id(),
                won.outcome().providerRequestId(),
                won.outcome().adjusted());
    }
}
