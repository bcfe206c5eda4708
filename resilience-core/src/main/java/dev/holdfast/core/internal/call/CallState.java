package dev.holdfast.core.internal.call;

import dev.holdfast.Attempt;
import dev.holdfast.CallTrail;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.Rejection;
import java.time.Duration;
import java.util.ArrayList;
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
 * @param waits how often it waited for a cooldown or a limit
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
        int waits,
        long startedNanos,
        long nowNanos,
        long deadlineNanos) {

    static CallState begin(String callId, List<Candidate> candidates, long nowNanos, long deadlineNanos) {
        var tracks = candidates.stream().map(candidate -> Track.NEW).toList();
        return new CallState(
                callId, candidates, tracks, -1, List.of(), List.of(), 0, nowNanos, nowNanos, deadlineNanos);
    }

    CallState at(long nanos) {
        return at(nanos, deadlineNanos);
    }

    /** This state at another time, with the deadline as it is then: who waits for a call may change. */
    CallState at(long nanos, long deadline) {
        return new CallState(
                callId, candidates, tracks, current, attempts, rejections, waits, startedNanos, nanos, deadline);
    }

    CallState started() {
        return new CallState(
                callId, candidates, tracks, current, attempts, rejections, waits, nowNanos, nowNanos, deadlineNanos);
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
                waits,
                startedNanos,
                nowNanos,
                deadlineNanos);
    }

    CallState waited() {
        return new CallState(
                callId,
                candidates,
                tracks,
                current,
                attempts,
                rejections,
                waits + 1,
                startedNanos,
                nowNanos,
                deadlineNanos);
    }

    CallState failed(int candidate, Attempt attempt, Track track) {
        return with(candidate, replaced(candidate, track), plus(attempts, attempt), rejections);
    }

    CallState rejected(int candidate, Rejection rejection) {
        Track track = tracks.get(candidate).rejected(rejection, nowNanos);
        return with(candidate, replaced(candidate, track), attempts, plus(rejections, rejection));
    }

    CallState retryRefused(int candidate) {
        return with(candidate, replaced(candidate, tracks.get(candidate).refusedRetry()), attempts, rejections);
    }

    private CallState with(int at, List<Track> changed, List<Attempt> made, List<Rejection> skipped) {
        return new CallState(
                callId, candidates, changed, at, made, skipped, waits, startedNanos, nowNanos, deadlineNanos);
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
        return new CallTrail(callId, attempts, rejections, freeIn);
    }

    private List<Track> replaced(int candidate, Track track) {
        var copy = new ArrayList<>(tracks);
        copy.set(candidate, track);
        return copy;
    }

    private static <T> List<T> plus(List<T> list, T element) {
        var copy = new ArrayList<T>(list.size() + 1);
        copy.addAll(list);
        copy.add(element);
        return copy;
    }
}
