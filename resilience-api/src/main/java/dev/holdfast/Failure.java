package dev.holdfast;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One failed attempt, understood.
 *
 * @param kind what went wrong
 * @param scope whom it concerns
 * @param delivery how far the attempt got
 * @param message the provider's words or ours, shortened, without keys
 * @param status the HTTP status, where there was one
 * @param code the provider's structured code, where there was one
 * @param suggestedDelay how long the server asked to wait; never negative, perhaps longer than any ceiling
 * @param shouldRetry the server's own verdict ({@code x-should-retry}), which outranks ours
 * @param providerRequestId the id the provider gave the exchange
 */
public record Failure(
        FailureKind kind,
        FailureScope scope,
        Delivery delivery,
        String message,
        OptionalInt status,
        Optional<String> code,
        Optional<Duration> suggestedDelay,
        Optional<Boolean> shouldRetry,
        Optional<String> providerRequestId) {

    /**
     * {@return a failure about which nothing more is known}
     *
     * @param kind what went wrong
     * @param scope whom it concerns
     * @param delivery how far the attempt got
     * @param message words for people, without keys
     */
    public static Failure of(FailureKind kind, FailureScope scope, Delivery delivery, String message) {
        return new Failure(
                kind,
                scope,
                delivery,
                message,
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /**
     * {@return whether the provider may have done the work and charge for it although no good answer came}: the request was
     * sent and lost, however unlikely it is that it arrived, or its answer came with a status of success and is spoiled
     */
    public boolean mayHaveBeenBilled() {
        return switch (delivery) {
            case NEVER_SENT -> false;
            case PROBABLY_UNSENT, AMBIGUOUS -> true;
            case ANSWERED -> isSpoiledAnswer();
        };
    }

    /** What an error in the body of a success stands for is that error: the provider says that it did not do the work. */
    private boolean isSpoiledAnswer() {
        return switch (kind) {
            case MALFORMED_RESPONSE, EMPTY_RESPONSE, TRUNCATED -> status.orElse(200) / 100 == 2;
            default -> false;
        };
    }

    @Override
    public String toString() {
        return kind.wireName()
                + (status.isPresent() ? " " + status.getAsInt() : "")
                + code.map(value -> " " + value).orElse("")
                + (message.isEmpty() ? "" : ": " + message);
    }
}
