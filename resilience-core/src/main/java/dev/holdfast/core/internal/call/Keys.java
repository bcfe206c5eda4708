package dev.holdfast.core.internal.call;

import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.spi.CredentialSource;
import dev.holdfast.spi.CredentialSource.CredentialRequest;
import dev.holdfast.spi.CredentialSource.IssuedCredential;
import dev.holdfast.spi.Timekeeper;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The keys that sources issue, kept until they expire and issued anew after a refusal. */
final class Keys {
    private final Map<String, CredentialSource> sources;
    private final Timekeeper timekeeper;
    private final ConcurrentHashMap<String, IssuedCredential> issued = new ConcurrentHashMap<>();

    Keys(Map<String, CredentialSource> sources, Timekeeper timekeeper) {
        this.sources = sources;
        this.timekeeper = timekeeper;
    }

    boolean hasSource(Endpoint endpoint) {
        return sources.containsKey(endpoint.name());
    }

    /** The key to send, asked for anew where the last one was refused, and no one has replaced it yet, or has expired. */
    Optional<Credential> keyFor(Candidate candidate, Optional<Credential> refused)
            throws NoKeyException, InterruptedException {
        CredentialSource source = sources.get(candidate.endpoint().name());
        if (source == null || candidate.credential().isPresent()) {
            return candidate.credential();
        }
        IssuedCredential known = issued.get(candidate.endpoint().name());
        boolean isRefused =
                known != null && refused.filter(known.credential()::equals).isPresent();
        if (known == null || isRefused || isExpired(known)) {
            known = issue(source, new CredentialRequest(candidate.endpoint(), isRefused));
            issued.put(candidate.endpoint().name(), known);
        }
        return Optional.of(known.credential());
    }

    private static IssuedCredential issue(CredentialSource source, CredentialRequest request)
            throws NoKeyException, InterruptedException {
        try {
            return source.issue(request);
        } catch (RuntimeException e) {
            throw new NoKeyException(request.endpoint().name(), e);
        }
    }

    private boolean isExpired(IssuedCredential known) {
        return known.expiresAt().filter(end -> !end.isAfter(timekeeper.now())).isPresent();
    }

    /** A source that threw. Its own message stays the cause's: it may tell what no log should. */
    static final class NoKeyException extends Exception {
        private static final long serialVersionUID = 1L;

        NoKeyException(String endpoint, RuntimeException cause) {
            super(
                    "the credential source of endpoint " + endpoint + " threw "
                            + cause.getClass().getSimpleName(),
                    cause);
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }
}
