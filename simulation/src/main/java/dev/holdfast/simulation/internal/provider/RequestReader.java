package dev.holdfast.simulation.internal.provider;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one HTTP/1.1 request strictly: what two readers could understand in two ways is refused. */
final class RequestReader {
    private static final int HEAD_MAX = 64 << 10;
    private static final int BODY_MAX = 64 << 20;
    private static final int EMPTY_LINES_MAX = 4;
    private static final Pattern REQUEST_LINE =
            Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([\\x21-\\x7e]+) HTTP/([0-9])\\.([0-9])");
    private static final Pattern FIELD = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*(.*?)[ \\t]*");
    private static final Pattern CHUNK_SIZE = Pattern.compile("([0-9a-fA-F]{1,8})[ \\t]*(;.*)?");
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,10}");
    private static final Pattern ABSOLUTE = Pattern.compile("https?://[^/?]*", Pattern.CASE_INSENSITIVE);

    private final Incoming in;
    private final OutputStream out;
    private int headBytes;

    /** A request, and whether the client keeps the connection for another. */
    record Read(String method, String path, Headers headers, Bytes body, boolean keepsConnection) {
        static final Read UNREADABLE = new Read("", "", Headers.empty(), Bytes.empty(), false);
    }

    RequestReader(Incoming in, OutputStream out) {
        this.in = in;
        this.out = out;
    }

    /** The next request; empty if the client closed before one began. */
    Optional<Read> read() throws IOException, BadRequestException {
        Optional<String> first = firstLine();
        if (first.isEmpty()) {
            return Optional.empty();
        }
        Matcher line = REQUEST_LINE.matcher(first.get());
        if (!line.matches()) {
            throw new BadRequestException(400, "This is no HTTP request.");
        }
        if (!line.group(3).equals("1")) {
            throw new BadRequestException(505, "Only HTTP/1.1 is spoken here.");
        }
        boolean old = line.group(4).equals("0");
        Headers headers = headers();
        if (!old && headers.all("Host").size() != 1) {
            throw new BadRequestException(400, "There must be one Host header.");
        }
        Bytes body = body(headers);
        return Optional.of(
                new Read(line.group(1), originForm(line.group(2)), headers, body, keepsConnection(headers, old)));
    }

    private static boolean keepsConnection(Headers headers, boolean old) {
        String connection = headers.first("Connection").orElse(old ? "close" : "keep-alive");
        return !connection.equalsIgnoreCase("close");
    }

    private static String originForm(String target) {
        String path = ABSOLUTE.matcher(target).replaceFirst("");
        return path.isEmpty() ? "/" : path;
    }

    private Optional<String> firstLine() throws IOException, BadRequestException {
        for (int i = 0; i < EMPTY_LINES_MAX; i++) {
            Optional<String> line = line();
            if (line.isEmpty() || !line.get().isEmpty()) {
                return line;
            }
        }
        throw new BadRequestException(400, "Too many empty lines.");
    }

    private Headers headers() throws IOException, BadRequestException {
        List<Map.Entry<String, String>> fields = new ArrayList<>();
        for (String line = wholeLine(); !line.isEmpty(); line = wholeLine()) {
            Matcher field = FIELD.matcher(line);
            if (!field.matches()) {
                throw new BadRequestException(400, "A header is malformed.");
            }
            fields.add(new SimpleImmutableEntry<>(field.group(1), field.group(2)));
        }
        return Headers.of(fields);
    }

    private Bytes body(Headers headers) throws IOException, BadRequestException {
        List<String> codings = headers.all("Transfer-Encoding");
        List<String> lengths = headers.all("Content-Length");
        if (codings.size() + lengths.size() > 1) {
            throw new BadRequestException(400, "The length of the body is said more than once.");
        }
        if (codings.stream().anyMatch(coding -> !coding.equalsIgnoreCase("chunked"))) {
            throw new BadRequestException(501, "Only chunked transfer coding is known.");
        }
        int length = lengths.isEmpty() ? 0 : length(lengths.getFirst());
        greet(headers, length > 0 || !codings.isEmpty());
        return codings.isEmpty() ? Bytes.of(exactly(length)) : chunked();
    }

    private static int length(String text) throws BadRequestException {
        if (!LENGTH.matcher(text).matches()) {
            throw new BadRequestException(400, "The Content-Length is no number.");
        }
        return bounded(Long.parseLong(text));
    }

    private static int bounded(long length) throws BadRequestException {
        if (length > BODY_MAX) {
            throw new BadRequestException(413, "The body is larger than " + BODY_MAX + " bytes.");
        }
        return (int) length;
    }

    /** Some clients wait for a word before they send a body. */
    private void greet(Headers headers, boolean bodyFollows) throws IOException, BadRequestException {
        Optional<String> expected = headers.first("Expect");
        if (expected.isPresent() && !expected.get().equalsIgnoreCase("100-continue")) {
            throw new BadRequestException(417, "Only 100-continue can be expected.");
        }
        if (expected.isPresent() && bodyFollows) {
            out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
    }

    private byte[] exactly(int length) throws IOException {
        var body = new ByteArrayOutputStream(Math.min(length, 1 << 16));
        copy(length, body);
        return body.toByteArray();
    }

    private void copy(int length, ByteArrayOutputStream body) throws IOException {
        var piece = new byte[8192];
        for (int left = length; left > 0; ) {
            int count = in.read(piece, 0, Math.min(left, piece.length));
            if (count < 0) {
                throw new EOFException("the client went away");
            }
            body.write(piece, 0, count);
            left -= count;
        }
    }

    private Bytes chunked() throws IOException, BadRequestException {
        var body = new ByteArrayOutputStream();
        for (int size = chunkSize(); size > 0; size = chunkSize()) {
            bounded((long) body.size() + size);
            copy(size, body);
            if (!wholeLine().isEmpty()) {
                throw new BadRequestException(400, "A chunk is longer than it says.");
            }
        }
        headers();
        return Bytes.of(body.toByteArray());
    }

    private int chunkSize() throws IOException, BadRequestException {
        headBytes = 0;
        Matcher size = CHUNK_SIZE.matcher(wholeLine());
        if (!size.matches()) {
            throw new BadRequestException(400, "A chunk's size is no number.");
        }
        return bounded(Long.parseLong(size.group(1), 16));
    }

    private String wholeLine() throws IOException, BadRequestException {
        return line().orElseThrow(() -> new EOFException("the client went away"));
    }

    /** A line without its end; empty if nothing more comes. */
    private Optional<String> line() throws IOException, BadRequestException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                return Optional.empty();
            }
            if (++headBytes > HEAD_MAX) {
                throw new BadRequestException(431, "The head is larger than " + HEAD_MAX + " bytes.");
            }
            line.append((char) c);
        }
        boolean carriage = !line.isEmpty() && line.charAt(line.length() - 1) == '\r';
        return Optional.of(carriage ? line.substring(0, line.length() - 1) : line.toString());
    }
}
