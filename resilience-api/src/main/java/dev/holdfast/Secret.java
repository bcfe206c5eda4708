package dev.holdfast;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Objects;

/**
 * A key or token that prints as {@code ***}. White space around it is dropped (keys are read from files with their line
 * end); what cannot stand in an HTTP header is refused here, by the setting's name and never by its value, because the
 * JDK's own message would print the whole header.
 *
 * <p>Equality takes the same time wherever two secrets differ.
 */
public final class Secret {
    private final String value;

    private Secret(String value) {
        this.value = value;
    }

    /**
     * {@return the secret}
     *
     * @param setting the name of the setting it comes from, for the error: {@code "api-key"}
     * @param value the key: visible ASCII (0x21 to 0x7E)
     * @throws IllegalArgumentException if the key is blank or holds another character; the message names the setting
     */
    public static Secret of(String setting, String value) {
        Objects.requireNonNull(value, setting + ": null (expected: a key; is the environment variable set?)");
        String trimmed = value.strip();
        if (trimmed.isEmpty()) {
            throw new IllegalArgumentException(setting + ": blank (expected: a key)");
        }
        for (int i = 0; i < trimmed.length(); i++) {
            if (trimmed.charAt(i) < 0x21 || trimmed.charAt(i) > 0x7E) {
                throw new IllegalArgumentException(
                        setting + ": a character at position " + (i + 1) + " cannot stand in an HTTP header"
                                + " (expected: visible ASCII; was the key copied with something else?)");
            }
        }
        return new Secret(trimmed);
    }

    /**
     * {@return the secret, its setting called "api-key" in errors}
     *
     * @param value the key
     * @throws IllegalArgumentException as {@link #of(String, String)}
     */
    public static Secret of(String value) {
        return of("api-key", value);
    }

    /** {@return the key itself; whoever calls this keeps it out of logs and messages} */
    public String reveal() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret that && MessageDigest.isEqual(bytes(value), bytes(that.value));
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return "***";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
