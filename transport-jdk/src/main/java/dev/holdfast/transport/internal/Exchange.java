package dev.holdfast.transport.internal;

import dev.holdfast.Delivery;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
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

    Exchange(HttpClient client, TransportCall call, Deadlines deadlines, boolean mayBeKept) throws TransportException {
        this.client = client;
        this.deadlines = deadlines;
        this.mayBeKept = mayBeKept;
        bodiless = call.body().size() == 0;
        outgoing = new OutgoingBody(call.body());
        incoming = new IncomingBody(deadlines);
        request = RequestHead.request(call, bodiless ? BodyPublishers.noBody() : outgoing);
    }

    IncomingBody incoming() {
        return incoming;
    }

    HttpResponse<InputStream> run() throws TransportException, InterruptedException {
        CompletableFuture<HttpResponse<InputStream>> response = client.sendAsync(request, head -> incoming);
        try {
            if (!bodiless) {
                awaitConnection(response);
            }
            return response.get(Math.max(0, deadlines.firstByteLeft()), TimeUnit.NANOSECONDS);
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

    private void awaitConnection(CompletableFuture<?> response)
            throws TimeoutException, ExecutionException, InterruptedException {
        try {
            CompletableFuture.anyOf(outgoing.connected(), response)
                    .get(Math.max(0, deadlines.connectLeft()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            if (outgoing.abandon()) {
                throw e;
            }
        }
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
