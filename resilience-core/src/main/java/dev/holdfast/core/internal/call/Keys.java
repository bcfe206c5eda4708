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

    /** The key to send, asked for anew where the last one was refused or has expired. */
    Optional<Credential> keyFor(Candidate candidate, boolean refused) throws InterruptedException {
        CredentialSource source = sources.get(candidate.endpoint().name());
        if (source == null) {
            return candidate.credential();
        }
        IssuedCredential known = issued.get(candidate.endpoint().name());
        if (known == null || refused || isExpired(known)) {
            known = source.issue(new CredentialRequest(candidate.endpoint(), refused));
            issued.put(candidate.endpoint().name(), known);
        }
        return Optional.of(known.credential());
    }

    private boolean isExpired(IssuedCredential known) {
        return known.expiresAt().filter(end -> !end.isAfter(timekeeper.now())).isPresent();
    }
}
