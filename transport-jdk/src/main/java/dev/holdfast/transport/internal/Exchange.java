package dev.holdfast.transport.internal;

import dev.holdfast.Delivery;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One request and the wait for its headers, by our own clock: the JDK's timeout covers neither names nor bodies. */
final class Exchange {
    /** A connection that is lost sooner than a server could have answered was most likely dead before. */
    private static final long DEAD_BEFORE_NANOS = 100_000_000;

    private final HttpClient client;
    private final Deadlines deadlines;
    private final boolean mayBeKept;
    private final OutgoingBody outgoing;
    private final IncomingBody incoming;
    private final HttpRequest request;
    private final boolean bodiless;
    private final CompletableFuture<ResponseInfo> head = new CompletableFuture<>();

    Exchange(HttpClient client, TransportCall call, IncomingBody incoming, Deadlines deadlines, boolean mayBeKept)
            throws TransportException {
        this.client = client;
        this.deadlines = deadlines;
        this.mayBeKept = mayBeKept;
        bodiless = call.body().size() == 0;
        outgoing = new OutgoingBody(call.body());
        this.incoming = incoming;
        request = RequestHead.request(call, outgoing);
    }

    /** Status and headers. They count as soon as they are there: what becomes of the body must not hide them. */
    ResponseInfo run() throws TransportException, InterruptedException {
        CompletableFuture<HttpResponse<InputStream>> response = client.sendAsync(request, this::receive);
        CompletableFuture<?> ended = response.whenComplete((value, failure) -> incoming.exchangeEnded(failure));
        try {
            awaitConnection(ended);
            await(deadlines.firstByteLeft(), head, ended);
            return head.get();
        } catch (TimeoutException e) {
            abort(response);
            throw Faults.timeout(isSent() ? Delivery.AMBIGUOUS : Delivery.NEVER_SENT, "no answer in time");
        } catch (InterruptedException e) {
            abort(response);
            throw e;
        } catch (ExecutionException e) {
            incoming.close();
            throw Faults.ofSend(Objects.requireNonNullElse(e.getCause(), e), lostDelivery(), isSent());
        }
    }

    private BodySubscriber<InputStream> receive(ResponseInfo info) {
        head.complete(info);
        return incoming;
    }

    /** A connection that stands at the last moment stands. */
    private void awaitConnection(CompletableFuture<?> ended)
            throws TimeoutException, ExecutionException, InterruptedException {
        if (bodiless) {
            return;
        }
        try {
            await(deadlines.connectLeft(), outgoing.connected(), ended);
        } catch (TimeoutException e) {
            if (outgoing.abandon()) {
                throw e;
            }
        }
    }

    private static void await(long nanos, CompletableFuture<?> wanted, CompletableFuture<?> ended)
            throws TimeoutException, ExecutionException, InterruptedException {
        CompletableFuture.anyOf(wanted, ended).get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }

    /** Whether anything may have left. Of a request without a body we cannot know, so it may. */
    private boolean isSent() {
        return bodiless || outgoing.isSent();
    }

    private Delivery lostDelivery() {
        boolean soon = !bodiless && System.nanoTime() - outgoing.sentNanos() < DEAD_BEFORE_NANOS;
        return soon && mayBeKept ? Delivery.PROBABLY_UNSENT : Delivery.AMBIGUOUS;
    }

    private void abort(CompletableFuture<?> response) {
        outgoing.abandon();
        incoming.close();
        response.cancel(true);
    }
}
