package dev.holdfast.core.internal.call;

import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.FailureKind;
import dev.holdfast.spi.CredentialSource;
import dev.holdfast.spi.CredentialSource.CredentialRequest;
import dev.holdfast.spi.CredentialSource.IssuedCredential;
import dev.holdfast.spi.Timekeeper;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The keys that sources issue, kept until they expire and issued anew after a refusal. However many calls need one, the source
 * is asked once: the first asks, the others wait for what it gets, each no longer than its deadline. One that is interrupted
 * while it asks leaves the asking to the next.
 */
final class Keys {
    private final Map<String, CredentialSource> sources;
    private final Timekeeper timekeeper;
    private final ConcurrentHashMap<String, AtomicReference<Shelf>> shelves = new ConcurrentHashMap<>();

    Keys(Map<String, CredentialSource> sources, Timekeeper timekeeper) {
        this.sources = sources;
        this.timekeeper = timekeeper;
    }

    /**
     * What is known of one endpoint's key.
     *
     * @param issued the key; null before the first
     * @param asking who asks for another now; null if no one does
     */
    private record Shelf(
            @Nullable IssuedCredential issued, @Nullable Asking asking) {}

    /** A question to a source, and how it ended. */
    private static final class Asking {
        private final Timekeeper.Signal ended;
        private volatile @Nullable NoKeyException failure;

        Asking(Timekeeper.Signal ended) {
            this.ended = ended;
        }
    }

    boolean hasSource(Endpoint endpoint) {
        return sources.containsKey(endpoint.name());
    }

    /** The key to send, asked for anew where the last one was refused, and no one has replaced it yet, or has expired. */
    Optional<Credential> keyFor(Candidate candidate, Optional<Credential> refused, long deadlineNanos)
            throws NoKeyException, InterruptedException {
        CredentialSource source = sources.get(candidate.endpoint().name());
        if (source == null || candidate.credential().isPresent()) {
            Optional<Credential> given = candidate.credential();
            if (given.isPresent()) {
                checkGiven(candidate.endpoint(), given.get());
            }
            return given;
        }
        AtomicReference<Shelf> shelf = shelves.computeIfAbsent(
                candidate.endpoint().name(), name -> new AtomicReference<>(new Shelf(null, null)));
        while (true) {
            Shelf seen = shelf.get();
            boolean isRefused = seen.issued != null
                    && refused.filter(seen.issued.credential()::equals).isPresent();
            if (seen.issued != null && !isRefused && !isExpired(seen.issued)) {
                return Optional.of(seen.issued.credential());
            }
            if (seen.asking != null) {
                join(candidate.endpoint(), seen.asking, deadlineNanos);
                continue;
            }
            var asking = new Asking(timekeeper.newSignal());
            if (shelf.compareAndSet(seen, new Shelf(seen.issued, asking))) {
                var request = new CredentialRequest(candidate.endpoint(), isRefused);
                return Optional.of(ask(source, request, shelf, asking).credential());
            }
        }
    }

    /** Those of the endpoint were looked at when it was made; one that came with a call was not. */
    private static void checkGiven(Endpoint endpoint, Credential given) throws NoKeyException {
        if (endpoint.credentials().contains(given)) {
            return;
        }
        try {
            endpoint.checkForm(given);
        } catch (IllegalArgumentException e) {
            throw new NoKeyException(FailureKind.AUTH, "the call's " + e.getMessage(), null);
        }
    }

    private static IssuedCredential checked(Endpoint endpoint, IssuedCredential issued) throws NoKeyException {
        try {
            endpoint.checkForm(issued.credential());
            return issued;
        } catch (IllegalArgumentException e) {
            throw new NoKeyException(
                    FailureKind.AUTH,
                    "the credential source of endpoint " + endpoint.name() + " issued a key that is not its vendor's: "
                            + e.getMessage(),
                    null);
        }
    }

    private void join(Endpoint endpoint, Asking asking, long deadlineNanos)
            throws NoKeyException, InterruptedException {
        if (!asking.ended.await(deadlineNanos)) {
            throw new NoKeyException(
                    FailureKind.TIMEOUT,
                    "the deadline passed while the credential source of endpoint " + endpoint.name() + " was asked",
                    null);
        }
        NoKeyException failure = asking.failure;
        if (failure != null) {
            throw failure.again();
        }
    }

    /** Whatever the source does, the question ends, so that no one waits for it for ever. */
    private static IssuedCredential ask(
            CredentialSource source, CredentialRequest request, AtomicReference<Shelf> shelf, Asking asking)
            throws NoKeyException, InterruptedException {
        IssuedCredential issued = null;
        try {
            IssuedCredential answer =
                    Objects.requireNonNull(source.issue(request), "the credential source returned null");
            issued = checked(request.endpoint(), answer);
            return issued;
        } catch (NoKeyException e) {
            asking.failure = e;
            throw e;
        } catch (RuntimeException e) {
            asking.failure = NoKeyException.of(request.endpoint(), e);
            throw asking.failure;
        } finally {
            Shelf before = shelf.get();
            shelf.set(new Shelf(issued == null ? before.issued : issued, null));
            asking.ended.set();
        }
    }

    private boolean isExpired(IssuedCredential known) {
        return known.expiresAt().filter(end -> !end.isAfter(timekeeper.now())).isPresent();
    }

    /** A source that threw, did not answer in time or issued another vendor's key, or a call that came with one. Its own message stays the cause's: it may tell what no log should. */
    static final class NoKeyException extends Exception {
        private static final long serialVersionUID = 1L;

        private final FailureKind kind;

        private NoKeyException(FailureKind kind, String message, @Nullable Throwable cause) {
            super(message, cause);
            this.kind = kind;
        }

        private static NoKeyException of(Endpoint endpoint, RuntimeException cause) {
            String name = cause.getClass().getSimpleName();
            return new NoKeyException(
                    FailureKind.AUTH, "the credential source of endpoint " + endpoint.name() + " threw " + name, cause);
        }

        /** The same for another thread. */
        private NoKeyException again() {
            return new NoKeyException(kind, getMessage(), getCause());
        }

        FailureKind kind() {
            return kind;
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }
}
