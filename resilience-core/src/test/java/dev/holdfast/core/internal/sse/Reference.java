package dev.holdfast.core.internal.sse;

import dev.holdfast.spi.ServerSentEvent;
import java.util.ArrayList;
import java.util.List;

/** The rules of the event stream, word by word and without a thought for speed: what the decoder is compared with. */
final class Reference {
    private final List<ServerSentEvent> events = new ArrayList<>();
    private StringBuilder data = new StringBuilder();
    private String type = "";
    private String id = "";
    private String retry = "";

    static Reference of(byte[] stream) {
        var reference = new Reference();
        String text = decode(stream);
        if (text.startsWith("\uFEFF")) {
            text = text.substring(1);
        }
        String[] lines = text.split("\r\n|\r|\n", -1);
        for (int i = 0; i < lines.length - 1; i++) {
            reference.line(lines[i]);
        }
        return reference;
    }

    /** Byte by byte as in the Encoding Standard, section 8.1.1. */
    private static String decode(byte[] stream) {
        var text = new StringBuilder();
        int at = 0;
        while (at < stream.length) {
            int first = stream[at++] & 0xFF;
            int more =
                    first < 0x80 ? 0 : first < 0xC2 ? -1 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : first < 0xF5 ? 3 : -1;
            int lower = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
            int upper = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
            int point = more <= 0 ? first : first & (0x3F >> more);
            int left = more;
            while (left > 0 && at < stream.length && (stream[at] & 0xFF) >= lower && (stream[at] & 0xFF) <= upper) {
                point = point << 6 | stream[at++] & 0x3F;
                lower = 0x80;
                upper = 0xBF;
                left--;
            }
            text.appendCodePoint(left == 0 ? point : 0xFFFD);
        }
        return text.toString();
    }

    List<ServerSentEvent> events() {
        return events;
    }

    String retry() {
        return retry;
    }

    private void line(String line) {
        if (line.isEmpty()) {
            dispatch();
        } else if (line.contains(":")) {
            String value = line.substring(line.indexOf(':') + 1);
            field(line.substring(0, line.indexOf(':')), value.startsWith(" ") ? value.substring(1) : value);
        } else {
            field(line, "");
        }
    }

    private void field(String name, String value) {
        switch (name) {
            case "event" -> type = value;
            case "data" -> data.append(value).append('\n');
            case "id" -> id = value.indexOf('\0') < 0 ? value : id;
            case "retry" -> retry = value.matches("[0-9]+") ? value : retry;
            default -> {
                // a comment has an empty name
            }
        }
    }

    private void dispatch() {
        if (!data.isEmpty()) {
            events.add(new ServerSentEvent(type, data.substring(0, data.length() - 1), id));
        }
        data = new StringBuilder();
        type = "";
    }
}
