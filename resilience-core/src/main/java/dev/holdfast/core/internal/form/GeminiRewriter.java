package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.internal.form.Conversation.ForeignTool;
import dev.holdfast.core.internal.form.Conversation.FunctionTool;
import dev.holdfast.core.internal.form.Conversation.Role;
import dev.holdfast.core.internal.form.Conversation.Setting;
import dev.holdfast.core.internal.form.Conversation.Spelling;
import dev.holdfast.core.internal.form.Conversation.Tool;
import dev.holdfast.core.internal.form.Conversation.Turn;
import dev.holdfast.core.internal.form.Part.Foreign;
import dev.holdfast.core.internal.form.Part.Media;
import dev.holdfast.core.internal.form.Part.Reasoning;
import dev.holdfast.core.internal.form.Part.Refusal;
import dev.holdfast.core.internal.form.Part.Text;
import dev.holdfast.core.internal.form.Part.ToolResult;
import dev.holdfast.core.internal.form.Part.ToolUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes what was read from Gemini's {@code generateContent} as it was, its members in camel case. */
final class GeminiRewriter {
    private static final Map<Setting, String> NAMES = Map.ofEntries(
            Map.entry(Setting.MAX_TOKENS, "maxOutputTokens"),
            Map.entry(Setting.TEMPERATURE, "temperature"),
            Map.entry(Setting.TOP_P, "topP"),
            Map.entry(Setting.TOP_K, "topK"),
            Map.entry(Setting.FREQUENCY_PENALTY, "frequencyPenalty"),
            Map.entry(Setting.PRESENCE_PENALTY, "presencePenalty"),
            Map.entry(Setting.SEED, "seed"),
            Map.entry(Setting.CHOICES, "candidateCount"),
            Map.entry(Setting.LOGPROBS, "responseLogprobs"),
            Map.entry(Setting.TOP_LOGPROBS, "logprobs"),
            Map.entry(Setting.STOP, "stopSequences"));

    private GeminiRewriter() {}

    static JsonObject write(Conversation conversation) {
        JsonObject.Builder document = JsonObject.builder();
        var contents = new ArrayList<JsonValue>();
        for (Turn turn : conversation.turns()) {
            if (turn.role() == Role.SYSTEM && turn.plain()) {
                document.with(
                        "systemInstruction", JsonValue.of(((Text) turn.parts().getFirst()).text()));
            } else if (turn.role() == Role.SYSTEM) {
                document.with("systemInstruction", content(turn));
            } else {
                contents.add(content(turn));
            }
        }
        document.with("contents", new JsonArray(contents));
        if (!conversation.tools().isEmpty()) {
            document.with("tools", tools(conversation.tools()));
        }
        conversation
                .toolChoice()
                .ifPresent(
                        choice -> document.with("toolConfig", JsonObject.of("functionCallingConfig", choice.said())));
        JsonObject config = config(conversation);
        if (!config.members().isEmpty()) {
            document.with("generationConfig", config);
        }
        return Merge.into(document.build(), conversation.origin().rest());
    }

    private static JsonObject config(Conversation conversation) {
        JsonObject.Builder config = JsonObject.builder();
        conversation.settings().forEach((setting, value) -> {
            String name = NAMES.get(setting);
            if (name != null) {
                config.with(name, value.value());
            }
        });
        conversation.thinking().ifPresent(thinking -> thinking.said().forEach(config::with));
        conversation.format().ifPresent(format -> {
            config.with("responseMimeType", JsonValue.of(format.json() ? "application/json" : "text/plain"));
            String member = format.spelled() == Spelling.OPEN_API ? "responseSchema" : "responseJsonSchema";
            format.schema().ifPresent(schema -> config.with(member, schema));
        });
        return config.build();
    }

    private static JsonArray tools(List<Tool> tools) {
        var groups = new TreeMap<Integer, JsonObject>();
        for (Tool tool : tools) {
            JsonObject group = groups.getOrDefault(tool.group(), JsonObject.empty());
            JsonObject grown =
                    switch (tool) {
                        case ForeignTool foreign ->
                            Merge.into(group, foreign.value().asObject().orElse(JsonObject.empty()));
                        case FunctionTool function -> {
                            var declared = new ArrayList<>(group.list("functionDeclarations"));
                            declared.add(declaration(function));
                            yield group.with("functionDeclarations", new JsonArray(declared));
                        }
                    };
            groups.put(tool.group(), grown);
        }
        return new JsonArray(List.copyOf(groups.values()));
    }

    private static JsonObject declaration(FunctionTool tool) {
        JsonObject.Builder declared = JsonObject.builder().with("name", JsonValue.of(tool.name()));
        tool.description().ifPresent(text -> declared.with("description", JsonValue.of(text)));
        String member = tool.spelled() == Spelling.OPEN_API ? "parameters" : "parametersJsonSchema";
        tool.schema().ifPresent(schema -> declared.with(member, schema));
        return Merge.into(declared.build(), tool.origin().rest());
    }

    private static JsonObject content(Turn turn) {
        JsonObject.Builder content = JsonObject.builder();
        if (!turn.said().isEmpty()) {
            content.with("role", JsonValue.of(turn.said()));
        }
        content.with(
                "parts",
                new JsonArray(turn.parts().stream().map(GeminiRewriter::part).toList()));
        return Merge.into(content.build(), turn.origin().rest());
    }

    private static JsonValue part(Part part) {
        JsonObject.Builder written = JsonObject.builder();
        switch (part) {
            case Text text -> written.with("text", JsonValue.of(text.text()));
            case Refusal refusal -> written.with("text", JsonValue.of(refusal.text()));
            case Reasoning thought ->
                written.with("text", JsonValue.of(thought.text())).with("thought", JsonValue.of(true));
            case Media media -> media(media, written);
            case ToolUse use -> {
                JsonObject.Builder call = JsonObject.builder();
                if (!use.id().isEmpty()) {
                    call.with("id", JsonValue.of(use.id()));
                }
                call.with("name", JsonValue.of(use.name()));
                use.arguments().object().ifPresent(arguments -> call.with("args", arguments));
                written.with("functionCall", call.build());
            }
            case ToolResult result -> {
                JsonObject.Builder response = JsonObject.builder();
                if (!result.callId().isEmpty()) {
                    response.with("id", JsonValue.of(result.callId()));
                }
                response.with("name", JsonValue.of(result.name().orElse("")))
                        .with("response", Results.document(result));
                written.with("functionResponse", response.build());
            }
            case Foreign foreign -> {
                return foreign.value();
            }
        }
        part.origin()
                .signature()
                .ifPresent(signature -> written.with("thoughtSignature", JsonValue.of(signature.value())));
        return Merge.into(written.build(), part.origin().rest());
    }

    private static void media(Media media, JsonObject.Builder written) {
        JsonObject.Builder data = JsonObject.builder();
        switch (media.source()) {
            case Media.Inline(String type, String base64) ->
                data.with("mimeType", JsonValue.of(type)).with("data", JsonValue.of(base64));
            case Media.Remote(String url, var type) -> {
                type.ifPresent(said -> data.with("mimeType", JsonValue.of(said)));
                data.with("fileUri", JsonValue.of(url));
            }
            case Media.Plain(String text) ->
                data.with("mimeType", JsonValue.of("text/plain")).with("data", JsonValue.of(Texts.base64(text)));
            case Media.Uploaded(String id) -> data.with("fileUri", JsonValue.of(id));
        }
        media.name().ifPresent(name -> data.with("displayName", JsonValue.of(name)));
        boolean file = media.source() instanceof Media.Remote;
        written.with(file ? "fileData" : "inlineData", data.build());
    }
}
