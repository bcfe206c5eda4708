package dev.holdfast.core.internal.call;

import dev.holdfast.Attempt;
import dev.holdfast.CallTrail;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.Rejection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Where a call stands: all that the rules look at, and nothing that changes under their eyes.
 *
 * @param callId the call
 * @param candidates where it may go, in the order of the route, then of the endpoints
 * @param tracks what it has been through with each candidate, in the same order
 * @param current the candidate it was with last; -1 before the first
 * @param attempts every attempt so far
 * @param rejections every rejection so far
 * @param rests how it waited for cooldowns and limits so far
 * @param startedNanos when the last attempt started; without meaning before the first
 * @param nowNanos the time
 * @param deadlineNanos the deadline; decades away for none
 */
record CallState(
        String callId,
        List<Candidate> candidates,
        List<Track> tracks,
        int current,
        List<Attempt> attempts,
        List<Rejection> rejections,
        Rests rests,
        long startedNanos,
        long nowNanos,
        long deadlineNanos) {
    private static final List<Track> ONE_NEW = List.of(Track.NEW);

    static CallState begin(String callId, List<Candidate> candidates, long nowNanos, long deadlineNanos) {
        List<Track> tracks = candidates.size() == 1 ? ONE_NEW : Collections.nCopies(candidates.size(), Track.NEW);
        return new CallState(
                callId, candidates, tracks, -1, List.of(), List.of(), Rests.NONE, nowNanos, nowNanos, deadlineNanos);
    }

    CallState at(long nanos) {
        return at(nanos, deadlineNanos);
    }

    /** This state at another time, with the deadline as it is then: who waits for a call may change. */
    CallState at(long nanos, long deadline) {
        return new CallState(
                callId, candidates, tracks, current, attempts, rejections, rests, startedNanos, nanos, deadline);
    }

    CallState started() {
        return new CallState(
                callId, candidates, tracks, current, attempts, rejections, rests, nowNanos, nowNanos, deadlineNanos);
    }

    /** This state if the call gave up an attempt that is underway. */
    CallState givenUp(int candidate, Attempt attempt) {
        Track track = tracks.get(candidate).givenUp();
        return with(candidate, replaced(candidate, track), plus(attempts, attempt), rejections);
    }

    /** This state without a candidate that would have been next; the current one stays. */
    CallState passedOver(int candidate) {
        return with(current, replaced(candidate, tracks.get(candidate).refusedRetry()), attempts, rejections);
    }

    /** This state as if there were no candidate but that one. */
    CallState confinedTo(int candidate) {
        return new CallState(
                callId,
                List.of(candidates.get(candidate)),
                List.of(tracks.get(candidate)),
                0,
                attempts,
                rejections,
                rests,
                startedNanos,
                nowNanos,
                deadlineNanos);
    }

    /** This state after a wait of that length for a cooldown or a limit. */
    CallState rested(Duration length) {
        return new CallState(
                callId,
                candidates,
                tracks,
                current,
                attempts,
                rejections,
                rests.plus(length),
                startedNanos,
                nowNanos,
                deadlineNanos);
    }

    CallState failed(int candidate, Attempt attempt, Track track) {
        return with(candidate, replaced(candidate, track), plus(attempts, attempt), rejections);
    }

    /** This state after a hedge failed: the call stays with the one that was hedged, whichever of the two ended last. */
    CallState failedBeside(int candidate, Attempt attempt, Track track) {
        return with(current, replaced(candidate, track), plus(attempts, attempt), rejections);
    }

    CallState rejected(int candidate, Rejection rejection) {
        return rejected(candidate, rejection, true);
    }

    CallState rejected(int candidate, Rejection rejection, boolean mayBeAwaited) {
        Track track = tracks.get(candidate).rejected(rejection, nowNanos, mayBeAwaited);
        return with(candidate, replaced(candidate, track), attempts, plus(rejections, rejection));
    }

    CallState retryRefused(int candidate) {
        return with(candidate, replaced(candidate, tracks.get(candidate).refusedRetry()), attempts, rejections);
    }

    private CallState with(int at, List<Track> changed, List<Attempt> made, List<Rejection> skipped) {
        return new CallState(
                callId, candidates, changed, at, made, skipped, rests, startedNanos, nowNanos, deadlineNanos);
    }

    /** How the candidate the call was with last failed; empty if it was rejected there or has not begun. */
    Optional<Failure> lastFailure() {
        return current < 0 || tracks.get(current).rejection().isPresent()
                ? Optional.empty()
                : tracks.get(current).failure();
    }

    /** How long until the first candidate is free that says when it is; empty if none says. */
    Optional<Duration> untilFree() {
        return tracks.stream()
                .flatMapToLong(track -> track.freeAtNanos().stream())
                .map(at -> Math.max(0, at - nowNanos))
                .mapToObj(Duration::ofNanos)
                .min(Duration::compareTo);
    }

    /** The candidates that failed with the kind, at whatever time in the call. */
    Stream<Candidate> failedWith(FailureKind kind) {
        return IntStream.range(0, tracks.size())
                .filter(i -> tracks.get(i).failures(kind) > 0)
                .mapToObj(candidates::get);
    }

    /** The last failure of any attempt. */
    Optional<Failure> lastAttemptFailure() {
        return attempts.isEmpty() ? Optional.empty() : attempts.getLast().failure();
    }

    Duration untilDeadline() {
        return Duration.ofNanos(deadlineNanos - nowNanos);
    }

    boolean sameModel(int one, int other) {
        return candidates
                .get(one)
                .target()
                .model()
                .equals(candidates.get(other).target().model());
    }

    /** The candidates of the same model as that one. They stand side by side. */
    List<Candidate> ofSameModel(int candidate) {
        int from = candidate;
        while (from > 0 && sameModel(from - 1, candidate)) {
            from--;
        }
        int to = candidate + 1;
        while (to < candidates.size() && sameModel(to, candidate)) {
            to++;
        }
        return candidates.subList(from, to);
    }

    /** Whether nothing was sent to the model of that candidate, and nothing stood in the way there. */
    boolean isNewThere(int candidate) {
        for (int i = 0; i < tracks.size(); i++) {
            if (!tracks.get(i).isUntried() && sameModel(i, candidate)) {
                return false;
            }
        }
        return tracks.size() > 1;
    }

    /** This state with the candidates of a model it is new to in another order. */
    CallState reordered(int candidate, List<Candidate> there) {
        var copy = new ArrayList<>(candidates);
        int from = candidates.indexOf(ofSameModel(candidate).getFirst());
        for (int i = 0; i < there.size(); i++) {
            copy.set(from + i, there.get(i));
        }
        return new CallState(
                callId,
                List.copyOf(copy),
                tracks,
                current,
                attempts,
                rejections,
                rests,
                startedNanos,
                nowNanos,
                deadlineNanos);
    }

    /** Whether any candidate but the given one was neither tried nor rejected. */
    boolean hasUntriedBeside(int candidate) {
        for (int i = 0; i < tracks.size(); i++) {
            if (i != candidate && tracks.get(i).isUntried()) {
                return true;
            }
        }
        return false;
    }

    CallTrail trail(Optional<Duration> freeIn) {
        return new CallTrail(callId, asBegun(attempts), rejections, freeIn);
    }

    /** The attempts as they were begun: of two that were underway at once, either may have ended first. */
    static List<Attempt> asBegun(List<Attempt> attempts) {
        return attempts.size() < 2
                ? List.copyOf(attempts)
                : attempts.stream()
                        .sorted(Comparator.comparingInt(Attempt::number))
                        .toList();
    }

    private List<Track> replaced(int candidate, Track track) {
        var copy = new ArrayList<>(tracks);
        copy.set(candidate, track);
        return List.copyOf(copy);
    }

    private static <T> List<T> plus(List<T> list, T element) {
        var copy = new ArrayList<T>(list.size() + 1);
        copy.addAll(list);
        copy.add(element);
        return List.copyOf(copy);
    }
}
