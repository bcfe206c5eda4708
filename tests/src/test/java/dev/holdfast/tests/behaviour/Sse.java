package dev.holdfast.tests.behaviour;

import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Chunk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Pieces of OpenAI streams. */
public final class Sse {
    public static final String ROLE =
            data("{\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\"}}]}");
    public static final String STOP =
            data("{\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}");
    public static final String USAGE = data("{\"id\":\"c\",\"choices\":[],\"usage\":"
            + "{\"prompt_tokens\":5,\"completion_tokens\":7,\"total_tokens\":12}}");
    public static final String DONE = "data: [DONE]\n\n";
    public static final String PING = ": ping\n\n";
    public static final String ERROR =
            "data: {\"error\":{\"message\":\"server exploded\",\"type\":\"server_error\",\"code\":null}}\n\n";

    private Sse() {}

    public static String data(String json) {
        return "data: " + json + "\n\n";
    }

    public static String text(String text) {
        return data("{\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + text + "\"}}]}");
    }

    /** A stream of these pieces, at once. */
    public static Reply of(String... pieces) {
        return Reply.events(List.of(pieces).stream().map(Chunk::of).toList());
    }

    /** A stream of these pieces, each after a silence. */
    public static Reply every(Duration pause, String... pieces) {
        return Reply.events(
                List.of(pieces).stream().map(piece -> Chunk.after(pause, piece)).toList());
    }

    /** A stream that begins with a text and then says nothing for ever. */
    public static Reply silentAfter(String text) {
        Reply begun = of(ROLE, text(text));
        return begun.hangAfter(begun.body().size());
    }

    /** The piece many times over, each after a silence. */
    public static List<Chunk> repeat(int times, Duration pause, String piece) {
        var chunks = new ArrayList<Chunk>();
        for (int i = 0; i < times; i++) {
            chunks.add(Chunk.after(pause, piece));
        }
        return chunks;
    }

    public static List<Chunk> join(List<Chunk> first, String... then) {
        var chunks = new ArrayList<>(first);
        List.of(then).forEach(piece -> chunks.add(Chunk.of(piece)));
        return chunks;
    }
}
