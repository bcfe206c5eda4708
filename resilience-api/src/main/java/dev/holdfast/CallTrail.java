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
 */
public record CallTrail(String callId, List<Attempt> attempts, List<Rejection> rejections) {
    /** Copies the lists. */
    public CallTrail {
        attempts = List.copyOf(attempts);
        rejections = List.copyOf(rejections);
    }

    /**
     * {@return the trail of a call that has done nothing yet}
     *
     * @param callId the id of the call
     */
    public static CallTrail empty(String callId) {
        return new CallTrail(callId, List.of(), List.of());
    }

    /** {@return the shortest known time until a skipped target is free} */
    public Optional<Duration> earliestAvailable() {
        return rejections.stream()
                .flatMap(rejection -> rejection.availableIn().stream())
                .min(Duration::compareTo);
    }

    String describe() {
        if (attempts.isEmpty() && rejections.isEmpty()) {
            return "";
        }
        return Stream.concat(attempts.stream(), rejections.stream())
                .map(Object::toString)
                .collect(Collectors.joining("; ", " [", "]"));
    }
}
