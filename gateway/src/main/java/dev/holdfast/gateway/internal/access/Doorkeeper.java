package dev.holdfast.gateway.internal.access;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.gateway.internal.api.ProblemException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Lets requests in. A page of some site that a browser of this machine shows must not reach the gateway: the host it was asked for
 * is checked against names that rebind, the origin against other sites, and a body is JSON, which no form sends.
 */
public final class Doorkeeper {
    private static final Set<String> OF_THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

    private final List<AccessKey> keys;
    private final Set<String> hosts;

    /**
     * Creates a door.
     *
     * @param keys the keys; without any, everyone is let in
     * @param hosts names by which clients may call this server, in lower case, beside those of this machine
     */
    public Doorkeeper(List<AccessKey> keys, Set<String> hosts) {
        this.keys = List.copyOf(keys);
        this.hosts = Set.copyOf(hosts);
    }

    /**
     * Checks whom the request was meant for, and which page sent it.
     *
     * @param headers the request's header fields
     */
    public void checkHost(Headers headers) {
        String host = withoutPort(headers.first("Host").orElse(""));
        if (!isKnown(host)) {
            throw ProblemException.of(
                    403, "permission_error", "host_not_allowed", "a host that is not served (expected: one of hosts)");
        }
        Optional<String> origin = headers.first("Origin");
        if (origin.isPresent() && !isKnown(hostOf(origin.get()))) {
            throw ProblemException.of(
                    403, "permission_error", "origin_not_allowed", "a request of another site's page");
        }
    }

    /**
     * Checks that a body is JSON as it is.
     *
     * @param headers the request's header fields
     */
    public static void checkContent(Headers headers) {
        String type = headers.first("Content-Type")
                .orElse("")
                .split(";", 2)[0]
                .strip()
                .toLowerCase(Locale.ROOT);
        if (!type.equals("application/json")) {
            throw ProblemException.of(
                    415,
                    "invalid_request_error",
                    "unsupported_media_type",
                    "no JSON (expected: content-type: application/json)");
        }
        String coding = headers.first("Content-Encoding").orElse("identity").strip();
        if (!coding.equalsIgnoreCase("identity")) {
            throw ProblemException.of(
                    415,
                    "invalid_request_error",
                    "unsupported_encoding",
                    "a body with a content-encoding (expected: none)");
        }
    }

    /**
     * Checks the key of the one who steers the gateway.
     *
     * @param headers the request's header fields
     * @param expected the digest of that key; empty where none is asked for
     */
    public static void admitAdmin(Headers headers, Optional<Bytes> expected) {
        if (expected.isPresent()
                && !MessageDigest.isEqual(
                        sha256(presented(headers)), expected.get().toByteArray())) {
            throw unknownKey();
        }
    }

    /**
     * {@return the key that a request carries, in {@code Authorization: Bearer} or {@code x-api-key}; empty where no key is asked
     * for}
     *
     * @param headers the request's header fields
     */
    public Optional<AccessKey> admit(Headers headers) {
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        byte[] digest = sha256(presented(headers));
        AccessKey found = null;
        // Every key is compared whole, so that the time says nothing.
        for (AccessKey key : keys) {
            if (MessageDigest.isEqual(digest, key.digest().toByteArray())) {
                found = key;
            }
        }
        if (found == null) {
            throw unknownKey();
        }
        return Optional.of(found);
    }

    private static ProblemException unknownKey() {
        return ProblemException.of(
                401,
                "authentication_error",
                "invalid_api_key",
                "no valid key of this gateway (expected: authorization: Bearer …)");
    }

    private static String presented(Headers headers) {
        return bearer(headers).or(() -> headers.first("x-api-key")).orElse("").strip();
    }

    private static Optional<String> bearer(Headers headers) {
        return headers.first("Authorization")
                .filter(value -> value.regionMatches(true, 0, "Bearer ", 0, 7))
                .map(value -> value.substring(7));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }

    private boolean isKnown(String host) {
        String small = host.toLowerCase(Locale.ROOT);
        return OF_THIS_MACHINE.contains(small) || hosts.contains(small);
    }

    /** The host of an origin; {@code null}, the origin of a sandboxed page, is no host. */
    private static String hostOf(String origin) {
        int scheme = origin.indexOf("://");
        return scheme < 0 ? "" : withoutPort(origin.substring(scheme + 3));
    }

    private static String withoutPort(String authority) {
        int colon = authority.lastIndexOf(':');
        boolean literal = authority.startsWith("[");
        boolean port = colon > authority.lastIndexOf(']') && (literal || authority.indexOf(':') == colon);
        return port ? authority.substring(0, colon) : authority;
    }
}
