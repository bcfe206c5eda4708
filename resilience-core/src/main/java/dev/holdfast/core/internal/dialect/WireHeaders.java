package dev.holdfast.core.internal.dialect;

import dev.holdfast.Credential;
import dev.holdfast.Headers;
import dev.holdfast.spi.Dialect.OutgoingRequest;
import java.util.ArrayList;
import java.util.Map;

/** The header fields that every dialect sends, and how keys and tokens are told apart. */
final class WireHeaders {
    private static final Map.Entry<String, String> SENDS_JSON = Map.entry("Content-Type", "application/json");
    private static final Map.Entry<String, String> ACCEPTS_JSON = Map.entry("Accept", "application/json");
    private static final Map.Entry<String, String> ACCEPTS_EVENTS = Map.entry("Accept", "text/event-stream");

    private WireHeaders() {}

    /** The endpoint's own fields and the types of content. */
    static Headers of(OutgoingRequest outgoing) {
        Headers own = outgoing.endpoint().headers();
        var fields = new ArrayList<>(own.fields());
        if (own.first("Content-Type").isEmpty()) {
            fields.add(SENDS_JSON);
        }
        if (own.first("Accept").isEmpty()) {
            fields.add(outgoing.request().streaming() ? ACCEPTS_EVENTS : ACCEPTS_JSON);
        }
        return Headers.of(fields);
    }

    /** The same with the key in a field of its own, as {@code name}, or the token that stands in its place. */
    static Headers withKeyOrToken(OutgoingRequest outgoing, String name) {
        Headers headers = of(outgoing);
        return outgoing.credential()
                .map(shown -> isToken(shown)
                        ? bearer(headers, shown)
                        : headers.with(name, shown.secret().reveal()))
                .orElse(headers);
    }

    static Headers bearer(Headers headers, Credential credential) {
        return headers.with("Authorization", "Bearer " + credential.secret().reveal());
    }

    /**
     * Whether a secret is an access token rather than a key: a JSON web token, whose head begins with a brace (RFC 7515, section
     * 3), or one of Google's OAuth tokens. Keys of vendors have neither form.
     */
    static boolean isToken(Credential credential) {
        String secret = credential.secret().reveal();
        boolean web =
                secret.startsWith("eyJ") && secret.chars().filter(c -> c == '.').count() >= 2;
        return web || secret.startsWith("ya29.");
    }
}
