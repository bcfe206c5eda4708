package dev.holdfast.simulation.internal.transport;

import dev.holdfast.Delivery;
import dev.holdfast.Headers;
import dev.holdfast.simulation.Ending;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Framing;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.spi.TransportTimeouts;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One request on its way: plays a reply step by step, as far as the timeouts of the call let it. */
public final class Exchange implements TransportReply {
    private static final long FOREVER = Long.MAX_VALUE;

    private final Timekeeper time;
    private final Reply reply;
    private final TransportTimeouts timeouts;
    private final Set<Exchange> open;
    private final long startNanos;
    private final Timekeeper.Signal closed;
    private @Nullable Headers headers;
    private @Nullable InputStream body;
    private boolean gzipped;

    public Exchange(Timekeeper time, Reply reply, TransportTimeouts timeouts, Set<Exchange> open) {
        this.time = time;
        this.reply = reply;
        this.timeouts = timeouts;
        this.open = open;
        this.startNanos = time.nanoTime();
        this.closed = time.newSignal();
        open.add(this);
    }

    /** Waits for status and headers. */
    public void awaitHead() throws TransportException, InterruptedException {
        long limit = Math.min(nanos(timeouts.firstByte()), nanos(timeouts.total()));
        boolean answered = false;
        try {
            boolean silent = reply.ending().beforeHead() && reply.ending().kind() == Ending.Kind.HANG;
            pause(silent ? FOREVER : nanos(reply.delay()), limit);
            if (reply.ending().beforeHead()) {
                Delivery delivery = reply.ending().isRefusal() ? Delivery.PROBABLY_UNSENT : Delivery.AMBIGUOUS;
                throw new TransportException(Fault.RESET, delivery, "the connection was lost before an answer", null);
            }
            if (reply.framing() == Framing.RAW) {
                throw new TransportException(Fault.PROTOCOL, Delivery.AMBIGUOUS, "the answer is not HTTP", null);
            }
            headers = decoded(reply.headersAt(time.now()));
            answered = true;
        } finally {
            if (!answered) {
                close();
            }
        }
    }

    @Override
    public int status() {
        return reply.status();
    }

    @Override
    @SuppressWarnings("NullAway") // nobody has the exchange before its head is there
    public Headers headers() {
        return headers;
    }

    @Override
    public InputStream body() {
        InputStream mine = body;
        if (mine == null) {
            mine = new PlayedBody(this, reply);
            if (gzipped) {
                mine = new GunzippedBody(mine);
            }
            body = mine;
        }
        return mine;
    }

    @Override
    public void close() {
        open.remove(this);
        closed.set();
    }

    /** Waits within a read of the body; an interrupt ends the exchange and leaves the flag set. */
    void pauseInBody(long nanos) throws IOException {
        long sinceStart = time.nanoTime() - startNanos;
        long limit = Math.min(nanos(timeouts.idle()), nanos(timeouts.total()) - sinceStart);
        try {
            pause(nanos, limit);
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while reading the body").initCause(e);
        }
    }

    /** Without the headers that speak of the coding which is undone. */
    private Headers decoded(Headers sent) {
        gzipped =
                sent.first("Content-Encoding").filter("gzip"::equalsIgnoreCase).isPresent();
        if (!gzipped) {
            return sent;
        }
        return Headers.of(sent.fields().stream()
                .filter(field -> !field.getKey().equalsIgnoreCase("Content-Encoding"))
                .filter(field -> !field.getKey().equalsIgnoreCase("Content-Length"))
                .toList());
    }

    private void pause(long nanos, long limit) throws TransportException, InterruptedException {
        boolean late = nanos > limit;
        long wait = late ? limit : nanos;
        if (wait > 0 ? closed.await(time.nanoTime() + wait) : closed.isSet()) {
            throw new TransportException(Fault.CLOSED, Delivery.AMBIGUOUS, "the exchange was closed", null);
        }
        if (late) {
            close();
            throw new TransportException(Fault.TIMEOUT, Delivery.AMBIGUOUS, "no answer in time", null);
        }
    }

    static long nanos(Duration duration) {
        return duration.compareTo(Duration.ofNanos(FOREVER)) >= 0 ? FOREVER : duration.toNanos();
    }
}
