package dev.holdfast.core.internal.dialect;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.internal.sse.SseDecoder;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.ServerSentEvent;
import dev.holdfast.spi.TransportException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A good answer that others recorded with a real provider, and a plain reading of it to compare ours with. */
record RecordedAnswer(String id, String provider, boolean streamed, String uri, JsonObject asked, String body) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What an answer says, whatever its form. */
    record Said(String text, List<JsonNode> arguments, List<String> names, String finish, Map<String, Long> tokens) {}

    /** The good answers of chats; the test is skipped where they are not at hand. */
    static List<RecordedAnswer> all() {
        Path folder = Path.of(System.getProperty("holdfast.shared", "../../shared"), "data", "exchanges");
        assumeTrue(Files.isDirectory(folder), "recorded exchanges at ../shared/data/exchanges from the project's root");
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().flatMap(RecordedAnswer::read).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<RecordedAnswer> read(Path file) {
        try {
            return Files.readAllLines(file).stream()
                    .map(RecordedAnswer::parse)
                    .filter(entry -> !entry.path("kind").asText().equals("error"))
                    .map(RecordedAnswer::of)
                    .filter(answer -> answer.isChat() && !answer.holdsError());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RecordedAnswer of(JsonNode entry) {
        JsonNode response = entry.path("response");
        String body = response.has("bodyBase64")
                ? new String(
                        Base64.getDecoder().decode(response.path("bodyBase64").asText()), StandardCharsets.UTF_8)
                : response.path("body").asText();
        String asked = entry.path("request").path("body").asText("{}");
        return new RecordedAnswer(
                entry.path("id").asText(),
                entry.path("provider").asText(),
                entry.path("kind").asText().equals("stream"),
                entry.path("request").path("uri").asText(),
                asked.startsWith("{") ? JsonText.parse(asked).asObject().orElseThrow() : JsonObject.empty(),
                body);
    }

    private boolean isChat() {
        return uri.contains("chat/completions") || uri.contains("/messages") || uri.contains("enerateContent");
    }

    /** An error in a good answer is the classifier's; an empty body is no answer. */
    private boolean holdsError() {
        return body.isBlank() || documents().stream().anyMatch(each -> each.hasNonNull("error"));
    }

    static JsonNode parse(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Dialect dialect() {
        return switch (provider) {
            case "anthropic" -> new AnthropicDialect();
            case "gemini" -> new GeminiDialect();
            case "vertex" -> new VertexDialect();
            case "azure" -> new AzureDialect();
            default -> new OpenAiDialect();
        };
    }

    ModelRequest request() {
        return ModelRequest.of(dialect().form(), "m", asked);
    }

    /** A list of chunks, as Gemini streams where no events are asked for. */
    boolean isList() {
        return !streamed && body.stripLeading().startsWith("[");
    }

    List<ServerSentEvent> events() throws TransportException {
        return eventsOf(body);
    }

    static List<ServerSentEvent> eventsOf(String text) throws TransportException {
        var events = new ArrayList<ServerSentEvent>();
        var decoder = new SseDecoder();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        decoder.decode(bytes, 0, bytes.length, events::add);
        decoder.unterminated().ifPresent(events::add);
        return List.copyOf(events);
    }

    private List<JsonNode> documents() {
        if (streamed) {
            return body.lines()
                    .filter(line -> line.startsWith("data:"))
                    .map(line -> line.substring(5).strip())
                    .filter(data -> data.startsWith("{"))
                    .map(RecordedAnswer::parse)
                    .toList();
        }
        JsonNode document = parse(body);
        return document.isArray() ? List.copyOf(listOf(document)) : List.of(document);
    }

    private static List<JsonNode> listOf(JsonNode array) {
        var list = new ArrayList<JsonNode>();
        array.forEach(list::add);
        return list;
    }

    Said said() {
        return switch (dialect().form()) {
            case ANTHROPIC_MESSAGES ->
                streamed ? ofAnthropicEvents() : ofAnthropic(documents().getFirst());
            case GEMINI_CONTENT -> ofGemini();
            default -> ofOpenAi();
        };
    }

    private static Said ofAnthropic(JsonNode message) {
        var text = new StringBuilder();
        var arguments = new ArrayList<JsonNode>();
        var names = new ArrayList<String>();
        for (JsonNode block : message.path("content")) {
            text.append(
                    block.path("type").asText().equals("text")
                            ? block.path("text").asText()
                            : "");
            if (block.path("type").asText().equals("tool_use")) {
                arguments.add(block.path("input"));
                names.add(block.path("name").asText());
            }
        }
        return new Said(
                text.toString(),
                arguments,
                names,
                message.path("stop_reason").asText(""),
                tokens(message.path("usage")));
    }

    private Said ofAnthropicEvents() {
        var text = new StringBuilder();
        var names = new ArrayList<String>();
        var inputs = new TreeMap<Integer, StringBuilder>();
        var tokens = new TreeMap<String, Long>();
        String finish = "";
        for (JsonNode event : documents()) {
            int index = event.path("index").asInt();
            JsonNode delta = event.path("delta");
            text.append(delta.path("text").asText(""));
            if (event.path("content_block").path("type").asText().equals("tool_use")) {
                names.add(event.path("content_block").path("name").asText());
                inputs.put(index, new StringBuilder());
            }
            if (inputs.containsKey(index)) {
                inputs.get(index).append(delta.path("partial_json").asText(""));
            }
            finish = delta.hasNonNull("stop_reason") ? delta.path("stop_reason").asText() : finish;
            tokens.putAll(tokens(event.path("message").path("usage")));
            tokens.putAll(tokens(event.path("usage")));
        }
        return new Said(
                text.toString(),
                inputs.values().stream()
                        .map(json -> parse(json.isEmpty() ? "{}" : json.toString()))
                        .toList(),
                names,
                finish,
                tokens);
    }

    private Said ofGemini() {
        var text = new StringBuilder();
        var arguments = new ArrayList<JsonNode>();
        var names = new ArrayList<String>();
        var tokens = new TreeMap<String, Long>();
        String finish = "";
        for (JsonNode chunk : documents()) {
            JsonNode candidate = chunk.path("candidates").path(0);
            for (JsonNode part : candidate.path("content").path("parts")) {
                text.append(
                        part.path("thought").asBoolean()
                                ? ""
                                : part.path("text").asText(""));
                if (part.has("functionCall")) {
                    arguments.add(part.path("functionCall").has("args") ? part.at("/functionCall/args") : parse("{}"));
                    names.add(part.at("/functionCall/name").asText());
                }
            }
            finish = candidate.hasNonNull("finishReason")
                    ? candidate.path("finishReason").asText()
                    : finish;
            tokens.putAll(tokens(chunk.path("usageMetadata")));
        }
        return new Said(text.toString(), arguments, names, finish, tokens);
    }

    private Said ofOpenAi() {
        var text = new StringBuilder();
        var inputs = new TreeMap<Integer, StringBuilder>();
        var names = new ArrayList<String>();
        var tokens = new TreeMap<String, Long>();
        String finish = "";
        for (JsonNode document : documents()) {
            JsonNode choice = document.path("choices").path(0);
            JsonNode message = choice.path(streamed ? "delta" : "message");
            text.append(textOf(message.path("content")));
            int position = 0;
            for (JsonNode call : message.path("tool_calls")) {
                int index = streamed ? call.path("index").asInt() : position++;
                boolean known = inputs.containsKey(index);
                inputs.computeIfAbsent(index, key -> new StringBuilder())
                        .append(call.at("/function/arguments").asText(""));
                if (!known) {
                    names.add(call.at("/function/name").asText());
                }
            }
            finish = choice.hasNonNull("finish_reason")
                    ? choice.path("finish_reason").asText()
                    : finish;
            tokens.putAll(tokens(document.path("usage")));
            tokens.putAll(tokens(document.at("/x_groq/usage")));
        }
        return new Said(
                text.toString(),
                inputs.values().stream().map(json -> parse(json.toString())).toList(),
                names,
                finish,
                tokens);
    }

    private static String textOf(JsonNode content) {
        var text = new StringBuilder(content.asText(""));
        content.forEach(part -> text.append(part.path("text").asText("")));
        return text.toString();
    }

    private static Map<String, Long> tokens(JsonNode usage) {
        var tokens = new TreeMap<String, Long>();
        usage.properties().forEach(field -> {
            if (field.getValue().isIntegralNumber()) {
                tokens.put(field.getKey(), field.getValue().asLong());
            }
        });
        return tokens;
    }

    @Override
    public String toString() {
        return provider + " " + id + (streamed ? " streamed" : "");
    }
}
