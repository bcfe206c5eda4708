package dev.holdfast.core.internal.call;

import dev.holdfast.AttemptReason;
import dev.holdfast.Credential;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.Headers;
import dev.holdfast.core.internal.call.Outcome.CutShort;
import dev.holdfast.core.internal.call.Outcome.Failed;
import dev.holdfast.core.internal.call.ReplyReader.Asked;
import dev.holdfast.core.internal.failure.FailureClassifier;
import dev.holdfast.core.internal.failure.Quoted;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.Dialect.OutgoingRequest;
import dev.holdfast.spi.Dialect.WireRequest;
import dev.holdfast.spi.DialectException;
import dev.holdfast.spi.Interceptor.AttemptCall;
import dev.holdfast.spi.Interceptor.AttemptChain;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.spi.TransportTimeouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends the attempts of one call: encodes the request once for each target, so that its attempts are the same bytes, and
 * has what comes back understood.
 */
final class AttemptSender {
    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);
    private static final Duration STALL = Duration.ofSeconds(1);
    /** For what is timed elsewhere: the body of a stream. */
    private static final Duration UNTIMED = Duration.ofDays(365);

    private final Call call;
    private final Map<String, Dialect> dialects;
    private final Keys keys;
    private final Classifiers classifiers;
    private final AttemptChain chain;
    private final ReplyReader reader;
    private final Timekeeper time;
    private final IdempotencyKeys idempotencyKeys;
    private final List<Encoded> encoded = new ArrayList<>(1);
    private @Nullable Quoted quoted;

    AttemptSender(Call call, Setup setup, Keys keys, Classifiers classifiers, AttemptChain chain, ReplyReader reader) {
        this.call = call;
        this.dialects = setup.dialects();
        this.keys = keys;
        this.classifiers = classifiers;
        this.chain = chain;
        this.reader = reader;
        this.time = setup.timekeeper();
        this.idempotencyKeys = new IdempotencyKeys(call.options().idempotencyKey(), call.id());
    }

    String idempotencyKey(Candidate candidate) {
        return idempotencyKeys.keyFor(candidate.target());
    }

    Outcome send(Candidate candidate, int number, AttemptReason reason, Duration timeout, boolean keyRefused)
            throws InterruptedException {
        try {
            Encoded ready = encoded(candidate, keyRefused);
            var attempt = new AttemptCall(
                    call,
                    number,
                    reason,
                    candidate.target(),
                    candidate.endpoint(),
                    transportCall(candidate, ready.wire(), number, timeout));
            return exchange(attempt, candidate, ready, timeout);
        } catch (DialectException e) {
            String words =
                    classifiers.knowing(candidate.credential(), this::quoted).clean(String.valueOf(e.getMessage()));
            return unsent(FailureKind.INVALID_REQUEST, FailureScope.REQUEST, words);
        } catch (Keys.NoKeyException e) {
            return unsent(e.kind(), FailureClassifier.scope(e.kind()), e.getMessage());
        }
    }

    private Outcome exchange(AttemptCall attempt, Candidate candidate, Encoded ready, Duration timeout) {
        FailureClassifier judge = classifiers.knowing(ready.key(), this::quoted);
        long sentNanos = time.nanoTime();
        try {
            TransportReply reply = chain.proceed(attempt);
            return reader.read(reply, new Asked(candidate, ready.wire(), judge, sentNanos, timeout));
        } catch (TransportException e) {
            return new Failed(stallOr(judge.fromTransport(e), sentNanos, timeout), Optional.empty());
        } catch (InterruptedException e) {
            return new CutShort(Failure.of(
                    FailureKind.CANCELLED,
                    FailureScope.REQUEST,
                    Delivery.AMBIGUOUS,
                    "the thread was interrupted while the exchange was on its way"));
        }
    }

    /** Made only where a failure asks for it: most calls go well. */
    private Quoted quoted() {
        Quoted known = quoted;
        if (known == null) {
            known = Quoted.of(call.request().document());
            quoted = known;
        }
        return known;
    }

    private static Outcome unsent(FailureKind kind, FailureScope scope, String message) {
        return new Failed(Failure.of(kind, scope, Delivery.NEVER_SENT, message), Optional.empty());
    }

    /** The request as it was sent before, unless the key is another one now. */
    private Encoded encoded(Candidate candidate, boolean keyRefused)
            throws DialectException, Keys.NoKeyException, InterruptedException {
        Encoded known = known(candidate);
        Optional<Credential> refused = keyRefused && known != null ? known.key() : Optional.empty();
        Optional<Credential> key = keys.keyFor(candidate, refused, call.deadlineNanos());
        if (known != null && known.key().equals(key)) {
            return known;
        }
        var request = new OutgoingRequest(call.request(), candidate.upstreamModel(), candidate.endpoint(), key);
        var fresh = new Encoded(candidate, key, dialect(candidate).encodeRequest(request));
        encoded.remove(known);
        encoded.add(fresh);
        return fresh;
    }

    /** There are few: a look at each costs less than a hash of all that a candidate holds. */
    private @Nullable Encoded known(Candidate candidate) {
        for (Encoded each : encoded) {
            if (each.candidate().equals(candidate)) {
                return each;
            }
        }
        return null;
    }

    private record Encoded(Candidate candidate, Optional<Credential> key, WireRequest wire) {}

    /** All attempts carry the id of the call; those after the first also say which one they are, for the server's log. */
    private TransportCall transportCall(Candidate candidate, WireRequest wire, int number, Duration timeout) {
        Headers first =
                wire.headers().with("X-Request-ID", call.id()).with("Idempotency-Key", idempotencyKey(candidate));
        Headers headers = number > 1 ? first.with("X-Attempt", Integer.toString(number)) : first;
        Duration connect = timeout.compareTo(LONGEST_CONNECT) < 0 ? timeout : LONGEST_CONNECT;
        return new TransportCall(
                wire.method(),
                wire.uri(),
                headers,
                wire.body(),
                candidate.endpoint().httpVersion(),
                call.request().streaming()
                        ? new TransportTimeouts(connect, timeout, UNTIMED, UNTIMED)
                        : new TransportTimeouts(connect, timeout, timeout, timeout));
    }

    /** A timer of ours that fires late was held up on this machine: that is not the provider's fault. */
    private Failure stallOr(Failure failure, long sentNanos, Duration timeout) {
        boolean late = failure.kind() == FailureKind.TIMEOUT
                && time.nanoTime() - sentNanos > timeout.plus(STALL).toNanos();
        return late
                ? Failure.of(
                        FailureKind.LOCAL,
                        FailureScope.REQUEST,
                        failure.delivery(),
                        "a timer of this process fired over a second late")
                : failure;
    }

    private Dialect dialect(Candidate candidate) throws DialectException {
        Dialect dialect = dialects.get(candidate.endpoint().dialect());
        if (dialect == null) {
            throw new IllegalStateException("no dialect " + candidate.endpoint().dialect());
        }
        if (call.request().streaming() && dialect.streams().isEmpty()) {
            throw new DialectException("/stream: the dialect " + dialect.name() + " has no streams");
        }
        return dialect;
    }
}
