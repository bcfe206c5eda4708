package dev.holdfast.core.internal.form;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A talk with tools that belongs to no form, and how each form writes down a piece of it. */
final class Talk {
    private Talk() {}

    /** A piece of a talk. */
    sealed interface Step {}

    /** The user speaks, and perhaps shows an image. */
    record Asks(String text, Optional<String> imageUrl) implements Step {}

    /** The model answers, and perhaps calls tools, which then answer. */
    record Answers(String text, List<Call> calls) implements Step {}

    /** A call, what its tool answers, and whether it failed. */
    record Call(String name, String argument, String answer) {}

    /** The settings of a talk. */
    record Settings(
            Optional<String> system,
            long maxTokens,
            Optional<Double> temperature,
            List<String> stops,
            List<String> tools,
            Optional<String> choice,
            boolean streaming) {}

    /** How a vendor names its calls; empty for none. */
    static String id(Addressee vendor, int number) {
        String digits = String.format("%06d", number);
        return switch (vendor.vendor()) {
            case MISTRAL -> "abc" + digits;
            case ANTHROPIC -> "toolu_01AbCdEfGhIjKlMnOp" + digits;
            case GOOGLE -> "";
            case OTHER -> "functions.run:" + number + ":with-a-tail-that-is-longer-than-any-id-may-be";
            default -> "call_QwErTyUiOpAsDfGhJkLz" + digits;
        };
    }

    static ModelRequest begin(Addressee vendor, Settings settings, List<JsonValue> messages) {
        JsonObject.Builder document = JsonObject.builder();
        switch (vendor.form()) {
            case OPENAI_CHAT -> openAi(document, settings, messages);
            case ANTHROPIC_MESSAGES -> anthropic(document, settings, messages);
            case GEMINI_CONTENT -> gemini(document, settings, messages);
            case OPAQUE -> throw new IllegalArgumentException();
        }
        return ModelRequest.of(vendor.form(), vendor.model(), document.build())
                .withModel(vendor.model())
                .withStreaming(settings.streaming());
    }

    private static void openAi(JsonObject.Builder document, Settings settings, List<JsonValue> messages) {
        var all = new ArrayList<JsonValue>();
        settings.system().ifPresent(text -> all.add(message("system", JsonValue.of(text))));
        all.addAll(messages);
        document.with("model", JsonValue.of("m")).with("messages", new JsonArray(all));
        document.with("max_tokens", JsonValue.of(settings.maxTokens()));
        settings.temperature().ifPresent(value -> document.with("temperature", number(value)));
        if (!settings.stops().isEmpty()) {
            document.with("stop", texts(settings.stops().stream().limit(4).toList()));
        }
        if (!settings.tools().isEmpty()) {
            document.with(
                    "tools",
                    new JsonArray(settings.tools().stream()
                            .map(name -> (JsonValue) JsonObject.builder()
                                    .with("type", JsonValue.of("function"))
                                    .with("function", described(name).with("parameters", schema()))
                                    .build())
                            .toList()));
            settings.choice().ifPresent(word -> document.with("tool_choice", JsonValue.of(word)));
        }
    }

    private static void anthropic(JsonObject.Builder document, Settings settings, List<JsonValue> messages) {
        document.with("model", JsonValue.of("m"));
        settings.system().ifPresent(text -> document.with("system", JsonValue.of(text)));
        document.with("messages", new JsonArray(messages));
        document.with("max_tokens", JsonValue.of(settings.maxTokens()));
        settings.temperature().ifPresent(value -> document.with("temperature", number(Math.min(1, value))));
        if (!settings.stops().isEmpty()) {
            document.with("stop_sequences", texts(settings.stops()));
        }
        if (!settings.tools().isEmpty()) {
            document.with(
                    "tools",
                    new JsonArray(settings.tools().stream()
                            .map(name -> (JsonValue) described(name).with("input_schema", schema()))
                            .toList()));
            settings.choice()
                    .ifPresent(word -> document.with(
                            "tool_choice",
                            JsonObject.of("type", JsonValue.of(word.equals("required") ? "any" : word))));
        }
    }

    private static void gemini(JsonObject.Builder document, Settings settings, List<JsonValue> contents) {
        settings.system()
                .ifPresent(text -> document.with(
                        "systemInstruction",
                        JsonObject.of("parts", JsonArray.of(JsonObject.of("text", JsonValue.of(text))))));
        document.with("contents", new JsonArray(contents));
        JsonObject.Builder config = JsonObject.builder().with("maxOutputTokens", JsonValue.of(settings.maxTokens()));
        settings.temperature().ifPresent(value -> config.with("temperature", number(value)));
        if (!settings.stops().isEmpty()) {
            config.with(
                    "stopSequences", texts(settings.stops().stream().limit(5).toList()));
        }
        document.with("generationConfig", config.build());
        if (!settings.tools().isEmpty()) {
            List<JsonValue> declared = settings.tools().stream()
                    .map(name -> (JsonValue) described(name).with("parametersJsonSchema", schema()))
                    .toList();
            document.with("tools", JsonArray.of(JsonObject.of("functionDeclarations", new JsonArray(declared))));
            settings.choice().ifPresent(word -> {
                String mode = word.equals("required") ? "ANY" : word.toUpperCase(java.util.Locale.ROOT);
                document.with(
                        "toolConfig",
                        JsonObject.of("functionCallingConfig", JsonObject.of("mode", JsonValue.of(mode))));
            });
        }
    }

    private static JsonValue number(double value) {
        return JsonValue.of(java.math.BigDecimal.valueOf(value));
    }

    private static JsonArray texts(List<String> texts) {
        return new JsonArray(
                texts.stream().map(text -> (JsonValue) JsonValue.of(text)).toList());
    }

    private static JsonObject described(String name) {
        return JsonObject.of("name", JsonValue.of(name)).with("description", JsonValue.of("does " + name));
    }

    private static JsonObject schema() {
        return JsonObject.of("type", JsonValue.of("object"))
                .with("properties", JsonObject.of("q", JsonObject.of("type", JsonValue.of("string"))))
                .with("required", JsonArray.of(JsonValue.of("q")));
    }

    private static JsonObject message(String role, JsonValue content) {
        return JsonObject.of("role", JsonValue.of(role)).with("content", content);
    }

    /** The messages that a step adds to a history in a vendor's form, its calls named by the vendor. */
    static List<JsonValue> step(Addressee vendor, Step step, int firstCall) {
        return switch (vendor.form()) {
            case OPENAI_CHAT -> openAi(vendor, step, firstCall);
            case ANTHROPIC_MESSAGES -> anthropic(vendor, step, firstCall);
            case GEMINI_CONTENT -> gemini(step);
            case OPAQUE -> throw new IllegalArgumentException();
        };
    }

    private static List<JsonValue> openAi(Addressee vendor, Step step, int firstCall) {
        if (step instanceof Asks asks) {
            JsonObject text = JsonObject.of("type", JsonValue.of("text")).with("text", JsonValue.of(asks.text()));
            return List.of(message(
                    "user",
                    asks.imageUrl()
                            .<JsonValue>map(url -> JsonArray.of(
                                    text,
                                    JsonObject.of("type", JsonValue.of("image_url"))
                                            .with("image_url", JsonObject.of("url", JsonValue.of(url)))))
                            .orElse(JsonValue.of(asks.text()))));
        }
        Answers answers = (Answers) step;
        var messages = new ArrayList<JsonValue>();
        JsonObject said = message("assistant", answers.text().isEmpty() ? JsonNull.NULL : JsonValue.of(answers.text()));
        var calls = new ArrayList<JsonValue>();
        var results = new ArrayList<JsonValue>();
        for (Call call : answers.calls()) {
            String id = id(vendor, firstCall + calls.size());
            calls.add(JsonObject.of("id", JsonValue.of(id))
                    .with("type", JsonValue.of("function"))
                    .with(
                            "function",
                            JsonObject.of("name", JsonValue.of(call.name()))
                                    .with(
                                            "arguments",
                                            JsonValue.of(arguments(call).toJson()))));
            results.addFirst(JsonObject.of("role", JsonValue.of("tool"))
                    .with("tool_call_id", JsonValue.of(id))
                    .with("content", JsonValue.of(call.answer())));
        }
        messages.add(calls.isEmpty() ? said : said.with("tool_calls", new JsonArray(calls)));
        messages.addAll(results);
        return messages;
    }

    private static JsonObject arguments(Call call) {
        return JsonObject.of("q", JsonValue.of(call.argument()));
    }

    private static List<JsonValue> anthropic(Addressee vendor, Step step, int firstCall) {
        if (step instanceof Asks asks) {
            var blocks = new ArrayList<JsonValue>();
            blocks.add(textBlock(asks.text()));
            asks.imageUrl()
                    .ifPresent(url -> blocks.add(JsonObject.of("type", JsonValue.of("image"))
                            .with(
                                    "source",
                                    JsonObject.of("type", JsonValue.of("url")).with("url", JsonValue.of(url)))));
            return List.of(message("user", blocks.size() == 1 ? JsonValue.of(asks.text()) : new JsonArray(blocks)));
        }
        Answers answers = (Answers) step;
        var blocks = new ArrayList<JsonValue>();
        var results = new ArrayList<JsonValue>();
        if (!answers.text().isEmpty()) {
            blocks.add(textBlock(answers.text()));
        }
        for (Call call : answers.calls()) {
            String id = id(vendor, firstCall + results.size());
            blocks.add(JsonObject.of("type", JsonValue.of("tool_use"))
                    .with("id", JsonValue.of(id))
                    .with("name", JsonValue.of(call.name()))
                    .with("input", arguments(call)));
            results.addFirst(JsonObject.of("type", JsonValue.of("tool_result"))
                    .with("tool_use_id", JsonValue.of(id))
                    .with("content", JsonValue.of(call.answer())));
        }
        var messages = new ArrayList<JsonValue>();
        messages.add(message("assistant", new JsonArray(blocks)));
        if (!results.isEmpty()) {
            messages.add(message("user", new JsonArray(results)));
        }
        return messages;
    }

    private static JsonObject textBlock(String text) {
        return JsonObject.of("type", JsonValue.of("text")).with("text", JsonValue.of(text));
    }

    private static List<JsonValue> gemini(Step step) {
        if (step instanceof Asks asks) {
            var parts = new ArrayList<JsonValue>();
            parts.add(JsonObject.of("text", JsonValue.of(asks.text())));
            asks.imageUrl()
                    .ifPresent(url -> parts.add(JsonObject.of(
                            "fileData",
                            JsonObject.of("mimeType", JsonValue.of("image/png")).with("fileUri", JsonValue.of(url)))));
            return List.of(content("user", parts));
        }
        Answers answers = (Answers) step;
        var parts = new ArrayList<JsonValue>();
        var results = new ArrayList<JsonValue>();
        if (!answers.text().isEmpty()) {
            parts.add(JsonObject.of("text", JsonValue.of(answers.text())));
        }
        for (Call call : answers.calls()) {
            JsonObject part = JsonObject.of(
                    "functionCall",
                    JsonObject.of("name", JsonValue.of(call.name())).with("args", arguments(call)));
            parts.add(results.isEmpty() ? part.with("thoughtSignature", JsonValue.of("c2lnbmVk")) : part);
            results.add(JsonObject.of(
                    "functionResponse",
                    JsonObject.of("name", JsonValue.of(call.name()))
                            .with("response", JsonObject.of("result", JsonValue.of(call.answer())))));
        }
        var contents = new ArrayList<JsonValue>();
        contents.add(content("model", parts));
        if (!results.isEmpty()) {
            contents.add(content("user", results));
        }
        return contents;
    }

    private static JsonObject content(String role, List<JsonValue> parts) {
        return JsonObject.of("role", JsonValue.of(role)).with("parts", new JsonArray(parts));
    }

    static String messages(Form form) {
        return form == Form.GEMINI_CONTENT ? "contents" : "messages";
    }
}
