package dev.holdfast.simulation.internal.provider;

import dev.holdfast.HttpVersion;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.internal.provider.h2.Session;
import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;

/** One connection: requests in, scripted replies out, until one side ends it. */
final class Connection {
    private static final Duration GOODBYE = Duration.ofMillis(200);

    private final Server server;
    private final Socket socket;
    private final int number;
    private final Thread thread;

    Connection(Server server, Socket socket, int number) {
        this.server = server;
        this.socket = socket;
        this.number = number;
        thread = Thread.ofVirtual().name("holdfast-provider-" + number).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    Thread thread() {
        return thread;
    }

    private void run() {
        try (socket) {
            Wire wire = Wire.open(socket, server.tls());
            if (wire.isMultiplexed()) {
                session(wire).run();
            } else {
                exchangeAll(wire);
            }
        } catch (IOException | InterruptedException e) {
            // The client went away, or the provider was closed: either way there is nobody to tell.
            closeQuietly(socket);
        } finally {
            server.ended(this);
        }
    }

    private Session session(Wire wire) throws IOException {
        return new Session(
                number,
                server.maxStreams(),
                server.books(),
                wire.socket().getInputStream(),
                wire.socket().getOutputStream(),
                wire.socket());
    }

    private void exchangeAll(Wire wire) throws IOException, InterruptedException {
        var in = new Incoming(wire.socket());
        while (exchange(wire, in)) {
            in.forgetTime();
        }
    }

    /** Whether the connection goes on. */
    private boolean exchange(Wire wire, Incoming in) throws IOException, InterruptedException {
        try {
            Optional<RequestReader.Read> read =
                    new RequestReader(in, wire.socket().getOutputStream()).read();
            return read.isPresent() && answer(wire, in, read.get());
        } catch (BadRequestException e) {
            Reply refusal = Reply.json(e.status(), OpenAiAnswers.error("invalid_request_error", null, e.reason()));
            new ReplyWriter(in, wire, RequestReader.Read.UNREADABLE).play(refusal);
            sayGoodbye(wire, in);
            return false;
        }
    }

    private boolean answer(Wire wire, Incoming in, RequestReader.Read read) throws IOException, InterruptedException {
        Reply reply = server.books()
                .answer(number, HttpVersion.HTTP_1_1, read.method(), read.path(), read.headers(), read.body());
        boolean goesOn = new ReplyWriter(in, wire, read).play(reply);
        if (reply.ending().isWhole()) {
            server.books().answered();
        }
        if (!goesOn && !socket.isClosed()) {
            sayGoodbye(wire, in);
        }
        return goesOn;
    }

    /** Closing with unread bytes would reset the connection and take our answer with it. */
    private static void sayGoodbye(Wire wire, Incoming in) throws IOException {
        wire.endOutput();
        in.awaitEnd(GOODBYE);
    }

    void close() {
        closeQuietly(socket);
        thread.interrupt();
    }

    static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            // What cannot be closed is closed already.
            return;
        }
    }
}
