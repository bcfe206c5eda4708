package dev.holdfast.cache;

import dev.holdfast.CallOptions;
import dev.holdfast.ModelRequest;
import dev.holdfast.cache.internal.key.KeyDigest;
import dev.holdfast.spi.ResponseCache.CacheKey;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request stripped of how it happened to be written, so that two requests are equal exactly if they ask for the same.
 *
 * <p>Everything in the document counts, also members that Holdfast does not know, apart from:
 *
 * <ul>
 *   <li>the order of an object's members, and the spelling of strings ({@code "\u005cu00e9"} is {@code "é"});
 *   <li>the spelling of numbers: {@code 1}, {@code 1.0} and {@code 1e0} are one number, {@code 9007199254740993} and
 *       {@code 9007199254740992} are two;
 *   <li>in the chat forms, members at the top that are {@code null}: they mean what a missing one means;
 *   <li>in the chat forms, the members {@code stream} and {@code stream_options} at the top: they say how the answer
 *       travels, not what it is.
 * </ul>
 *
 * <p>The member {@code user} counts. Form, model and an opaque request's path count beside the document. Immutable;
 * {@code toString} shows no content. Compared by SHA-256 digests.
 */
public final class CanonicalRequest {
    private final ModelRequest request;
    /** Found at its first use; threads that race find the same. */
    private @Nullable String fingerprint;

    private CanonicalRequest(ModelRequest request) {
        this.request = request;
    }

    /**
     * {@return the canonical form of a request}
     *
     * @param request the request
     */
    public static CanonicalRequest of(ModelRequest request) {
        return new CanonicalRequest(request);
    }

    /**
     * {@return the key of this request's answer}: a SHA-256 digest of the request, of the scope, of the family, and of
     * what else of the options decides who answers: the route, the allow list and the call's own credential.
     *
     * @param options the call's options; their tenant is the key's scope, the empty text where there is none
     * @param family what the answer comes from: calls whose endpoints are not interchangeable have different families
     */
    public CacheKey key(CallOptions options, String family) {
        return key(options, family, Set.of());
    }

    /**
     * {@return the key of this request's answer where some of the call's tags decide who answers}
     *
     * @param options the call's options
     * @param family what the answer comes from
     * @param tags the names of the tags that count, in any order
     */
    public CacheKey key(CallOptions options, String family, Collection<String> tags) {
        String scope = options.tenant().orElse("");
        return new CacheKey(scope, KeyDigest.of(request, options, scope, family, tags));
    }

    /**
     * {@return a SHA-256 digest of form, path, model and document, in hexadecimal}: what an idempotency key is bound to. No
     * prompt can be read from it
     */
    public String fingerprint() {
        String known = fingerprint;
        if (known == null) {
            known = KeyDigest.ofContent(request);
            fingerprint = known;
        }
        return known;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CanonicalRequest that && fingerprint().equals(that.fingerprint());
    }

    @Override
    public int hashCode() {
        return fingerprint().hashCode();
    }

    @Override
    public String toString() {
        return "CanonicalRequest[" + request.form() + ", model=" + request.model() + "]";
    }
}
