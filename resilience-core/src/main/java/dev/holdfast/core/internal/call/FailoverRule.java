package dev.holdfast.core.internal.call;

import dev.holdfast.AttemptReason;
import dev.holdfast.Failure;
import dev.holdfast.FailureScope;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Failover: the same model on another endpoint, or with another key, at once. The first attempt is its first choice too. */
final class FailoverRule implements MoveRule {
    @Override
    public Optional<NextMove> next(CallState state) {
        if (state.current() < 0) {
            return Optional.of(NextMove.Send.now(0, AttemptReason.FIRST));
        }
        for (int i = 0; i < state.candidates().size(); i++) {
            if (state.sameModel(i, state.current()) && state.tracks().get(i).isUntried() && mayHelp(state, i)) {
                return Optional.of(NextMove.Send.now(i, AttemptReason.FAILOVER));
            }
        }
        return Optional.empty();
    }

    /**
     * What went wrong last on the model decides, also where another of its endpoints was skipped since; and no key goes
     * anywhere that was used up or refused before in the call.
     */
    private static boolean mayHelp(CallState state, int candidate) {
        Candidate to = state.candidates().get(candidate);
        return Prospects.keyIsGood(state, candidate) && failures(state).allMatch(failed -> allows(failed, to));
    }

    private static Stream<Failed> failures(CallState state) {
        return IntStream.range(0, state.candidates().size())
                .filter(i -> state.sameModel(i, state.current()))
                .mapToObj(i -> state.tracks()
                        .get(i)
                        .failure()
                        .map(last -> new Failed(last, state.candidates().get(i))))
                .flatMap(Optional::stream);
    }

    /** What a candidate failed with last. */
    private record Failed(Failure failure, Candidate from) {}

    /** An endpoint that broke fails for every key. */
    private static boolean allows(Failed failed, Candidate to) {
        Failure failure = failed.failure();
        boolean keys = Prospects.isAboutTheKey(failure.kind());
        return KindRules.of(failure.kind()).otherEndpoint()
                && (keys
                        || failure.scope() != FailureScope.ENDPOINT
                        || !failed.from().target().equals(to.target()));
    }
}
