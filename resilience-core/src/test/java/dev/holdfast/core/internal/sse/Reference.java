package dev.holdfast.core.internal.sse;

import dev.holdfast.spi.ServerSentEvent;
import java.nio.charset.StandardCharsets;
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
        String text = new String(stream, StandardCharsets.UTF_8);
        if (text.startsWith("\uFEFF")) {
            text = text.substring(1);
        }
        String[] lines = text.split("\r\n|\r|\n", -1);
        for (int i = 0; i < lines.length - 1; i++) {
            reference.line(lines[i]);
        }
        return reference;
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
