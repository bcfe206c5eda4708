package dev.holdfast.core.internal.call;

import dev.holdfast.Credential;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.Headers;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.internal.call.Outcome.CutShort;
import dev.holdfast.core.internal.call.Outcome.Failed;
import dev.holdfast.core.internal.call.ReplyReader.Asked;
import dev.holdfast.core.internal.failure.FailureClassifier;
import dev.holdfast.core.internal.failure.Quoted;
import dev.holdfast.core.internal.form.Addressee;
import dev.holdfast.core.internal.form.Translation;
import dev.holdfast.core.internal.form.Translation.Said;
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
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Sends the attempts of one call: encodes the request once for each target, so that its attempts are the same bytes, and
 * has what comes back understood.
 */
final class AttemptSender {
    @SuppressWarnings("rawtypes") // as a class, a list has no elements
    private static final AtomicReferenceFieldUpdater<AttemptSender, List> ENCODED =
            AtomicReferenceFieldUpdater.newUpdater(AttemptSender.class, List.class, "encoded");

    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);
    private static final Duration STALL = Duration.ofSeconds(1);
    /** For what is timed elsewhere: the body of a stream. */
    private static final Duration UNTIMED = Duration.ofDays(365);

    private final Call call;
    private final Parts parts;
    private final ReplyReader reader;
    private final IdempotencyKeys idempotencyKeys;
    private volatile List<Encoded> encoded = List.of();

    /**
     * What the calls of a client share.
     *
     * @param dialects the dialects, by name
     * @param keys the keys of endpoints
     * @param classifiers understand failures
     * @param chain the interceptors, and the transport behind them
     * @param headers the header fields of requests, which are the same for all of one endpoint
     * @param time the time
     */
    record Parts(
            Map<String, Dialect> dialects,
            Keys keys,
            Classifiers classifiers,
            AttemptChain chain,
            Alike<Headers> headers,
            Timekeeper time) {}

    AttemptSender(Call call, Parts parts, ReplyReader reader) {
        this.call = call;
        this.parts = parts;
        this.reader = reader;
        this.idempotencyKeys = new IdempotencyKeys(call.options().idempotencyKey(), call.id());
    }

    String idempotencyKey(Candidate candidate) {
        return idempotencyKeys.keyFor(candidate.target());
    }

    /** Sends one attempt. Those of one call may be on their way at once, each to a candidate of its own. */
    Outcome send(Underway underway, Departure departure) throws InterruptedException {
        Candidate candidate = underway.candidate();
        Duration timeout = underway.bound().timeout();
        try {
            Encoded ready = encoded(candidate, underway.keyRefused());
            var attempt = new AttemptCall(
                    call,
                    underway.number(),
                    underway.send().reason(),
                    candidate.target(),
                    candidate.endpoint(),
                    transportCall(candidate, ready.wire(), underway.number(), timeout));
            if (!departure.mayLeave()) {
                throw new InterruptedException();
            }
            return exchange(attempt, candidate, ready, timeout);
        } catch (DialectException e) {
            String words = parts.classifiers()
                    .knowing(candidate.credential(), () -> quoted(call.request()))
                    .clean(String.valueOf(e.getMessage()));
            return unsent(FailureKind.INVALID_REQUEST, FailureScope.REQUEST, words);
        } catch (Keys.NoKeyException e) {
            return unsent(e.kind(), FailureClassifier.scope(e.kind()), e.getMessage());
        }
    }

    private Outcome exchange(AttemptCall attempt, Candidate candidate, Encoded ready, Duration timeout) {
        FailureClassifier judge = parts.classifiers().knowing(ready.key(), () -> quoted(ready.request()));
        long sentNanos = parts.time().nanoTime();
        try {
            TransportReply reply = parts.chain().proceed(attempt);
            return reader.read(reply, new Asked(candidate, ready.request(), ready.wire(), judge, sentNanos, timeout));
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

    /** Made where a failure asks for it, which costs little beside the asking, and not kept while the call waits. */
    private Quoted quoted(ModelRequest sent) {
        return sent.equals(call.request()) ? Quoted.of(call.request().document()) : Quoted.of(call.request(), sent);
    }

    private static Outcome unsent(FailureKind kind, FailureScope scope, String message) {
        return new Failed(Failure.of(kind, scope, Delivery.NEVER_SENT, message), Optional.empty());
    }

    /** The request as it was sent before, unless the key is another one now. */
    private Encoded encoded(Candidate candidate, boolean keyRefused)
            throws DialectException, Keys.NoKeyException, InterruptedException {
        Encoded known = known(candidate);
        Optional<Credential> refused = keyRefused && known != null ? known.key() : Optional.empty();
        Optional<Credential> key = parts.keys().keyFor(candidate, refused, call.deadlineNanos());
        if (known != null && known.key().equals(key)) {
            return known;
        }
        Dialect dialect = dialect(candidate);
        Spoken spoken = spoken(dialect, candidate);
        RequestFit fit = RequestFit.of(spoken.said().request(), candidate.model());
        var request = new OutgoingRequest(fit.request(), candidate.upstreamModel(), candidate.endpoint(), key);
        WireRequest wire = dialect.encodeRequest(request)
                .withAdjusted(fit.adjusted())
                .withAdjusted(spoken.said().changes());
        wire = new WireRequest(
                wire.method(), wire.uri(), parts.headers().same(wire.headers()), wire.body(), wire.adjusted());
        var fresh = new Encoded(candidate, key, spoken.isAsAsked(call) ? null : spoken, fit.request(), wire);
        replace(known, fresh);
        return fresh;
    }

    /** The request as the target reads it: translated once, however many keys and attempts there are. */
    private Spoken spoken(Dialect dialect, Candidate candidate) throws DialectException {
        Addressee addressee = Addressee.of(
                dialect.form(),
                candidate.endpoint(),
                candidate.upstreamModel(),
                candidate.model().maxOutput());
        for (Encoded each : encoded) {
            Spoken known = each.spoken();
            if (known != null && known.to().equals(addressee)) {
                return known;
            }
        }
        return new Spoken(addressee, Translation.say(call.request(), addressee));
    }

    private void replace(@Nullable Encoded old, Encoded fresh) {
        List<Encoded> all = encoded;
        while (!ENCODED.compareAndSet(this, all, replaced(all, old, fresh))) {
            all = encoded;
        }
    }

    private static List<Encoded> replaced(List<Encoded> all, @Nullable Encoded old, Encoded fresh) {
        if (all.isEmpty()) {
            return List.of(fresh);
        }
        var copy = new ArrayList<>(all);
        copy.remove(old);
        copy.add(fresh);
        return copy;
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

    /** What was sent to a candidate, and how it was said if that was not as the caller said it. */
    private record Encoded(
            Candidate candidate,
            Optional<Credential> key,
            @Nullable Spoken spoken,
            ModelRequest request,
            WireRequest wire) {}

    private record Spoken(Addressee to, Said said) {
        @SuppressWarnings("ReferenceEquality") // whether there was nothing to translate
        boolean isAsAsked(Call call) {
            return said.request() == call.request() && said.changes().isEmpty();
        }
    }

    /** All attempts carry the id of the call; those after the first also say which one they are, for the server's log. */
    private TransportCall transportCall(Candidate candidate, WireRequest wire, int number, Duration timeout) {
        Headers first = wire.headers().withAll("X-Request-ID", call.id(), "Idempotency-Key", idempotencyKey(candidate));
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
                && parts.time().nanoTime() - sentNanos > timeout.plus(STALL).toNanos();
        return late
                ? Failure.of(
                        FailureKind.LOCAL,
                        FailureScope.REQUEST,
                        failure.delivery(),
                        "a timer of this process fired over a second late")
                : failure;
    }

    private Dialect dialect(Candidate candidate) throws DialectException {
        Dialect dialect = parts.dialects().get(candidate.endpoint().dialect());
        if (dialect == null) {
            throw new IllegalStateException("no dialect " + candidate.endpoint().dialect());
        }
        if (call.request().streaming() && dialect.streams().isEmpty()) {
            throw new DialectException("/stream: the dialect " + dialect.name() + " has no streams");
        }
        return dialect;
    }
}
