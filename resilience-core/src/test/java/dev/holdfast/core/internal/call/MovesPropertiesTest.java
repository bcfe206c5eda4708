package dev.holdfast.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.Credential;
import dev.holdfast.Delivery;
import dev.holdfast.Endpoint;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.Rejection;
import dev.holdfast.Target;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.core.internal.call.NextMove.Send;
import dev.holdfast.core.internal.call.NextMove.Stop;
import dev.holdfast.core.internal.call.NextMove.StopReason;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Calls that meet whatever comes: the rules are asked until they stop, and what they did is looked at. */
class MovesPropertiesTest {
    private static final Duration BACKOFF = Duration.ofSeconds(1);
    private static final long DEADLINE = Duration.ofMinutes(2).toNanos();
    /** Such a failure leaves hope for every other candidate. */
    private static final List<FailureKind> TRANSIENT = List.of(
            FailureKind.OVERLOADED,
            FailureKind.SERVER_ERROR,
            FailureKind.TIMEOUT,
            FailureKind.RATE_LIMITED,
            FailureKind.EMPTY_RESPONSE);

    private static final List<FailureKind> ANY = List.of(FailureKind.values());

    private final RetryPolicy policy = RetryPolicy.standard().withMaxAttemptsPerCall(200);

    /** What a call did: where it went in turn, why, and how it ended. */
    private record Walk(CallState end, List<Send> moves, Stop stop) {}

    private Walk walk(RetryPolicy by, List<Candidate> candidates, List<FailureKind> kinds, long seed) {
        var random = new Random(seed);
        var moves = new Moves(by, true, true, false);
        CallState state = CallState.begin("call", candidates, 0, DEADLINE);
        var done = new ArrayList<Send>();
        for (int step = 0; step < 1_000; step++) {
            switch (moves.next(state)) {
                case Stop stop -> {
                    return new Walk(state, done, stop);
                }
                case Send send -> {
                    done.add(send);
                    state = state.at(state.nowNanos() + send.delay().toNanos());
                    boolean waited =
                            state.tracks().get(send.candidate()).rejection().isPresent();
                    state = waited ? state.rested(send.delay()) : state;
                    FailureKind kind = kinds.get(random.nextInt(kinds.size()));
                    state = kind.isRejection()
                            ? state.rejected(send.candidate(), rejection(state, send.candidate(), kind, random))
                            : failed(state, send.candidate(), kind, random);
                }
            }
        }
        throw new AssertionError("no end after " + done);
    }

    private static Rejection rejection(CallState state, int candidate, FailureKind kind, Random random) {
        Target target = state.candidates().get(candidate).target();
        return new Rejection(target, kind, Optional.of(Duration.ofSeconds(random.nextInt(20))));
    }

    private static CallState failed(CallState state, int candidate, FailureKind kind, Random random) {
        Optional<Duration> suggested = kind == FailureKind.RATE_LIMITED
                ? Optional.of(Duration.ofSeconds(random.nextInt(20)))
                : Optional.empty();
        var failure = new Failure(
                kind,
                FailureScope.ENDPOINT,
                Delivery.ANSWERED,
                "",
                java.util.OptionalInt.empty(),
                Optional.empty(),
                suggested,
                Optional.empty(),
                Optional.empty());
        var attempt = new Attempt(
                state.attempts().size() + 1,
                AttemptReason.FIRST,
                state.candidates().get(candidate).target(),
                Optional.empty(),
                Instant.EPOCH,
                Duration.ZERO,
                Duration.ZERO,
                Optional.of(failure),
                Optional.empty());
        Track track =
                state.tracks().get(candidate).failed(failure, suggested.orElse(BACKOFF), BACKOFF, state.nowNanos());
        return state.failed(candidate, attempt, track);
    }

    @Property
    void everyCandidateIsTriedBeforeTheCallEndsExhausted(
            @ForAll("candidates") List<Candidate> candidates, @ForAll long seed) {
        Walk walk = walk(policy, candidates, TRANSIENT, seed);
        if (walk.stop().why() != StopReason.DEADLINE) {
            assertThat(walk.end().tracks()).allMatch(track -> track.attempts() > 0);
        }
    }

    @Property
    void everyModelIsTriedBeforeTheCallsAttemptsAreUsedUp(
            @ForAll @IntRange(min = 1, max = 8) int models, @ForAll long seed) {
        List<Candidate> route = IntStream.range(0, models)
                .mapToObj(i -> candidate("model-" + i, "endpoint-" + i, i))
                .toList();
        Walk walk = walk(RetryPolicy.standard().withoutDeadline(), route, TRANSIENT, seed);
        if (walk.stop().why() != StopReason.DEADLINE) {
            assertThat(walk.end().tracks()).allMatch(track -> track.attempts() > 0);
        }
    }

    @Property
    void noCallMakesMoreAttemptsThanItMay(
            @ForAll("candidates") List<Candidate> candidates,
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 12) int perCall,
            @ForAll @IntRange(min = 1, max = 5) int perTarget) {
        RetryPolicy bounded = policy.withMaxAttempts(perTarget).withMaxAttemptsPerCall(perCall);
        Walk walk = walk(bounded, candidates, ANY, seed);
        assertThat(walk.end().attempts()).hasSizeLessThanOrEqualTo(perCall);
        assertThat(walk.end().tracks()).allMatch(track -> track.attempts() <= perTarget);
    }

    @Property
    void aMoveIsWhatItsReasonSays(@ForAll("candidates") List<Candidate> candidates, @ForAll long seed) {
        Walk walk = walk(policy, candidates, ANY, seed);
        assertThat(walk.moves().getFirst()).isEqualTo(Send.now(0, AttemptReason.FIRST));
        var seen = new ArrayList<Integer>();
        for (Send move : walk.moves()) {
            boolean sameModel = !seen.isEmpty() && walk.end().sameModel(seen.getLast(), move.candidate());
            boolean again = seen.contains(move.candidate());
            switch (move.reason()) {
                case FAILOVER ->
                    assertThat(again || walk.end().sameModel(0, move.candidate()) || sameModel)
                            .isTrue();
                case RETRY -> assertThat(again).isTrue();
                default -> assertThat(move.delay().isZero() || again).isTrue();
            }
            seen.add(move.candidate());
        }
    }

    @Property
    void noWaitPassesTheDeadlineAndTimeNeverRunsOutUnseen(
            @ForAll("candidates") List<Candidate> candidates, @ForAll long seed) {
        assertThat(walk(policy, candidates, ANY, seed).end().nowNanos()).isLessThan(DEADLINE);
    }

    @Property
    void whatNothingMendsEndsTheCallAtOnce(@ForAll("candidates") List<Candidate> candidates, @ForAll long seed) {
        List<FailureKind> wrong = List.of(FailureKind.INVALID_REQUEST, FailureKind.CONTENT_POLICY);
        assertThat(walk(policy, candidates, wrong, seed).moves()).hasSize(1);
    }

    @Test
    void aCallReturnsToAnEarlierModelOnceItsFallbackHasFailed() {
        Candidate big = candidate("big", "east", 1);
        Candidate small = candidate("small", "west", 2);
        RetryPolicy twice = RetryPolicy.standard().withMaxAttempts(2);
        var moves = new Moves(twice, true, true, false);
        CallState state = CallState.begin("call", List.of(big, small), 0, DEADLINE);
        state = limited(state, 0, Duration.ofSeconds(30));
        assertThat(moves.next(state)).isEqualTo(Send.now(1, AttemptReason.FALLBACK));
        state = failed(state, 1, FailureKind.OVERLOADED, new Random(1));
        state = failed(state.at(Duration.ofSeconds(1).toNanos()), 1, FailureKind.OVERLOADED, new Random(1));

        assertThat(moves.next(state)).isEqualTo(new Send(0, AttemptReason.RETRY, Duration.ofSeconds(29), true));
        assertThat(moves.next(state.at(Duration.ofSeconds(40).toNanos())))
                .as("its wait has passed")
                .isEqualTo(new Send(0, AttemptReason.RETRY, Duration.ZERO, true));
        assertThat(new Moves(twice, false, true, false).next(state))
                .as("where nothing is tried again")
                .isInstanceOf(Stop.class);
    }

    @Test
    void ofAReturnAndARestTheSoonerIsTaken() {
        Candidate big = candidate("big", "east", 1);
        Candidate small = candidate("small", "west", 2);
        var moves = new Moves(policy, true, true, false);
        CallState state = limited(CallState.begin("call", List.of(big, small), 0, DEADLINE), 0, Duration.ofSeconds(30));
        Target second = small.target();
        CallState resting =
                state.rejected(1, new Rejection(second, FailureKind.COOLING_DOWN, Optional.of(Duration.ofSeconds(10))));
        assertThat(moves.next(resting)).isEqualTo(new Send(1, AttemptReason.FALLBACK, Duration.ofSeconds(10), true));
        CallState restingLonger =
                state.rejected(1, new Rejection(second, FailureKind.COOLING_DOWN, Optional.of(Duration.ofSeconds(50))));
        assertThat(moves.next(restingLonger)).isEqualTo(new Send(0, AttemptReason.RETRY, Duration.ofSeconds(30), true));
    }

    @Test
    void afterATimeoutAFasterModelComesFirst() {
        List<Candidate> route = List.of(
                paced("gpt-4.1", 60),
                paced("claude-sonnet-4.5", 60),
                paced("gemini-2.5-flash", 15),
                paced("deepseek", 30));
        var moves = new Moves(policy, true, true, false);
        CallState start = CallState.begin("call", route, 0, DEADLINE);
        CallState late = failed(start, 0, FailureKind.TIMEOUT, new Random(1));
        assertThat(moves.next(late)).isEqualTo(Send.now(2, AttemptReason.FALLBACK));
        CallState again = failed(late, 2, FailureKind.TIMEOUT, new Random(1));
        assertThat(moves.next(again)).as("none is faster").isEqualTo(Send.now(1, AttemptReason.FALLBACK));
        CallState unknown = failed(start, 0, FailureKind.MODEL_NOT_FOUND, new Random(1));
        assertThat(moves.next(unknown)).as("the route's order").isEqualTo(Send.now(1, AttemptReason.FALLBACK));
    }

    @Test
    void anEndpointThatCouldNotBeReachedComesLastForOtherModelsToo() {
        List<Candidate> route =
                List.of(candidate("big", "east", 1), candidate("small", "east", 1), candidate("third", "west", 2));
        RetryPolicy once = RetryPolicy.none();
        var moves = new Moves(once, true, true, false);
        CallState lost = failed(CallState.begin("call", route, 0, DEADLINE), 0, FailureKind.CONNECTION, new Random(1));
        assertThat(moves.next(lost)).isEqualTo(Send.now(2, AttemptReason.FALLBACK));
        CallState both = failed(lost, 2, FailureKind.OVERLOADED, new Random(1));
        assertThat(moves.next(both)).as("rather that than nothing").isEqualTo(Send.now(1, AttemptReason.FALLBACK));
    }

    @Test
    void attemptsMayBeBoundedByTheModel() {
        Candidate once = candidate(ModelSettings.of("big").withMaxAttempts(1), "east", 1, Optional.empty());
        Candidate other = candidate("small", "west", 2);
        CallState state = CallState.begin("call", List.of(once, other), 0, DEADLINE);
        assertThat(new Moves(policy, true, true, false).next(failed(state, 0, FailureKind.OVERLOADED, new Random(1))))
                .isEqualTo(Send.now(1, AttemptReason.FALLBACK));
    }

    private static CallState limited(CallState state, int candidate, Duration delay) {
        var failure = new Failure(
                FailureKind.RATE_LIMITED,
                FailureScope.CREDENTIAL,
                Delivery.ANSWERED,
                "",
                java.util.OptionalInt.of(429),
                Optional.empty(),
                Optional.of(delay),
                Optional.empty(),
                Optional.empty());
        CallState any = failed(state, candidate, FailureKind.RATE_LIMITED, new Random(1));
        Track track = state.tracks().get(candidate).failed(failure, delay, BACKOFF, state.nowNanos());
        return state.failed(candidate, any.attempts().getLast(), track);
    }

    private static Candidate paced(String model, int seconds) {
        return candidate(ModelSettings.of(model), "east", 1, Optional.of(Duration.ofSeconds(seconds)));
    }

    private static Candidate candidate(String model, String endpoint, int key) {
        return candidate(ModelSettings.of(model), endpoint, key, Optional.empty());
    }

    private static Candidate candidate(ModelSettings model, String endpoint, int key, Optional<Duration> pace) {
        Endpoint at = Endpoint.builder(endpoint, URI.create("https://" + endpoint + ".example"))
                .build();
        return new Candidate(
                new Target(model.name(), endpoint), at, Optional.of(Credential.of("key-" + key)), model, false, pace);
    }

    @Provide
    Arbitrary<List<Candidate>> candidates() {
        return Arbitraries.integers()
                .between(0, 11)
                .list()
                .ofMinSize(1)
                .ofMaxSize(6)
                .uniqueElements()
                .map(numbers -> numbers.stream()
                        .sorted()
                        .map(number -> candidate("model-" + number / 4, "endpoint-" + number % 4, number))
                        .toList());
    }
}
