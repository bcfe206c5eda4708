package dev.holdfast.tests.streams;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.core.JsonText;
import dev.holdfast.simulation.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** An exchange that others recorded with a real provider, and a plain reading of it to compare ours with. */
record Recording(String provider, String id, String kind, String uri, int status, Headers headers, Bytes body) {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** What the connection they were recorded on said of itself. */
    private static final Set<String> OF_THE_CONNECTION =
            Set.of("connection", "transfer-encoding", "content-length", "content-encoding", "keep-alive");

    /** The recordings; the test is skipped where they are not at hand. */
    static List<Recording> all() {
        Path folder = Path.of(System.getProperty("holdfast.shared", "../../shared"), "data", "exchanges");
        assumeTrue(Files.isDirectory(folder), "recorded exchanges at ../shared/data/exchanges from the project's root");
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().flatMap(Recording::read).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Recording> read(Path file) {
        try {
            return Files.readAllLines(file).stream().map(line -> of(parse(line)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Recording of(JsonNode entry) {
        JsonNode response = entry.path("response");
        var fields = new ArrayList<Map.Entry<String, String>>();
        for (JsonNode field : response.path("headers")) {
            if (!OF_THE_CONNECTION.contains(field.get(0).asText().toLowerCase(java.util.Locale.ROOT))) {
                fields.add(Map.entry(field.get(0).asText(), field.get(1).asText()));
            }
        }
        Bytes body = response.has("bodyBase64")
                ? Bytes.of(
                        Base64.getDecoder().decode(response.path("bodyBase64").asText()))
                : Bytes.utf8(response.path("body").asText());
        return new Recording(
                entry.path("provider").asText(),
                entry.path("id").asText(),
                entry.path("kind").asText(),
                entry.path("request").path("uri").asText(),
                response.path("status").asInt(),
                Headers.of(fields),
                body);
    }

    static JsonNode parse(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isChat() {
        return uri.contains("chat/completions");
    }

    /** The recorded answer, played in pieces of so many bytes. */
    Reply reply(int pieceSize) {
        return Reply.of(status, headers, body)
                .withFraming(Reply.Framing.CHUNKED)
                .inPieces(pieceSize);
    }

    /** What the recording says, read line by line. */
    Said said() {
        return kind.equals("stream") ? Said.ofChunks(chunks()) : Said.ofAnswer(parse(body.toUtf8()));
    }

    /** The documents of its events, one after the other. */
    List<String> data() {
        return body.toUtf8()
                .lines()
                .filter(line -> line.startsWith("data:"))
                .map(line -> line.substring(5).strip())
                .filter(data -> !data.isEmpty() && !data.equals("[DONE]"))
                .map(data -> JsonText.parse(data).toJson())
                .toList();
    }

    private List<JsonNode> chunks() {
        return body.toUtf8()
                .lines()
                .filter(line -> line.startsWith("data:"))
                .map(line -> line.substring(5).strip())
                .filter(data -> data.startsWith("{"))
                .map(Recording::parse)
                .toList();
    }

    /** The content, finish reason and tokens of an answer, and whether it holds an error. */
    record Said(String content, List<String> arguments, String finishReason, Optional<Long> tokens, boolean error) {
        static Said ofAnswer(JsonNode answer) {
            JsonNode choice = answer.path("choices").path(0);
            var arguments = new ArrayList<String>();
            choice.path("message").path("tool_calls").forEach(call -> arguments.add(arguments(call)));
            return new Said(
                    text(choice.path("message").path("content")),
                    arguments,
                    choice.path("finish_reason").asText(""),
                    tokens(answer),
                    isError(answer));
        }

        static Said ofChunks(List<JsonNode> chunks) {
            var content = new StringBuilder();
            var arguments = new java.util.TreeMap<Integer, String>();
            String finishReason = "";
            Optional<Long> tokens = Optional.empty();
            boolean error = false;
            for (JsonNode chunk : chunks) {
                JsonNode choice = chunk.path("choices").path(0);
                content.append(text(choice.path("delta").path("content")));
                choice.path("delta")
                        .path("tool_calls")
                        .forEach(call -> arguments.merge(call.path("index").asInt(), arguments(call), String::concat));
                finishReason = choice.path("finish_reason").asText("").matches("|null")
                        ? finishReason
                        : choice.path("finish_reason").asText();
                tokens = tokens(chunk).or(() -> tokens(chunk.path("x_groq"))).or(constant(tokens));
                error |= isError(chunk);
            }
            return new Said(content.toString(), List.copyOf(arguments.values()), finishReason, tokens, error);
        }

        private static java.util.function.Supplier<Optional<Long>> constant(Optional<Long> value) {
            return () -> value;
        }

        private static boolean isError(JsonNode document) {
            return document.hasNonNull("error");
        }

        private static Optional<Long> tokens(JsonNode document) {
            JsonNode usage = document.path("usage");
            return usage.has("total_tokens")
                    ? Optional.of(usage.path("prompt_tokens").asLong()
                            + usage.path("completion_tokens").asLong())
                    : Optional.empty();
        }

        private static String arguments(JsonNode call) {
            return call.path("function").path("arguments").asText("");
        }

        /** Text, or the texts of parts. */
        private static String text(JsonNode content) {
            if (!content.isArray()) {
                return content.isTextual() ? content.asText() : "";
            }
            var text = new StringBuilder();
            content.forEach(part -> text.append(
                    part.path("type").asText("text").equals("text")
                            ? part.path("text").asText("")
                            : ""));
            return text.toString();
        }
    }

    @Override
    public String toString() {
        return provider + " " + id;
    }
}
