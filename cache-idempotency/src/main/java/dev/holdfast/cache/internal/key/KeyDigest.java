package dev.holdfast.cache.internal.key;

import dev.holdfast.AllowList;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.ModelRequest;
import java.util.Collection;
import java.util.Optional;
import java.util.TreeSet;

/** Digests what a request asks for, alone or with all that decides who answers it. */
public final class KeyDigest {
    /** Changes whenever the same request would give another digest, so that stores outlive an upgrade. */
    private static final String VERSION = "holdfast-request-2";

    private KeyDigest() {}

    /** The digest of a request in its surroundings, 64 hexadecimal digits. */
    public static String of(
            ModelRequest request, CallOptions options, String scope, String family, Collection<String> tags) {
        var digest = new CanonicalDigest().add(VERSION).add(scope).add(family);
        addContent(digest, request);
        options.route().ifPresentOrElse(models -> digest.add(models), digest::addNull);
        options.allow().ifPresentOrElse(allow -> addAllowed(digest, allow), digest::addNull);
        options.credential().map(KeyDigest::owner).ifPresentOrElse(digest::add, digest::addNull);
        if (!tags.isEmpty()) {
            addTags(digest, options, tags);
        }
        return digest.finish();
    }

    private static void addTags(CanonicalDigest digest, CallOptions options, Collection<String> tags) {
        for (String name : new TreeSet<>(tags)) {
            digest.add(name);
            Optional.ofNullable(options.tags().get(name)).ifPresentOrElse(digest::add, digest::addNull);
        }
    }

    /** The digest of what a request asks for, whoever asks and answers, 64 hexadecimal digits. */
    public static String ofContent(ModelRequest request) {
        var digest = new CanonicalDigest();
        addContent(digest, request);
        return digest.finish();
    }

    /** A key of the caller's own says whose answer it is; it goes in as a digest and comes out of another one. */
    public static String owner(Credential credential) {
        return new CanonicalDigest().add(credential.secret().reveal()).finish();
    }

    /** The model beside the document counts even where the document names another. */
    private static void addContent(CanonicalDigest digest, ModelRequest request) {
        Form form = request.form();
        digest.add(form.name())
                .add(request.path().orElse(""))
                .add(request.model())
                .add(request.document(), (name, value) -> !isNeutral(form, name, value));
    }

    private static boolean isNeutral(Form form, String name, JsonValue value) {
        return switch (form) {
            case OPENAI_CHAT, ANTHROPIC_MESSAGES, GEMINI_CONTENT ->
                value.isNull() || name.equals("stream") || name.equals("stream_options");
            case OPAQUE -> false;
        };
    }

    private static void addAllowed(CanonicalDigest digest, AllowList allow) {
        digest.add(new TreeSet<>(allow.regions()))
                .add(new TreeSet<>(allow.vendors()))
                .add(new TreeSet<>(allow.retentions()));
    }
}
