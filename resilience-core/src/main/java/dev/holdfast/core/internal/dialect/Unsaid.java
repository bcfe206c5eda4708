package dev.holdfast.core.internal.dialect;

import dev.holdfast.Adjustment;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What an answer says that the documents of another vendor have no word for, by pointers into the answer's own document. */
final class Unsaid {
    private static final String DROPPED = "dropped";
    private static final String LIFTED = "dropped: only its issuer takes it back";
    private static final Set<String> BLOCKS = Set.of("text", "thinking", "tool_use");
    private static final Set<String> BLOCK_MEMBERS =
            Set.of("type", "text", "thinking", "id", "name", "input", "citations", "signature");
    private static final Set<String> PART_MEMBERS =
            Set.of("text", "thought", "functionCall", "function_call", GeminiParts.SIGNATURE);
    private static final Set<String> MESSAGE_MEMBERS =
            Set.of("role", "content", "refusal", "tool_calls", "function_call", "reasoning_content", "reasoning");

    private Unsaid() {}

    static List<Adjustment> inOpenAi(ModelAnswer answer) {
        return answer.form() == Form.OPENAI_CHAT ? List.of() : foreign(answer);
    }

    static List<Adjustment> inAnthropic(ModelAnswer answer) {
        if (answer.form() == Form.ANTHROPIC_MESSAGES) {
            return List.of();
        }
        List<Adjustment> all = foreign(answer);
        all.addAll(brokenArguments(answer));
        if (hasLogprobs(answer)) {
            String pointer =
                    answer.form() == Form.GEMINI_CONTENT ? "/candidates/0/logprobsResult" : "/choices/0/logprobs";
            all.add(new Adjustment(pointer, DROPPED));
        }
        if (answer.form() != Form.OPAQUE && answer.usage().isEmpty()) {
            all.add(new Adjustment("/usage", "unknown, said as 0"));
        }
        return all;
    }

    static List<Adjustment> inGemini(ModelAnswer answer) {
        if (answer.form() == Form.GEMINI_CONTENT) {
            return List.of();
        }
        List<Adjustment> all = foreign(answer);
        all.addAll(brokenArguments(answer));
        String refusal =
                answer.form() == Form.ANTHROPIC_MESSAGES ? "/stop_details/explanation" : "/choices/0/message/refusal";
        answer.refusal().ifPresent(words -> all.add(new Adjustment(refusal, "said as text")));
        if (answer.usage().filter(usage -> usage.cacheWrite() > 0).isPresent()) {
            all.add(new Adjustment("/usage", "cache writes said as input"));
        }
        return all;
    }

    private static boolean hasLogprobs(ModelAnswer answer) {
        return Logprobs.ofOpenAi(answer).isPresent()
                || Logprobs.ofGemini(answer.document()).isPresent();
    }

    private static List<Adjustment> brokenArguments(ModelAnswer answer) {
        var all = new ArrayList<Adjustment>();
        for (int i = 0; i < answer.toolCalls().size(); i++) {
            if (!Documents.isObject(answer.toolCalls().get(i).arguments())) {
                String pointer = "/choices/0/message/tool_calls/" + i + "/function/arguments";
                all.add(new Adjustment(pointer, "no JSON object, said as far as it is one"));
            }
        }
        return all;
    }

    /** What only the answer's own form has. */
    private static List<Adjustment> foreign(ModelAnswer answer) {
        return switch (answer.form()) {
            case OPENAI_CHAT -> ofOpenAi(answer.document());
            case ANTHROPIC_MESSAGES -> ofAnthropic(answer.document());
            case GEMINI_CONTENT -> ofGemini(answer.document());
            case OPAQUE -> new ArrayList<>();
        };
    }

    private static List<Adjustment> ofOpenAi(JsonObject document) {
        List<Adjustment> all = further("/choices", document.list("choices"));
        first(document, "choices")
                .object("message")
                .ifPresent(message -> message.members().forEach((name, value) -> {
                    boolean hollow = value.isNull() || value.equals(JsonArray.of());
                    if (!MESSAGE_MEMBERS.contains(name) && !hollow) {
                        all.add(new Adjustment("/choices/0/message/" + name, DROPPED));
                    }
                }));
        return all;
    }

    private static List<Adjustment> ofAnthropic(JsonObject document) {
        var all = new ArrayList<Adjustment>();
        List<JsonValue> blocks = document.list("content");
        for (int i = 0; i < blocks.size(); i++) {
            String pointer = "/content/" + i;
            JsonObject block = blocks.get(i).asObject().orElse(JsonObject.empty());
            if (!BLOCKS.contains(block.text("type").orElse(""))) {
                all.add(new Adjustment(pointer, DROPPED));
                continue;
            }
            if (block.text("signature")
                    .filter(signature -> !signature.isEmpty())
                    .isPresent()) {
                all.add(new Adjustment(pointer + "/signature", LIFTED));
            }
            if (!block.list("citations").isEmpty()) {
                all.add(new Adjustment(pointer + "/citations", DROPPED));
            }
            addOthers(all, pointer, block, BLOCK_MEMBERS);
        }
        return all;
    }

    private static List<Adjustment> ofGemini(JsonObject document) {
        List<Adjustment> all = further("/candidates", document.list("candidates"));
        List<JsonValue> parts = first(document, "candidates")
                .object("content")
                .map(content -> content.list("parts"))
                .orElse(List.of());
        for (int i = 0; i < parts.size(); i++) {
            String pointer = "/candidates/0/content/parts/" + i;
            JsonObject part = parts.get(i).asObject().orElse(JsonObject.empty());
            if (part.get(GeminiParts.SIGNATURE).isPresent()) {
                all.add(new Adjustment(pointer + "/" + GeminiParts.SIGNATURE, LIFTED));
            }
            addOthers(all, pointer, part, PART_MEMBERS);
        }
        for (String name : List.of("groundingMetadata", "urlContextMetadata", "citationMetadata")) {
            if (first(document, "candidates").get(name).isPresent()) {
                all.add(new Adjustment("/candidates/0/" + name, DROPPED));
            }
        }
        return all;
    }

    private static void addOthers(List<Adjustment> all, String pointer, JsonObject object, Set<String> known) {
        object.members().forEach((name, value) -> {
            if (!known.contains(name) && !value.isNull()) {
                all.add(new Adjustment(pointer + "/" + name, DROPPED));
            }
        });
    }

    private static List<Adjustment> further(String pointer, List<JsonValue> choices) {
        var all = new ArrayList<Adjustment>();
        for (int i = 1; i < choices.size(); i++) {
            all.add(new Adjustment(pointer + "/" + i, DROPPED));
        }
        return all;
    }

    private static JsonObject first(JsonObject document, String name) {
        return document.list(name).stream()
                .flatMap(element -> element.asObject().stream())
                .findFirst()
                .orElse(JsonObject.empty());
    }
}
