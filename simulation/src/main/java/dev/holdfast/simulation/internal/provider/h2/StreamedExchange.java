package dev.holdfast.simulation.internal.provider.h2;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.HttpVersion;
import dev.holdfast.simulation.Ending;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Chunk;
import dev.holdfast.simulation.Reply.Framing;
import dev.holdfast.simulation.internal.provider.Books;
import dev.holdfast.simulation.internal.provider.Durations;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One request on a stream, and the thread that plays its reply in the order that {@link Reply} describes. */
final class StreamedExchange {
    private static final int LARGEST_FRAME = 1 << 14;
    /** What belongs to a connection of HTTP/1.1 must not stand in HTTP/2 (RFC 9113, section 8.2.2). */
    private static final Set<String> OF_CONNECTIONS =
            Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade");

    private final int id;
    private final Session session;
    private final int connection;
    private final Books books;
    private final List<Map.Entry<String, String>> fields;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final CountDownLatch aborted = new CountDownLatch(1);
    private final Thread thread;
    private boolean started;

    StreamedExchange(int id, Session session, int connection, Books books, List<Map.Entry<String, String>> fields) {
        this.id = id;
        this.session = session;
        this.connection = connection;
        this.books = books;
        this.fields = fields;
        this.thread = Thread.ofVirtual()
                .name("holdfast-provider-" + connection + "-" + id)
                .unstarted(this::run);
    }

    int id() {
        return id;
    }

    /** Whether the client may still add to the request. */
    boolean isOpen() {
        return !started;
    }

    /** Adds to the body; how large it is then. */
    int receive(byte[] content) {
        body.writeBytes(content);
        return body.size();
    }

    void start() {
        started = true;
        thread.start();
    }

    /**
     * The client gave up, or the connection did. No interrupt: it would close the socket under the other streams. A stream whose
     * request never ended has no thread to end it.
     */
    void abort() {
        aborted.countDown();
        session.window().close(id);
        if (!started) {
            started = true;
            session.over(this);
        }
    }

    void join() throws InterruptedException {
        if (thread.getState() != Thread.State.NEW) {
            thread.join();
        }
    }

    private void run() {
        try {
            play(books.answer(connection, HttpVersion.HTTP_2, pseudo(":method"), pseudo(":path"), headers(), body()));
        } catch (IOException | InterruptedException e) {
            // The client went away or gave up: either way there is nobody to tell.
            return;
        } finally {
            session.over(this);
        }
    }

    private String pseudo(String name) {
        return fields.stream()
                .filter(field -> field.getKey().equals(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    /** As they would stand in HTTP/1.1, with a Host. */
    private Headers headers() {
        Headers plain = Headers.of(
                fields.stream().filter(field -> !field.getKey().startsWith(":")).toList());
        String authority = pseudo(":authority");
        return authority.isEmpty() ? plain : plain.with("host", authority);
    }

    private Bytes body() {
        return Bytes.of(body.toByteArray());
    }

    private void play(Reply reply) throws IOException, InterruptedException {
        pause(reply.delay());
        boolean bodiless = pseudo(":method").equals("HEAD") || reply.status() == 204 || reply.status() == 304;
        if (!reply.ending().beforeHead()) {
            if (reply.framing() == Framing.RAW) {
                session.out().raw(reply.body().toByteArray());
            } else {
                sendHead(reply, bodiless && reply.ending().isWhole());
            }
            if (!bodiless && reply.framing() != Framing.RAW) {
                sendBody(reply);
            }
        }
        end(reply, bodiless);
    }

    private void sendHead(Reply reply, boolean last) throws IOException {
        for (Reply.Interim interim : reply.interim()) {
            session.out().head(id, interim.status(), interim.headers(), false);
        }
        Instant now = Instant.now();
        Headers said = Headers.of(reply.headersAt(now).fields().stream()
                .filter(field -> !OF_CONNECTIONS.contains(field.getKey().toLowerCase(Locale.ROOT)))
                .toList());
        if (said.first("date").isEmpty()) {
            said = said.with("date", Durations.httpDate(now.truncatedTo(ChronoUnit.SECONDS)));
        }
        if (reply.framing() == Framing.CONTENT_LENGTH
                && said.first("content-length").isEmpty()
                && reply.status() != 204) {
            said = said.with("content-length", Integer.toString(reply.body().size()));
        }
        session.out().head(id, reply.status(), said, last);
    }

    private void sendBody(Reply reply) throws IOException, InterruptedException {
        int sent = 0;
        boolean said = reply.ending().kind() != Ending.Kind.GO_AWAY;
        for (Chunk chunk : reply.played()) {
            pause(chunk.pause());
            said = said || goAwayAt(reply, sent);
            send(chunk.bytes().toByteArray());
            sent += chunk.bytes().size();
        }
    }

    /** Whether the byte is reached at which the connection is given up. */
    private boolean goAwayAt(Reply reply, int sent) throws IOException {
        boolean reached = sent >= reply.ending().afterBytes();
        if (reached) {
            session.goAway();
        }
        return reached;
    }

    private void send(byte[] content) throws IOException, InterruptedException {
        for (int from = 0; from < content.length; ) {
            int size = session.window().take(id, Math.min(LARGEST_FRAME, content.length - from));
            session.out().data(id, Arrays.copyOfRange(content, from, from + size), false);
            from += size;
        }
    }

    private void pause(Duration pause) throws IOException, InterruptedException {
        if (pause.isPositive() && aborted.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new EOFException("the client gave up");
        }
    }

    private void end(Reply reply, boolean bodiless) throws IOException, InterruptedException {
        switch (reply.ending().kind()) {
            case COMPLETE -> complete(reply, bodiless);
            case GO_AWAY -> {
                if (reply.ending().isRefusal()) {
                    session.refuseAndGoAway(id);
                } else {
                    session.goAway();
                    complete(reply, bodiless);
                }
            }
            case HANG -> aborted.await();
            case RESET -> session.out().reset(id, Frame.INTERNAL_ERROR);
            case REFUSED -> session.out().reset(id, Frame.REFUSED_STREAM);
            case CUT -> session.endLine();
        }
    }

    private void complete(Reply reply, boolean bodiless) throws IOException {
        if (!bodiless && reply.framing() != Framing.RAW) {
            session.out().data(id, new byte[0], true);
        }
        books.answered();
    }
}
