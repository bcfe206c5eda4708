package dev.holdfast.tests.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Chunk;
import dev.holdfast.tests.behaviour.Sse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The streams of a case's server: text is sent as it stands, words in capitals are what the server does. */
final class StreamReplies {
    private static final Pattern SILENCE = Pattern.compile("SILENCE\\((\\d+) ms\\)");
    private static final Pattern REPEAT = Pattern.compile("REPEAT\\((\\d+) ms(?:, (\\d+) ms)?\\): '(.*)'");
    private static final Pattern EVERY = Pattern.compile("EVERY\\((\\d+) ms\\) x (\\d+): delta '(.*)'");
    private static final Pattern DELTAS = Pattern.compile("delta x (\\d+) at (\\d+) ms");
    private static final Duration ENDLESS = Duration.ofMinutes(10);

    private final List<Chunk> chunks = new ArrayList<>();
    private Duration pause = Duration.ZERO;
    private String ending = "";

    private StreamReplies() {}

    static FaultScript script(Case played) {
        JsonNode attempts = played.given().path(played.given().has("server") ? "server" : "server_attempts");
        FaultScript script = FaultScript.healthy();
        if (attempts.isMissingNode()) {
            return script.then(
                    reply(played.given().path("chunks"), played.given().path("response")));
        }
        if (attempts.size() == 1) {
            return script.thenAlways(reply(attempts.get(0), played.given().path("response")));
        }
        for (JsonNode attempt : attempts) {
            script = script.then(reply(attempt, played.given().path("response")));
        }
        return script;
    }

    private static Reply reply(JsonNode pieces, JsonNode response) {
        var replies = new StreamReplies();
        pieces.forEach(piece -> replies.add(piece.asText()));
        Reply reply = Reply.events(replies.chunks);
        if (response.has("content_type")) {
            reply = reply.withHeader(
                    "Content-Type", response.path("content_type").asText());
        }
        int size = reply.body().size();
        return switch (replies.ending) {
            case "" -> reply;
            case "RESET" -> reply.resetAfter(size);
            case "CUT" -> reply.cutAfter(size);
            case "HANG" -> reply.hangAfter(size);
            default -> throw new AssertionError("an unknown ending: " + replies.ending);
        };
    }

    private void add(String piece) {
        Matcher silence = SILENCE.matcher(piece);
        Matcher repeat = REPEAT.matcher(piece);
        Matcher every = EVERY.matcher(piece);
        Matcher deltas = DELTAS.matcher(piece);
        if (silence.matches()) {
            pause = millis(silence.group(1));
        } else if (repeat.matches()) {
            Duration step = millis(repeat.group(1));
            Duration length = repeat.group(2) == null ? ENDLESS : millis(repeat.group(2));
            repeat((int) length.dividedBy(step), step, repeat.group(3).replace("\\n", "\n"));
        } else if (every.matches()) {
            repeat(Integer.parseInt(every.group(2)), millis(every.group(1)), Sse.text(every.group(3)));
        } else if (deltas.matches()) {
            repeat(Integer.parseInt(deltas.group(1)), millis(deltas.group(2)), Sse.text("x"));
        } else {
            addText(piece);
        }
    }

    private void addText(String piece) {
        switch (piece) {
            case "role" -> send(Sse.ROLE);
            case "fin" -> send(Sse.STOP);
            case "done" -> send(Sse.DONE);
            default -> {
                Matcher action = Pattern.compile("(?s)(.*?)(RESET|CUT|HANG)?").matcher(piece);
                assertThat(action.matches()).isTrue();
                send(action.group(1));
                ending = action.group(2) == null ? ending : action.group(2);
            }
        }
    }

    private void send(String text) {
        if (!text.isEmpty()) {
            chunks.add(Chunk.after(pause, text));
            pause = Duration.ZERO;
        }
    }

    private void repeat(int times, Duration step, String text) {
        chunks.addAll(Sse.repeat(times, step, text));
    }

    private static Duration millis(String text) {
        return Duration.ofMillis(Long.parseLong(text));
    }
}
