package dev.holdfast.simulation.internal.provider;

import dev.holdfast.simulation.Reply;
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
    private final Incoming in;

    Connection(Server server, Socket socket, int number) throws IOException {
        this.server = server;
        this.socket = socket;
        this.number = number;
        socket.setTcpNoDelay(true);
        in = new Incoming(socket);
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
            while (exchange()) {
                in.forgetTime();
            }
        } catch (IOException | InterruptedException e) {
            // The client went away, or the provider was closed: either way there is nobody to tell.
            closeQuietly(socket);
        } finally {
            server.ended(this);
        }
    }

    /** Whether the connection goes on. */
    private boolean exchange() throws IOException, InterruptedException {
        var out = socket.getOutputStream();
        try {
            Optional<RequestReader.Read> read = new RequestReader(in, out).read();
            return read.isPresent() && answer(read.get());
        } catch (BadRequestException e) {
            Reply refusal = Reply.json(e.status(), OpenAiAnswers.error("invalid_request_error", null, e.reason()));
            new ReplyWriter(in, socket, RequestReader.Read.UNREADABLE).play(refusal);
            sayGoodbye();
            return false;
        }
    }

    private boolean answer(RequestReader.Read read) throws IOException, InterruptedException {
        Reply reply = server.answer(number, read.method(), read.path(), read.headers(), read.body());
        boolean goesOn = new ReplyWriter(in, socket, read).play(reply);
        if (!goesOn && !socket.isClosed()) {
            sayGoodbye();
        }
        return goesOn;
    }

    /** Closing with unread bytes would reset the connection and take our answer with it. */
    private void sayGoodbye() throws IOException {
        socket.shutdownOutput();
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
