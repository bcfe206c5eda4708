package dev.holdfast.core.internal.sse;

import dev.holdfast.spi.ServerSentEvent;
import dev.holdfast.spi.TransportException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns bytes into the events of an event stream, as WHATWG HTML (section 9.2.6) has it: lines end with LF, CR or CRLF, the
 * bytes may be cut anywhere, a byte order mark counts only at the start, and what is no UTF-8 becomes U+FFFD. An event is
 * handed over with the line end of its blank line; it waits for no byte after that.
 *
 * <p>A line, and the data of an event, may be no longer than the decoder was told; beyond that it fails. Used by one thread.
 */
public final class SseDecoder {
    /** Eight mebibytes: more than an image within an event takes. */
    public static final int LONGEST = 8 * 1024 * 1024;

    private final int longest;
    /** The beginning of a line whose end has not come. */
    private final GrowingBytes line;
    /** Data lines, joined, once there is more than one. */
    private final GrowingBytes data;
    /** The data while it is a single line. */
    private @Nullable String onlyLine;

    private boolean hasData;
    private boolean atStart = true;
    private boolean afterCr;
    private String type = "";
    private String lastType = "";
    private String id = "";
    private long retryMillis = -1;

    /** A decoder for lines and events of up to {@link #LONGEST} bytes. */
    public SseDecoder() {
        this(LONGEST);
    }

    /**
     * Creates a decoder.
     *
     * @param longest the most bytes of a line, and of the data of an event
     */
    public SseDecoder(int longest) {
        this.longest = longest;
        this.line = new GrowingBytes("a line", longest);
        this.data = new GrowingBytes("the data of an event", longest);
    }

    /**
     * Decodes more bytes.
     *
     * @param bytes holds them
     * @param from where they begin
     * @param length how many they are
     * @param sink takes the events that they complete, in order
     * @throws TransportException if a line or an event is too long; the decoder is of no use then
     */
    public void decode(byte[] bytes, int from, int length, Consumer<? super ServerSentEvent> sink)
            throws TransportException {
        int limit = from + length;
        int at = from;
        while (at < limit) {
            if (afterCr) {
                afterCr = false;
                if (bytes[at] == '\n') {
                    at++;
                    continue;
                }
            }
            int end = LineEnds.next(bytes, at, limit);
            if (end == limit) {
                line.add(bytes, at, limit);
                return;
            }
            afterCr = bytes[end] == '\r';
            endLine(bytes, at, end, sink);
            at = end + 1;
        }
    }

    /**
     * The event that the end of the stream left without its blank line. The rules drop it; a sender that stops right after
     * its last event meant it all the same.
     *
     * @return the event, if it has data
     * @throws TransportException if its last line is too long
     */
    public Optional<ServerSentEvent> unterminated() throws TransportException {
        if (line.length() > 0) {
            takeLine(line.array(), 0, line.length());
            line.clear();
        }
        return hasData ? Optional.of(takeEvent()) : Optional.empty();
    }

    /** How long the server wants a client to wait before it connects anew, in milliseconds, if it said so. */
    public OptionalLong retryMillis() {
        return retryMillis < 0 ? OptionalLong.empty() : OptionalLong.of(retryMillis);
    }

    private void endLine(byte[] bytes, int from, int to, Consumer<? super ServerSentEvent> sink)
            throws TransportException {
        boolean isWhole = line.length() == 0;
        if (isWhole) {
            if (to - from > longest) {
                throw GrowingBytes.tooLarge("a line", longest);
            }
            takeLine(bytes, from, to, sink);
        } else {
            line.add(bytes, from, to);
            takeLine(line.array(), 0, line.length(), sink);
            line.clear();
        }
    }

    private void takeLine(byte[] bytes, int from, int to, Consumer<? super ServerSentEvent> sink)
            throws TransportException {
        if (takeLine(bytes, from, to)) {
            if (hasData) {
                sink.accept(takeEvent());
            } else {
                type = "";
            }
        }
    }

    /** Reads one line; says whether it was blank. */
    private boolean takeLine(byte[] bytes, int from, int to) throws TransportException {
        int start = from;
        if (atStart) {
            atStart = false;
            start = afterByteOrderMark(bytes, from, to);
        }
        if (start == to) {
            return true;
        }
        switch (bytes[start]) {
            case 'd' -> {
                if (isField("data", bytes, start, to)) {
                    addData(bytes, valueStart(bytes, start + 4, to), to);
                }
            }
            case 'e' -> {
                if (isField("event", bytes, start, to)) {
                    type = typeOf(bytes, valueStart(bytes, start + 5, to), to);
                }
            }
            case 'i' -> {
                if (isField("id", bytes, start, to)) {
                    takeId(bytes, valueStart(bytes, start + 2, to), to);
                }
            }
            case 'r' -> {
                if (isField("retry", bytes, start, to)) {
                    takeRetry(bytes, valueStart(bytes, start + 5, to), to);
                }
            }
            default -> {
                // a comment, or a field that the rules do not know
            }
        }
        return false;
    }

    private static int afterByteOrderMark(byte[] bytes, int from, int to) {
        boolean marked = to - from >= 3
                && bytes[from] == (byte) 0xEF
                && bytes[from + 1] == (byte) 0xBB
                && bytes[from + 2] == (byte) 0xBF;
        return marked ? from + 3 : from;
    }

    private static boolean isField(String name, byte[] bytes, int from, int to) {
        int end = from + name.length();
        return end <= to && (end == to || bytes[end] == ':') && matches(name, bytes, from);
    }

    /** Whether the bytes there are these characters, which are ASCII. */
    private static boolean matches(String text, byte[] bytes, int from) {
        for (int i = 0; i < text.length(); i++) {
            if (bytes[from + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Where the value begins of a field whose name ends there: behind the colon and one space. */
    private static int valueStart(byte[] bytes, int nameEnd, int to) {
        int start = Math.min(nameEnd + 1, to);
        return start < to && bytes[start] == ' ' ? start + 1 : start;
    }

    private void addData(byte[] bytes, int from, int to) throws TransportException {
        if (!hasData) {
            hasData = true;
            onlyLine = EncodedText.decode(bytes, from, to);
            return;
        }
        String first = onlyLine;
        if (first != null) {
            byte[] encoded = first.getBytes(StandardCharsets.UTF_8);
            data.add(encoded, 0, encoded.length);
            onlyLine = null;
        }
        data.add(LINE_FEED, 0, 1);
        data.add(bytes, from, to);
    }

    private static final byte[] LINE_FEED = {'\n'};

    private ServerSentEvent takeEvent() {
        String only = onlyLine;
        var event = new ServerSentEvent(type, only != null ? only : data.toUtf8(), id);
        hasData = false;
        onlyLine = null;
        data.clear();
        type = "";
        return event;
    }

    /** Streams name few types and each of them often. */
    private String typeOf(byte[] bytes, int from, int to) {
        if (lastType.length() != to - from || !matches(lastType, bytes, from)) {
            lastType = EncodedText.decode(bytes, from, to);
        }
        return lastType;
    }

    private void takeId(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == 0) {
                return;
            }
        }
        id = EncodedText.decode(bytes, from, to);
    }

    private void takeRetry(byte[] bytes, int from, int to) {
        long millis = 0;
        for (int i = from; i < to; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return;
            }
            millis = millis > (Long.MAX_VALUE - 9) / 10 ? Long.MAX_VALUE : millis * 10 + digit;
        }
        if (from < to) {
            retryMillis = millis;
        }
    }
}
