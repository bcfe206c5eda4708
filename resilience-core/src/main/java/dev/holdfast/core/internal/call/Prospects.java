package dev.holdfast.core.internal.call;

import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.core.RetryPolicy;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Whether a candidate may serve the call at all, after everything that went wrong so far, also what a rejection came after. */
final class Prospects {
    private static final List<FailureKind> BAD_KEY =
            List.of(FailureKind.QUOTA_EXHAUSTED, FailureKind.AUTH, FailureKind.PERMISSION);

    private Prospects() {}

    /** Whether the last failure leaves hope for another candidate than the one that failed. */
    static boolean leavesHope(RetryPolicy policy, CallState state, int candidate) {
        Optional<Failure> last = state.lastAttemptFailure();
        int failed = last.map(failure -> indexOf(state, failure)).orElse(-1);
        if (failed < 0 || failed == candidate) {
            return true;
        }
        FailureKind kind = last.orElseThrow().kind();
        return state.sameModel(failed, candidate)
                ? KindRules.of(kind).otherEndpoint()
                : otherModelMayHelp(policy, kind);
    }

    static boolean otherModelMayHelp(RetryPolicy policy, FailureKind kind) {
        return KindRules.of(kind).otherModel() || policy.fallbackOn().contains(kind);
    }

    /** The candidate that failed like that, last of all. */
    @SuppressWarnings("ReferenceEquality") // the same failure, not one like it
    static int indexOf(CallState state, Failure failure) {
        for (int i = 0; i < state.tracks().size(); i++) {
            if (state.tracks().get(i).failure().filter(each -> each == failure).isPresent()) {
                return i;
            }
        }
        return -1;
    }

    /** A used-up account is used up for its other models too. */
    static boolean mayPay(CallState state, int candidate) {
        Candidate to = state.candidates().get(candidate);
        return state.failedWith(FailureKind.QUOTA_EXHAUSTED).noneMatch(to::sharesKeyWith);
    }

    /** How many models that were not tried yet may serve the call. */
    static int untriedModels(CallState state) {
        var models = new HashSet<String>();
        for (int i = 0; i < state.candidates().size(); i++) {
            if (isUntriedElsewhere(state, i)) {
                models.add(state.candidates().get(i).target().model());
            }
        }
        return models.size();
    }

    /** Whether the candidate is of another model, was not tried, and may serve after what went wrong so far. */
    static boolean isUntriedElsewhere(CallState state, int candidate) {
        return !state.sameModel(candidate, state.current())
                && state.tracks().get(candidate).isUntried()
                && mayHold(state, candidate)
                && mayPay(state, candidate);
    }

    /** Whether nothing on the candidate's endpoint failed for want of a connection: that concerns all its models and keys. */
    static boolean isReachable(CallState state, int candidate) {
        String endpoint = state.candidates().get(candidate).target().endpoint();
        return state.failedWith(FailureKind.CONNECTION)
                .noneMatch(lost -> lost.target().endpoint().equals(endpoint));
    }

    /** Whether the candidate's key was neither used up nor refused, wherever that was. */
    static boolean keyIsGood(CallState state, int candidate) {
        Candidate to = state.candidates().get(candidate);
        return BAD_KEY.stream().flatMap(state::failedWith).noneMatch(to::sharesKeyWith);
    }

    static boolean isAboutTheKey(FailureKind kind) {
        return BAD_KEY.contains(kind);
    }

    /** After "too long for this model" only a window larger than all that were too small is worth an attempt. */
    static boolean mayHold(CallState state, int candidate) {
        OptionalLong window = state.candidates().get(candidate).model().contextWindow();
        return state.failedWith(FailureKind.CONTEXT_LENGTH)
                .allMatch(tried -> window.isPresent()
                        && window.getAsLong() > tried.model().contextWindow().orElse(0));
    }
}
