package dev.holdfast.simulation.internal.profile;

/** A file that is no profile. The message has file, line and what was expected. */
final class ProfileFormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    ProfileFormatException(String message) {
        super(message);
    }
}
