package dev.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * A provider's answer, or something on this machine, ended the call: it was of a kind that neither repeating nor going elsewhere mends, or it asked for a
 * longer wait than the policy sleeps.
 */
public final class ProviderFailedException extends CallException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what happened, for people
     * @param failure the last failure
     * @param trail what the call did
     * @param cause what it was caused by; null where nothing was
     */
    public ProviderFailedException(String message, Failure failure, CallTrail trail, @Nullable Throwable cause) {
        super(message, failure, trail, cause);
    }
}
