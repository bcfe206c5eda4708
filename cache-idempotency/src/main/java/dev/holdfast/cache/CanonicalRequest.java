package dev.holdfast.cache;

import dev.holdfast.CallOptions;
import dev.holdfast.ModelRequest;
import dev.holdfast.cache.internal.key.Content;
import dev.holdfast.cache.internal.key.KeyDigest;
import dev.holdfast.spi.ResponseCache.CacheKey;

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
 *   <li>in the chat forms of OpenAI and Anthropic, the members {@code stream} and {@code stream_options} at the top: they
 *       say how the answer travels, not what it is.
 * </ul>
 *
 * <p>The member {@code user} counts. Form, model and an opaque request's path count beside the document. Immutable;
 * {@code toString} shows no content.
 */
public final class CanonicalRequest {
    private final Content content;

    private CanonicalRequest(Content content) {
        this.content = content;
    }

    /**
     * {@return the canonical form of a request}
     *
     * @param request the request
     */
    public static CanonicalRequest of(ModelRequest request) {
        return new CanonicalRequest(Content.of(request));
    }

    /**
     * {@return the key of this request's answer}: a SHA-256 digest of the request, of the scope, of the family, and of
     * what else of the options decides who answers: the route, the allow list and the call's own credential.
     *
     * @param options the call's options; their tenant is the key's scope, the empty text where there is none
     * @param family what the answer comes from: calls whose endpoints are not interchangeable have different families
     */
    public CacheKey key(CallOptions options, String family) {
        String scope = options.tenant().orElse("");
        return new CacheKey(scope, KeyDigest.of(content, options, scope, family));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CanonicalRequest that && content.equals(that.content);
    }

    @Override
    public int hashCode() {
        return content.hashCode();
    }

    @Override
    public String toString() {
        return "CanonicalRequest[" + content.form() + ", model=" + content.model() + "]";
    }
}
