package dev.holdfast.core.internal.choice;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.ModelRequest;
import java.util.List;

/**
 * What calls with the same beginning have in common: a digest of tools, system prompt and messages, as far as the first 2,048
 * characters. Providers cache prompts by their beginning, from about 1,024 tokens on; what follows differs from call to call.
 */
public final class PromptPrefix {
    private static final int LENGTH = 2_048;
    private static final List<String> PARTS =
            List.of("tools", "system", "systemInstruction", "instructions", "messages", "contents", "input");

    private PromptPrefix() {}

    /** {@return a key that is the same for requests that begin alike; it does not tell the prompt} */
    public static String of(ModelRequest request) {
        var text = new StringBuilder(LENGTH);
        for (String part : PARTS) {
            request.document().get(part).ifPresent(value -> write(value, text));
        }
        return digest(text);
    }

    private static void write(JsonValue value, StringBuilder out) {
        if (out.length() >= LENGTH) {
            return;
        }
        switch (value) {
            case JsonString(String text) ->
                out.append(text, 0, Math.min(text.length(), LENGTH - out.length()))
                        .append('\n');
            case JsonArray(var elements) -> elements.forEach(element -> write(element, out));
            case JsonObject(var members) ->
                members.forEach((name, member) -> {
                    if (out.length() < LENGTH) {
                        out.append(name).append('=');
                        write(member, out);
                    }
                });
            default -> out.append(value.toJson());
        }
    }

    private static String digest(StringBuilder text) {
        long one = 1;
        long other = 0x9e3779b97f4a7c15L;
        for (int i = 0; i < Math.min(text.length(), LENGTH); i++) {
            one = 31 * one + text.charAt(i);
            other = (other ^ text.charAt(i)) * 0x100000001b3L;
        }
        return Long.toHexString(one) + Long.toHexString(other);
    }
}
