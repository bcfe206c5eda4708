package dev.holdfast.simulation.internal.provider.h2;

import dev.holdfast.simulation.internal.provider.Books;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One connection of HTTP/2 (RFC 9113), the server's side: one thread reads frames, one for each stream plays its reply. What the
 * client may not do ends the connection with GOAWAY.
 */
public final class Session {
    private static final Duration GRACE = Duration.ofMillis(500);
    private static final int BODY_MAX = 64 << 20;
    private static final int HEAD_MAX = 64 << 10;
    private static final int SETTINGS_INITIAL_WINDOW_SIZE = 4;

    private final int connection;
    private final int maxStreams;
    private final Books books;
    private final Closeable line;
    private final FrameInput in;
    private final FrameOutput out;
    private final SendWindow window = new SendWindow();
    private final HeaderDecoder headers = new HeaderDecoder();
    private final Map<Integer, StreamedExchange> streams = new ConcurrentHashMap<>();
    private final ReentrantLock taking = new ReentrantLock();
    private final CountDownLatch ended = new CountDownLatch(1);
    private int lastTaken = Integer.MAX_VALUE;
    private int highest;

    /**
     * @param connection its number
     * @param maxStreams how many streams the client is allowed at once
     * @param books where requests are numbered and answered
     * @param in what the client says
     * @param out what the client hears
     * @param line ends the connection
     */
    public Session(int connection, int maxStreams, Books books, InputStream in, OutputStream out, Closeable line) {
        this.connection = connection;
        this.maxStreams = maxStreams;
        this.books = books;
        this.line = line;
        this.in = new FrameInput(in);
        this.out = new FrameOutput(out);
    }

    /** Goes on until the client closes the connection, breaks the rules, or a reply ends it. */
    public void run() throws IOException, InterruptedException {
        try {
            in.readPreface();
            out.settings(maxStreams);
            for (Optional<Frame> frame = in.read(); frame.isPresent(); frame = in.read()) {
                take(frame.get());
            }
        } catch (ProtocolErrorException e) {
            out.goAway(highest, e.code());
        } finally {
            ended.countDown();
            endStreams();
        }
    }

    private void endStreams() throws InterruptedException {
        List<StreamedExchange> left = List.copyOf(streams.values());
        left.forEach(StreamedExchange::abort);
        for (StreamedExchange stream : left) {
            stream.join();
        }
    }

    private void take(Frame frame) throws IOException, ProtocolErrorException {
        switch (frame.type()) {
            case Frame.DATA -> takeData(frame);
            case Frame.HEADERS -> takeHeaders(frame);
            case Frame.RST_STREAM -> takeReset(frame);
            case Frame.SETTINGS -> takeSettings(frame);
            case Frame.PING -> {
                if (!frame.has(Frame.ACK)) {
                    out.acknowledgePing(frame.payload());
                }
            }
            case Frame.WINDOW_UPDATE -> window.add(frame.stream(), frame.intAt(0));
            case Frame.PUSH_PROMISE, Frame.CONTINUATION -> throw new ProtocolErrorException(Frame.PROTOCOL_ERROR);
            default -> {}
        }
    }

    private void takeData(Frame frame) throws IOException, ProtocolErrorException {
        if (frame.stream() == 0 || frame.stream() > highest) {
            throw new ProtocolErrorException(Frame.PROTOCOL_ERROR);
        }
        if (frame.payload().length > 0) {
            out.windowUpdate(0, frame.payload().length);
        }
        StreamedExchange stream = streams.get(frame.stream());
        if (stream == null || !stream.isOpen()) {
            return;
        }
        if (stream.receive(frame.content()) > BODY_MAX) {
            throw new ProtocolErrorException(Frame.FLOW_CONTROL_ERROR);
        }
        if (frame.has(Frame.END_STREAM)) {
            stream.start();
        } else if (frame.payload().length > 0) {
            out.windowUpdate(frame.stream(), frame.payload().length);
        }
    }

    private void takeHeaders(Frame frame) throws IOException, ProtocolErrorException {
        List<Map.Entry<String, String>> fields = headers.decode(block(frame));
        int id = frame.stream();
        StreamedExchange known = streams.get(id);
        if (known == null && (id % 2 == 0 || id <= highest)) {
            throw new ProtocolErrorException(Frame.PROTOCOL_ERROR);
        }
        StreamedExchange stream = known == null ? open(id, fields) : known;
        if (stream != null && frame.has(Frame.END_STREAM) && stream.isOpen()) {
            stream.start();
        }
    }

    /** Null for a stream that is one too many, or behind the last that is taken. */
    private @Nullable StreamedExchange open(int id, List<Map.Entry<String, String>> fields) throws IOException {
        taking.lock();
        try {
            highest = id;
            if (id > lastTaken) {
                return null;
            }
            if (streams.size() >= maxStreams) {
                books.streamRefused();
                out.reset(id, Frame.REFUSED_STREAM);
                return null;
            }
            window.open(id);
            var stream = new StreamedExchange(id, this, connection, books, fields);
            streams.put(id, stream);
            return stream;
        } finally {
            taking.unlock();
        }
    }

    /** A block may be spread over frames, which then follow each other with nothing between. */
    private byte[] block(Frame first) throws IOException, ProtocolErrorException {
        var block = new ByteArrayOutputStream();
        block.writeBytes(first.content());
        for (Frame frame = first; !frame.has(Frame.END_HEADERS); ) {
            frame = in.read().orElseThrow(() -> new ProtocolErrorException(Frame.PROTOCOL_ERROR));
            if (frame.type() != Frame.CONTINUATION || frame.stream() != first.stream() || block.size() > HEAD_MAX) {
                throw new ProtocolErrorException(Frame.PROTOCOL_ERROR);
            }
            block.writeBytes(frame.payload());
        }
        return block.toByteArray();
    }

    private void takeReset(Frame frame) {
        StreamedExchange stream = streams.get(frame.stream());
        if (stream != null) {
            books.streamReset();
            stream.abort();
        }
    }

    private void takeSettings(Frame frame) throws IOException, ProtocolErrorException {
        if (frame.has(Frame.ACK)) {
            return;
        }
        for (int at = 0; at + 6 <= frame.payload().length; at += 6) {
            int setting = ((frame.payload()[at] & 0xff) << 8) | (frame.payload()[at + 1] & 0xff);
            if (setting == SETTINGS_INITIAL_WINDOW_SIZE) {
                window.initial(frame.intAt(at + 2));
            }
        }
        out.acknowledgeSettings();
    }

    FrameOutput out() {
        return out;
    }

    SendWindow window() {
        return window;
    }

    /** The request is not taken, and no further one. */
    void refuseAndGoAway(int id) throws IOException {
        taking.lock();
        try {
            if (highest > id) {
                out.reset(id, Frame.REFUSED_STREAM);
            }
            sayLast(highest > id ? highest : id - 2);
        } finally {
            taking.unlock();
        }
    }

    /** What is under way is the last to be taken; the connection ends when it is over. */
    void goAway() throws IOException {
        taking.lock();
        try {
            sayLast(highest);
        } finally {
            taking.unlock();
        }
    }

    private void sayLast(int id) throws IOException {
        lastTaken = Math.max(0, Math.min(lastTaken, id));
        out.goAway(lastTaken, Frame.NO_ERROR);
    }

    void endLine() throws IOException {
        line.close();
    }

    /** Gives the client time to read that it is to go, and why. */
    private void endSoon() {
        try {
            if (!ended.await(GRACE.toNanos(), TimeUnit.NANOSECONDS)) {
                endLine();
            }
        } catch (IOException | InterruptedException e) {
            // It has ended without us.
            return;
        }
    }

    void over(StreamedExchange stream) {
        streams.remove(stream.id());
        window.close(stream.id());
        taking.lock();
        try {
            if (streams.isEmpty() && lastTaken != Integer.MAX_VALUE) {
                Thread.ofVirtual()
                        .name("holdfast-provider-" + connection + "-end")
                        .start(this::endSoon);
            }
        } finally {
            taking.unlock();
        }
    }
}
