package dev.holdfast;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a call did before it ended.
 *
 * @param callId the id of the call
 * @param attempts every attempt, in order
 * @param rejections the targets that were skipped, in order
 * @param freeIn how long, from the end of the call, until the first target is free of what stood in the way; empty where
 *     that is not known
 */
public record CallTrail(String callId, List<Attempt> attempts, List<Rejection> rejections, Optional<Duration> freeIn) {
    private static final int LONGEST_OF_ONE = 400;
    private static final int LONGEST = 3_000;

    /** Copies the lists. */
    public CallTrail {
        attempts = List.copyOf(attempts);
        rejections = List.copyOf(rejections);
    }

    /**
     * The trail of a call that ended as soon as it was rejected last.
     *
     * @param callId the id of the call
     * @param attempts every attempt, in order
     * @param rejections the targets that were skipped, in order
     */
    public CallTrail(String callId, List<Attempt> attempts, List<Rejection> rejections) {
        this(callId, attempts, rejections, earliestOf(rejections));
    }

    /**
     * {@return the trail of a call that has done nothing yet}
     *
     * @param callId the id of the call
     */
    public static CallTrail empty(String callId) {
        return new CallTrail(callId, List.of(), List.of(), Optional.empty());
    }

    private static Optional<Duration> earliestOf(List<Rejection> rejections) {
        if (rejections.isEmpty()) {
            return Optional.empty();
        }
        return rejections.stream()
                .flatMap(rejection -> rejection.availableIn().stream())
                .min(Duration::compareTo);
    }

    /** Every target tried, with kind and status, those that were skipped, with the reason, and when the first is free. */
    String describe() {
        if (attempts.isEmpty() && rejections.isEmpty()) {
            return "";
        }
        String all = Stream.concat(attempts.stream(), rejections.stream())
                .map(each -> shortened(each.toString()))
                .collect(Collectors.joining("; "));
        String whole = all.length() <= LONGEST ? all : all.substring(0, LONGEST) + "…";
        String free = freeIn.map(in -> "; the first is free in " + in.toMillis() + " ms")
                .orElse("");
        return " [" + whole + free + "]";
    }

    private static String shortened(String one) {
        return one.length() <= LONGEST_OF_ONE ? one : one.substring(0, LONGEST_OF_ONE) + "…";
    }
}
