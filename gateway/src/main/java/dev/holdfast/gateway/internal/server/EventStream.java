package dev.holdfast.gateway.internal.server;

import dev.holdfast.Headers;
import dev.holdfast.gateway.internal.http.EventOutput;
import dev.holdfast.spi.ServerSentEvent;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes server-sent events (WHATWG HTML, section 9.2.5) and sends what was gathered as one piece. */
final class EventStream implements EventOutput {
    /** What is gathered beyond this is sent in any case, in characters. */
    private static final int MOST_GATHERED = 32 << 10;

    private final OutputStream out;
    private final StringBuilder text = new StringBuilder();

    EventStream(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(List<ServerSentEvent> events) throws IOException {
        for (ServerSentEvent event : events) {
            append(event);
            if (text.length() > MOST_GATHERED) {
                flush();
            }
        }
    }

    @Override
    public void remark(Headers fields) {
        if (fields.fields().isEmpty()) {
            return;
        }
        fields.fields()
                .forEach(field -> text.append(": ")
                        .append(field.getKey())
                        .append(": ")
                        .append(field.getValue())
                        .append('\n'));
        text.append('\n');
    }

    @Override
    public void flush() throws IOException {
        if (text.isEmpty()) {
            return;
        }
        try {
            out.write(text.toString().getBytes(StandardCharsets.UTF_8));
            out.flush();
            text.setLength(0);
        } catch (RuntimeException e) {
            throw HelidonExchange.asIo(e);
        }
    }

    private void append(ServerSentEvent event) {
        // "message" is what an event without a name is.
        if (!event.event().isEmpty() && !event.event().equals("message")) {
            text.append("event: ").append(event.event()).append('\n');
        }
        if (!event.id().isEmpty()) {
            text.append("id: ").append(event.id()).append('\n');
        }
        event.data().lines().forEach(line -> text.append("data: ").append(line).append('\n'));
        text.append('\n');
    }

    @Override
    public void end() throws IOException {
        flush();
        try {
            out.close();
        } catch (RuntimeException e) {
            throw HelidonExchange.asIo(e);
        }
    }
}
