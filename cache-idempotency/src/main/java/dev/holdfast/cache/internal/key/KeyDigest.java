package dev.holdfast.cache.internal.key;

import dev.holdfast.AllowList;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Optional;
import java.util.TreeSet;

/** Digests what a key depends on as one JSON array, whose brackets and quotes leave no two ways to read it. */
public final class KeyDigest {
    /** Changes whenever the same request would give another digest, so that stores outlive an upgrade. */
    private static final String VERSION = "holdfast-request-1";

    private KeyDigest() {}

    /** The digest of a canonical request in its surroundings, 64 hexadecimal digits. */
    public static String of(Content content, CallOptions options, String scope, String family) {
        return sha256(JsonArray.of(
                        JsonValue.of(VERSION),
                        JsonValue.of(scope),
                        JsonValue.of(family),
                        JsonValue.of(content.form().name()),
                        JsonValue.of(content.path()),
                        JsonValue.of(content.model()),
                        content.document(),
                        orNull(options.route().map(KeyDigest::texts)),
                        orNull(options.allow().map(KeyDigest::allowed)),
                        orNull(options.credential().map(KeyDigest::owner)))
                .toJson());
    }

    private static JsonValue orNull(Optional<? extends JsonValue> value) {
        return value.isPresent() ? value.get() : JsonNull.NULL;
    }

    private static JsonArray allowed(AllowList allow) {
        return JsonArray.of(
                texts(new TreeSet<>(allow.regions())),
                texts(new TreeSet<>(allow.vendors())),
                texts(new TreeSet<>(allow.retentions())));
    }

    /** A key of the caller's own says whose answer it is; it goes in as a digest and comes out of another one. */
    private static JsonValue owner(Credential credential) {
        return JsonValue.of(sha256(credential.secret().reveal()));
    }

    private static JsonArray texts(Collection<String> texts) {
        return new JsonArray(
                texts.stream().<JsonValue>map(text -> JsonValue.of(text)).toList());
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: missing (expected: in every JDK)", e);
        }
    }
}
