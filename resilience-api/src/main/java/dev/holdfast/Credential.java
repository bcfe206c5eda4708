package dev.holdfast;

/**
 * A named key of an endpoint. Rate limits, quotas and refused keys belong to it, not to the endpoint.
 *
 * @param name what logs, events and errors call it
 * @param secret the key
 */
public record Credential(String name, Secret secret) {
    /** Refuses a blank name. */
    public Credential {
        Checks.notBlank("credential name", name);
    }

    /**
     * {@return a credential called "default"}
     *
     * @param key the key's text
     * @throws IllegalArgumentException as {@link Secret#of(String)}
     */
    public static Credential of(String key) {
        return new Credential("default", Secret.of(key));
    }
}
