package dev.holdfast.transport.internal;

import dev.holdfast.Delivery;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One request and the wait for its headers, by our own clock: the JDK's timeout covers neither names nor bodies. */
final class Exchange {
    /** A connection that is lost sooner than a server could have answered was most likely dead before. */
    private static final long DEAD_BEFORE_NANOS = 100_000_000;

    private final Seat seat;
    private final Deadlines deadlines;
    private final boolean mayBeKept;
    private final boolean blind;
    private final OutgoingBody outgoing;
    private final IncomingBody incoming;
    private final HttpRequest request;
    private final CompletableFuture<Head> head = new CompletableFuture<>();

    Exchange(
            Seat seat,
            TransportCall call,
            Optional<String> proxyAuthorization,
            IncomingBody incoming,
            Deadlines deadlines)
            throws TransportException {
        this.seat = seat;
        this.deadlines = deadlines;
        this.incoming = incoming;
        mayBeKept = seat.generation().mayHaveKeptConnection(Origin.of(call.uri()));
        outgoing = new OutgoingBody(call.body(), seat.multiplexed() ? 2 : 1, seat::connected);
        blind = RequestHead.goesWithoutBody(call);
        request = RequestHead.request(call, seat.multiplexed(), proxyAuthorization, outgoing);
    }

    /** Status and headers. They count as soon as they are there: what becomes of the body must not hide them. */
    @SuppressWarnings("FutureReturnValueIgnored") // what is heard is kept elsewhere
    Head run() throws TransportException, InterruptedException, UnprocessedException {
        CompletableFuture<HttpResponse<InputStream>> response =
                seat.generation().client().sendAsync(request, this::receive);
        response.whenComplete(this::ended);
        try {
            return awaitHead();
        } catch (TimeoutException e) {
            abort(response);
            throw Faults.timeout(isSent() ? Delivery.AMBIGUOUS : Delivery.NEVER_SENT, "no answer in time");
        } catch (InterruptedException e) {
            abort(response);
            throw e;
        } catch (ExecutionException e) {
            throw failed(Objects.requireNonNullElse(e.getCause(), e));
        }
    }

    private BodySubscriber<InputStream> receive(ResponseInfo info) {
        seat.connected();
        Head came = Head.of(info);
        incoming.begin(came, request.method());
        head.complete(came);
        return incoming;
    }

    /** What a proxy answers instead of opening a tunnel comes without a body, and without a word before. */
    private void ended(@Nullable HttpResponse<InputStream> response, @Nullable Throwable failure) {
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

    /** A connection that stands at the last moment stands. */
    private Head awaitHead() throws TimeoutException, ExecutionException, InterruptedException {
        if (!blind) {
            try {
                return head.get(Math.max(0, deadlines.connectLeft()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                if (outgoing.abandon()) {
                    throw e;
                }
            }
        }
        return head.get(Math.max(0, deadlines.firstByteLeft()), TimeUnit.NANOSECONDS);
    }

    private TransportException failed(Throwable cause) throws UnprocessedException {
        boolean local = Faults.isWithoutRoom(cause);
        if (seat.multiplexed() && (local || Faults.isUnprocessed(cause))) {
            throw new UnprocessedException(cause, local);
        }
        incoming.close();
        return Faults.ofSend(cause, lostDelivery(cause), isSent());
    }

    /** Whether anything may have left. Of a request without a body we cannot know, so it may. */
    private boolean isSent() {
        return blind || outgoing.isSent();
    }

    private Delivery lostDelivery(Throwable cause) {
        boolean soon = !blind && System.nanoTime() - outgoing.sentNanos() < DEAD_BEFORE_NANOS;
        return soon && mayBeKept && !Faults.isStreamReset(cause) ? Delivery.PROBABLY_UNSENT : Delivery.AMBIGUOUS;
    }

    private void abort(CompletableFuture<?> response) {
        outgoing.abandon();
        incoming.close();
        response.cancel(true);
    }
}
