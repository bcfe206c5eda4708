package dev.holdfast.transport.internal;

import dev.holdfast.Delivery;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** One request and the wait for its headers, by our own clock: the JDK's timeout covers neither names nor bodies. */
final class Exchange {
    /** A connection that is lost sooner than a server could have answered was most likely dead before. */
    private static final long DEAD_BEFORE_NANOS = 100_000_000;

    private final Seat seat;
    private final Peer peer;
    private final Deadlines deadlines;
    private final Alarms alarms;
    private final boolean mayBeKept;
    private final boolean blind;
    private final OutgoingBody outgoing;
    private final IncomingBody incoming;
    private final HttpRequest request;
    private final CompletableFuture<Head> head = new CompletableFuture<>();
    private volatile @Nullable Head came;

    Exchange(Seat seat, TransportCall call, Proxies.Way way, IncomingBody incoming, Deadlines deadlines, Alarms alarms)
            throws TransportException {
        this.seat = seat;
        Origin origin = Origin.of(call.uri());
        peer = new Peer(origin, way.direct());
        this.deadlines = deadlines;
        this.alarms = alarms;
        this.incoming = incoming;
        mayBeKept = seat.generation().mayHaveKeptConnection(origin);
        outgoing = new OutgoingBody(call.body(), seat.multiplexed() ? 2 : 1, seat::connected);
        blind = RequestHead.goesWithoutBody(call);
        request = RequestHead.request(call, seat.multiplexed(), way.authorization(), outgoing);
    }

    /** Status and headers. They count as soon as they are there: what becomes of the body must not hide them. */
    Head run() throws TransportException, InterruptedException, UnprocessedException {
        return head(start());
    }

    /** The same, begun on this thread, which is for exchanges that have no name to resolve. */
    Head runFromHere(Threads threads) throws TransportException, InterruptedException, UnprocessedException {
        return head(threads.beginHere(this::start));
    }

    private CompletableFuture<HttpResponse<IncomingBody>> start() {
        return seat.generation().client().sendAsync(request, this::receive);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what is heard is kept elsewhere
    private Head head(CompletableFuture<HttpResponse<IncomingBody>> response)
            throws TransportException, InterruptedException, UnprocessedException {
        incoming.endsWith(response);
        response.whenComplete(this::ended);
        try {
            return awaitHead();
        } catch (InterruptedException e) {
            abort(response);
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LateException) {
                abort(response);
                throw Faults.late(peer, isSent());
            }
            throw failed(Objects.requireNonNullElse(e.getCause(), e));
        }
    }

    /** On a connection that others share, the task at hand may go on for as long as they are answered: nobody waits for that. */
    private BodySubscriber<IncomingBody> receive(ResponseInfo info) {
        seat.connected();
        Head first = Head.of(info);
        incoming.begin(first, request.method());
        came = first;
        if (seat.multiplexed()) {
            head.complete(first);
        } else {
            Tasks.last(() -> head.complete(first));
        }
        return incoming;
    }

    /** What a proxy answers instead of opening a tunnel comes without a body, and without a word before. */
    private void ended(@Nullable HttpResponse<?> response, @Nullable Throwable failure) {
        Head known = came;
        if (known != null) {
            head.complete(known);
        }
        if (response != null && head.complete(Head.of(response))) {
            incoming.onComplete();
        } else if (failure != null && !head.completeExceptionally(cause(failure))) {
            incoming.exchangeEnded(cause(failure));
        }
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        return cause == null ? failure : cause;
    }

    private Head awaitHead() throws ExecutionException, InterruptedException {
        if (head.isDone()) {
            return head.get();
        }
        long left = blind ? deadlines.firstByteLeft() : deadlines.connectLeft();
        try (Alarms.Alarm alarm = alarms.in(left, this::late)) {
            return head.get();
        }
    }

    /** How long the head is waited for yet. A connection that stands at the last moment stands. */
    private long late() {
        long left = blind || outgoing.abandon() ? 0 : deadlines.firstByteLeft();
        if (left > 0) {
            return left;
        }
        head.completeExceptionally(new LateException());
        return 0;
    }

    /** The head did not come in time. */
    private static final class LateException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private TransportException failed(Throwable cause) throws UnprocessedException {
        boolean local = Faults.isWithoutRoom(cause);
        if (seat.multiplexed() && (local || Faults.isUnprocessed(cause))) {
            throw new UnprocessedException(cause, local);
        }
        incoming.close();
        TransportException failed = Faults.isUnconnected(cause)
                ? Faults.ofConnect(peer, cause, System.nanoTime() - deadlines.connectStartNanos())
                : Faults.ofSend(peer, cause, lostDelivery(cause), isSent());
        if (failed.fault() == Fault.PROTOCOL || failed.fault() == Fault.TOO_LARGE) {
            seat.generation().leaked();
        }
        return failed;
    }

    /** Whether anything may have left. Of a request without a body we cannot know, so it may. */
    private boolean isSent() {
        return blind || outgoing.isSent();
    }

    private Delivery lostDelivery(Throwable cause) {
        boolean soon = !blind && System.nanoTime() - outgoing.sentNanos() < DEAD_BEFORE_NANOS;
        boolean lost = Faults.isConnectionLost(cause, seat.multiplexed());
        return soon && mayBeKept && lost ? Delivery.PROBABLY_UNSENT : Delivery.AMBIGUOUS;
    }

    /** The body comes last, since it ends the client's future as if all were well, and only one that has not ended can be cancelled. */
    private void abort(CompletableFuture<?> response) {
        outgoing.abandon();
        response.cancel(true);
        incoming.close();
    }
}
