package dev.holdfast;

import dev.holdfast.JsonValue.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds in a document what every form has, each in its own place. Gemini spells members in two ways. */
final class RequestParts {
    private RequestParts() {}

    /** A whole number among Gemini's settings; 0 if it is not there. */
    static long geminiSetting(JsonObject document, String name, String spelledOtherwise) {
        JsonObject config = document.object("generationConfig")
                .or(() -> document.object("generation_config"))
                .orElse(JsonObject.empty());
        return config.longValue(name).orElse(config.longValue(spelledOtherwise).orElse(0));
    }

    static Optional<String> system(Form form, JsonObject document) {
        Stream<String> texts =
                switch (form) {
                    case OPENAI_CHAT ->
                        document.list("messages").stream()
                                .flatMap(message -> message.asObject().stream())
                                .filter(RequestParts::isSystem)
                                .flatMap(message -> texts(message, "content"));
                    case ANTHROPIC_MESSAGES -> texts(document, "system");
                    case GEMINI_CONTENT ->
                        document.object("systemInstruction").or(() -> document.object("system_instruction")).stream()
                                .flatMap(content -> texts(content, "parts"));
                    case OPAQUE -> Stream.empty();
                };
        String all = texts.collect(Collectors.joining("\n"));
        return all.isEmpty() ? Optional.empty() : Optional.of(all);
    }

    private static boolean isSystem(JsonObject message) {
        return message.text("role")
                .filter(role -> role.equals("system") || role.equals("developer"))
                .isPresent();
    }

    /** One text, or the texts of parts. */
    private static Stream<String> texts(JsonObject object, String member) {
        Stream<String> parts = object.list(member).stream()
                .flatMap(part -> part.asObject().stream())
                .flatMap(part -> part.text("text").stream());
        return Stream.concat(object.text(member).stream(), parts);
    }

    static List<String> toolNames(Form form, JsonObject document) {
        Stream<JsonObject> tools = document.list("tools").stream().flatMap(tool -> tool.asObject().stream());
        Stream<JsonObject> functions =
                switch (form) {
                    case OPENAI_CHAT -> tools.flatMap(tool -> tool.object("function").stream());
                    case ANTHROPIC_MESSAGES ->
                        tools.filter(tool -> tool.get("input_schema").isPresent());
                    case GEMINI_CONTENT -> tools.flatMap(RequestParts::declarations);
                    case OPAQUE -> Stream.empty();
                };
        return functions.flatMap(function -> function.text("name").stream()).toList();
    }

    private static Stream<JsonObject> declarations(JsonObject tool) {
        return Stream.of("functionDeclarations", "function_declarations")
                .flatMap(name -> tool.list(name).stream())
                .flatMap(declared -> declared.asObject().stream());
    }
}
