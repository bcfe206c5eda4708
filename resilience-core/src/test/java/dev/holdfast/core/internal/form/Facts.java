package dev.holdfast.core.internal.form;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.core.internal.json.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a document says, in words that belong to no form, each with the pointer of where it says so. Read straight from the
 * document, with nothing of what is tested here.
 */
final class Facts {
    record Fact(String what, String pointer) {}

    private final List<Fact> facts = new ArrayList<>();
    private final Map<String, Integer> callsById = new HashMap<>();
    private final List<String> openByName = new ArrayList<>();
    private int calls;

    private Facts() {}

    static List<Fact> of(Form form, JsonObject document) {
        var facts = new Facts();
        switch (form) {
            case OPENAI_CHAT -> facts.openAi(document);
            case ANTHROPIC_MESSAGES -> facts.anthropic(document);
            case GEMINI_CONTENT -> facts.gemini(document);
            case OPAQUE -> throw new IllegalArgumentException();
        }
        return facts.facts;
    }

    static List<String> words(List<Fact> facts) {
        return facts.stream().map(Fact::what).toList();
    }

    private void add(String what, String pointer) {
        facts.add(new Fact(what, pointer));
    }

    private void text(String who, String text, String pointer) {
        if (!text.isBlank()) {
            add(who + " says " + text, pointer);
        }
    }

    private void call(String id, String name, String arguments, String pointer) {
        callsById.put(id, calls);
        openByName.add(name + "\n" + calls);
        add("call " + calls + " of " + name + " with " + normal(arguments), pointer);
        calls++;
    }

    private void result(String id, String name, String text, String pointer) {
        int call = callsById.getOrDefault(id, -1);
        if (id.isEmpty()) {
            for (String open : openByName) {
                if (open.startsWith(name + "\n")) {
                    call = Integer.parseInt(open.substring(open.indexOf('\n') + 1));
                    openByName.remove(open);
                    break;
                }
            }
        }
        add("call " + call + " answered " + normal(text), pointer);
    }

    /** JSON by value: order of members and blanks do not count. */
    static String normal(String text) {
        return JsonReader.tryRead(text)
                .map(Facts::sorted)
                .map(JsonValue::toJson)
                .orElse(text);
    }

    static JsonValue sorted(JsonValue value) {
        return switch (value) {
            case JsonObject object -> {
                JsonObject.Builder sorted = JsonObject.builder();
                new TreeMap<>(object.members()).forEach((name, member) -> sorted.with(name, sorted(member)));
                yield sorted.build();
            }
            case JsonArray(List<JsonValue> elements) ->
                new JsonArray(elements.stream().map(Facts::sorted).toList());
            default -> value;
        };
    }

    private void number(JsonObject document, String member, String what, String at) {
        document.get(member)
                .filter(JsonNumber.class::isInstance)
                .ifPresent(value -> add(
                        what + " "
                                + ((JsonNumber) value)
                                        .decimal()
                                        .stripTrailingZeros()
                                        .toPlainString(),
                        at + "/" + member));
    }

    private void stops(JsonObject document, String member, String at) {
        document.get(member).ifPresent(stop -> {
            List<JsonValue> all = stop instanceof JsonString ? List.of(stop) : stop.asList();
            all.forEach(each -> add("stop at " + each.asText().orElse(""), at + "/" + member));
        });
    }

    private void flag(JsonObject document, String member, String what, String at) {
        document.get(member).filter(JsonValue::isTrue).ifPresent(value -> add(what, at + "/" + member));
    }

    private void tool(String name, String description, JsonValue schema, String pointer) {
        JsonObject properties = schema == null
                ? JsonObject.empty()
                : schema.asObject().flatMap(each -> each.object("properties")).orElse(JsonObject.empty());
        String types = properties.members().entrySet().stream()
                .map(each -> each.getKey() + ":"
                        + each.getValue().asObject().map(Facts::type).orElse("?"))
                .sorted()
                .collect(Collectors.joining(","));
        add("tool " + name + "(" + types + "): " + description, pointer);
    }

    private static String type(JsonObject schema) {
        JsonValue type = schema.get("type").orElse(JsonValue.of("?"));
        JsonValue first = type instanceof JsonArray(List<JsonValue> types) ? types.getFirst() : type;
        return first.asText().orElse("?").toLowerCase(Locale.ROOT);
    }

    /** As the model likes is what happens anyway. */
    private void choice(String said, String pointer) {
        if (!said.equals("auto")) {
            add("choice " + (said.equals("any") ? "required" : said), pointer);
        }
    }

    private void openAi(JsonObject document) {
        int index = 0;
        for (JsonValue each : document.list("messages")) {
            JsonObject message = (JsonObject) each;
            String at = "/messages/" + index++;
            String role = message.text("role").orElse("");
            String who = role.equals("developer") ? "system" : role;
            if (role.equals("tool")) {
                String text = message.text("content")
                        .orElseGet(() -> message.list("content").stream()
                                .map(part -> part.asObject()
                                        .flatMap(p -> p.text("text"))
                                        .orElse(""))
                                .collect(Collectors.joining("\n")));
                result(message.text("tool_call_id").orElse(""), "", text, at);
                continue;
            }
            message.text("content").ifPresent(text -> text(who, text, at + "/content"));
            int part = 0;
            for (JsonValue content : message.list("content")) {
                openAiPart(who, (JsonObject) content, at + "/content/" + part++);
            }
            message.text("refusal").ifPresent(text -> text(who, text, at + "/refusal"));
            int number = 0;
            for (JsonValue value : message.list("tool_calls")) {
                JsonObject call = (JsonObject) value;
                JsonObject function = call.object("function").orElseThrow();
                String arguments = function.text("arguments").orElse("");
                call(
                        call.text("id").orElse(""),
                        function.text("name").orElse(""),
                        arguments.isBlank() ? "{}" : arguments,
                        at + "/tool_calls/" + number++);
            }
        }
        number(document, document.get("max_tokens").isPresent() ? "max_tokens" : "max_completion_tokens", "max", "");
        number(document, "temperature", "temperature", "");
        number(document, "top_p", "top_p", "");
        number(document, "top_k", "top_k", "");
        number(document, document.get("seed").isPresent() ? "seed" : "random_seed", "seed", "");
        number(document, "frequency_penalty", "frequency penalty", "");
        number(document, "presence_penalty", "presence penalty", "");
        document.longValue("n").stream().filter(n -> n > 1).forEach(n -> add("choices " + n, "/n"));
        flag(document, "logprobs", "logprobs", "");
        number(document, "top_logprobs", "top logprobs", "");
        stops(document, "stop", "");
        document.text("user").ifPresent(user -> add("user id " + user, "/user"));
        openAiTools(document);
        document.object("response_format").ifPresent(format -> {
            String type = format.text("type").orElse("");
            if (type.equals("json_object")) {
                add("json", "/response_format");
            } else if (type.equals("json_schema")) {
                add("json", "/response_format");
                JsonValue schema =
                        format.object("json_schema").orElseThrow().get("schema").orElseThrow();
                add("schema " + normal(schema.toJson()), "/response_format");
            }
        });
        if (document.get("parallel_tool_calls").filter(value -> !value.isTrue()).isPresent()) {
            add("one call at once", "/parallel_tool_calls");
        }
    }

    private void openAiPart(String who, JsonObject part, String at) {
        switch (part.text("type").orElse("")) {
            case "text" -> text(who, part.text("text").orElse(""), at);
            case "refusal" -> text(who, part.text("refusal").orElse(""), at);
            case "image_url" -> {
                JsonObject image = part.object("image_url").orElseThrow();
                add(who + " shows " + image.text("url").orElse(""), at);
            }
            case "file" ->
                add(
                        who + " shows "
                                + part.object("file")
                                        .flatMap(file -> file.text("file_data"))
                                        .orElse("?"),
                        at);
            case "input_audio" -> {
                JsonObject audio = part.object("input_audio").orElseThrow();
                add(
                        who + " shows data:audio/" + audio.text("format").orElse("") + ";base64,"
                                + audio.text("data").orElse(""),
                        at);
            }
            default -> add(who + " " + part.text("type"), at);
        }
    }

    private void openAiTools(JsonObject document) {
        int index = 0;
        for (JsonValue each : document.list("tools")) {
            String at = "/tools/" + index++;
            JsonObject function = ((JsonObject) each).object("function").orElse(null);
            if (function == null) {
                add("foreign tool", at);
                continue;
            }
            tool(
                    function.text("name").orElse(""),
                    function.text("description").orElse(""),
                    function.get("parameters").orElse(null),
                    at);
        }
        document.get("tool_choice").filter(choice -> !choice.isNull()).ifPresent(choice -> {
            String said = choice.asText()
                    .orElseGet(() -> choice.asObject()
                            .flatMap(object -> object.object("function"))
                            .flatMap(function -> function.text("name"))
                            .orElse("several"));
            choice(said, "/tool_choice");
        });
    }

    private void anthropic(JsonObject document) {
        document.text("system").ifPresent(text -> text("system", text, "/system"));
        int index = 0;
        for (JsonValue each : document.list("system")) {
            text("system", ((JsonObject) each).text("text").orElse(""), "/system/" + index++);
        }
        index = 0;
        for (JsonValue each : document.list("messages")) {
            JsonObject message = (JsonObject) each;
            String at = "/messages/" + index++;
            String who = message.text("role").orElse("");
            message.text("content").ifPresent(text -> text(who, text, at + "/content"));
            int part = 0;
            for (JsonValue content : message.list("content")) {
                anthropicBlock(who, (JsonObject) content, at + "/content/" + part++);
            }
        }
        number(document, "max_tokens", "max", "");
        number(document, "temperature", "temperature", "");
        number(document, "top_p", "top_p", "");
        number(document, "top_k", "top_k", "");
        stops(document, "stop_sequences", "");
        document.object("metadata")
                .flatMap(metadata -> metadata.text("user_id"))
                .ifPresent(user -> add("user id " + user, "/metadata/user_id"));
        index = 0;
        for (JsonValue each : document.list("tools")) {
            JsonObject tool = (JsonObject) each;
            String at = "/tools/" + index++;
            if (tool.get("input_schema").isEmpty()) {
                add("foreign tool", at);
            } else {
                tool(
                        tool.text("name").orElse(""),
                        tool.text("description").orElse(""),
                        tool.get("input_schema").orElseThrow(),
                        at);
            }
        }
        document.object("tool_choice").ifPresent(choice -> {
            String type = choice.text("type").orElse("");
            String said = type.equals("tool") ? choice.text("name").orElse("") : type.equals("any") ? "required" : type;
            choice(said, "/tool_choice");
            flag(choice, "disable_parallel_tool_use", "one call at once", "/tool_choice");
        });
        document.object("output_config")
                .flatMap(config -> config.object("format"))
                .ifPresent(format -> {
                    add("json", "/output_config/format");
                    add("schema " + normal(format.get("schema").orElseThrow().toJson()), "/output_config/format");
                });
    }

    private void anthropicBlock(String who, JsonObject block, String at) {
        switch (block.text("type").orElse("")) {
            case "text" -> text(who, block.text("text").orElse(""), at);
            case "image", "document" -> {
                JsonObject source = block.object("source").orElseThrow();
                String shown = source.text("url")
                        .orElseGet(() -> "data:" + source.text("media_type").orElse("") + ";base64," + data(source));
                add(who + " shows " + shown, at);
            }
            case "tool_use" ->
                call(
                        block.text("id").orElse(""),
                        block.text("name").orElse(""),
                        block.object("input").orElse(JsonObject.empty()).toJson(),
                        at);
            case "tool_result" -> {
                String text = block.text("content")
                        .orElseGet(() -> block.list("content").stream()
                                .map(part -> part.asObject()
                                        .flatMap(p -> p.text("text"))
                                        .orElse(""))
                                .collect(Collectors.joining("\n")));
                result(block.text("tool_use_id").orElse(""), "", text, at);
            }
            default -> add(who + " " + block.text("type").orElse("?"), at);
        }
    }

    private static String data(JsonObject source) {
        String data = source.text("data").orElse("");
        return source.text("type").filter("text"::equals).isPresent()
                ? Base64.getEncoder().encodeToString(data.getBytes(StandardCharsets.UTF_8))
                : data;
    }

    private void gemini(JsonObject document) {
        JsonObject system = document.object("systemInstruction").orElse(JsonObject.empty());
        int index = 0;
        for (JsonValue each : system.list("parts")) {
            text("system", ((JsonObject) each).text("text").orElse(""), "/systemInstruction/parts/" + index++);
        }
        index = 0;
        for (JsonValue each : document.list("contents")) {
            JsonObject content = (JsonObject) each;
            String at = "/contents/" + index++ + "/parts/";
            String who = content.text("role").filter("model"::equals).isPresent() ? "assistant" : "user";
            int part = 0;
            for (JsonValue value : content.list("parts")) {
                geminiPart(who, (JsonObject) value, at + part++);
            }
        }
        JsonObject config = document.object("generationConfig").orElse(JsonObject.empty());
        String at = "/generationConfig";
        number(config, "maxOutputTokens", "max", at);
        number(config, "temperature", "temperature", at);
        number(config, "topP", "top_p", at);
        number(config, "topK", "top_k", at);
        number(config, "seed", "seed", at);
        number(config, "frequencyPenalty", "frequency penalty", at);
        number(config, "presencePenalty", "presence penalty", at);
        config.longValue("candidateCount").stream()
                .filter(n -> n > 1)
                .forEach(n -> add("choices " + n, at + "/candidateCount"));
        flag(config, "responseLogprobs", "logprobs", at);
        number(config, "logprobs", "top logprobs", at);
        stops(config, "stopSequences", at);
        config.text("responseMimeType")
                .filter("application/json"::equals)
                .ifPresent(type -> add("json", at + "/responseMimeType"));
        config.get("responseJsonSchema")
                .ifPresent(schema -> add("schema " + normal(schema.toJson()), at + "/responseJsonSchema"));
        index = 0;
        for (JsonValue each : document.list("tools")) {
            String tools = "/tools/" + index++;
            JsonObject entry = (JsonObject) each;
            int declared = 0;
            for (JsonValue value : entry.list("functionDeclarations")) {
                JsonObject function = (JsonObject) value;
                tool(
                        function.text("name").orElse(""),
                        function.text("description").orElse(""),
                        function.get("parametersJsonSchema")
                                .or(() -> function.get("parameters"))
                                .orElse(null),
                        tools + "/functionDeclarations/" + declared++);
            }
            if (entry.without("functionDeclarations").members().size() > 0) {
                add("foreign tool", tools);
            }
        }
        document.object("toolConfig")
                .flatMap(tools -> tools.object("functionCallingConfig"))
                .ifPresent(calling -> {
                    List<JsonValue> names = calling.list("allowedFunctionNames");
                    String mode = calling.text("mode").orElse("").toLowerCase(Locale.ROOT);
                    String said = names.size() == 1 ? names.getFirst().asText().orElse("") : mode;
                    choice(said, "/toolConfig/functionCallingConfig");
                });
    }

    private void geminiPart(String who, JsonObject part, String at) {
        if (part.get("thought").isPresent()) {
            add(who + " thinking", at);
            return;
        }
        part.text("text").ifPresent(text -> text(who, text, at));
        part.object("inlineData")
                .ifPresent(data -> add(
                        who + " shows data:" + data.text("mimeType").orElse("") + ";base64,"
                                + data.text("data").orElse(""),
                        at));
        part.object("fileData")
                .ifPresent(file -> add(who + " shows " + file.text("fileUri").orElse(""), at));
        part.object("functionCall")
                .ifPresent(call -> call(
                        call.text("id").orElse("at " + at),
                        call.text("name").orElse(""),
                        call.object("args").orElse(JsonObject.empty()).toJson(),
                        at));
        part.object("functionResponse").ifPresent(response -> {
            JsonObject document = response.object("response").orElse(JsonObject.empty());
            String only = document.members().size() == 1
                    ? document.members().firstEntry().getKey()
                    : "";
            String text = List.of("result", "output", "error").contains(only)
                            && document.text(only).isPresent()
                    ? document.text(only).get()
                    : document.toJson();
            result(response.text("id").orElse(""), response.text("name").orElse(""), text, at);
        });
    }
}
