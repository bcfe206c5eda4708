package dev.holdfast.spi;

import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import java.time.Instant;
import java.util.Optional;

/**
 * Where a key comes from when it changes: a token service, a mounted file.
 *
 * <p>Asked for each attempt; the answer is kept until it expires, and asked for once more, with {@code refresh}, after the
 * provider refused it. May block for as long as the call has time; an exception counts as a refused key,
 * as does a key that looks like another vendor's than the one whose host the endpoint is at; it is not sent.
 */
@FunctionalInterface
public interface CredentialSource {
    /**
     * {@return the key to use}
     *
     * @param request what for
     * @throws InterruptedException if the thread was interrupted
     */
    IssuedCredential issue(CredentialRequest request) throws InterruptedException;

    /**
     * What a key is for.
     *
     * @param endpoint the endpoint it goes to
     * @param refresh whether the last one was refused, so that a stored one will not do
     */
    record CredentialRequest(Endpoint endpoint, boolean refresh) {}

    /**
     * A key and how long it is good.
     *
     * @param credential the key
     * @param expiresAt when it ends; empty if it does not
     */
    record IssuedCredential(Credential credential, Optional<Instant> expiresAt) {}
}
