package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.internal.form.Conversation.Role;
import dev.holdfast.core.internal.form.Conversation.Turn;
import dev.holdfast.core.internal.form.Origin.Signature;
import dev.holdfast.core.internal.form.Part.Media;
import dev.holdfast.core.internal.form.Part.Reasoning;
import dev.holdfast.core.internal.form.Part.Refusal;
import dev.holdfast.core.internal.form.Part.Text;
import dev.holdfast.core.internal.form.Part.ToolResult;
import dev.holdfast.core.internal.form.Part.ToolUse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes what was said as Gemini's contents: the system apart, results in the order of their calls in a content of their own, as
 * their number must be that of the calls. One is made for each document.
 */
final class GeminiTurns {
    private static final String NOTHING = ".";
    private static final int SIGNING = 300;
    /**
     * What stands for the signature of a call that another model made (ai.google.dev, "Thought signatures": for histories of
     * other models). From Gemini 3 on a call without one is refused.
     */
    static final String UNSIGNED = "skip_thought_signature_validator";

    private final SystemApart turns;
    private final boolean signing;
    private final Changes changes;
    private final GeminiParts parts;
    private final List<JsonValue> contents = new ArrayList<>();
    /** Results gathered and not yet written: a form may have each in a turn of its own. */
    private final List<Answer> answers = new ArrayList<>();

    private final Map<String, Integer> calls = new HashMap<>();
    private boolean placeholder;

    GeminiTurns(Conversation conversation, Addressee addressee, Changes changes) {
        this.signing = signs(addressee);
        this.changes = changes;
        this.parts = new GeminiParts(changes);
        this.turns = SystemApart.of(conversation, "the system instruction", changes);
    }

    /** Whether the model refuses calls without a signature. */
    static boolean signs(Addressee addressee) {
        return ModelNames.gemini(addressee.model()) >= SIGNING;
    }

    Optional<JsonObject> system() {
        var written = new ArrayList<JsonValue>();
        for (Turn turn : turns.system()) {
            noteTurn(turn);
            for (Part part : turn.parts()) {
                if (part instanceof Text || part instanceof Refusal) {
                    parts.write(part).ifPresent(written::add);
                } else {
                    changes.note(part.origin().place(), "dropped: the system instruction takes only text");
                }
            }
        }
        return written.isEmpty() ? Optional.empty() : Optional.of(JsonObject.of("parts", new JsonArray(written)));
    }

    JsonArray contents() {
        var said = new ArrayList<JsonValue>();
        Role speaker = Role.USER;
        for (Turn turn : turns.spoken()) {
            noteTurn(turn);
            if (turn.role() != speaker) {
                add(speaker, said);
                speaker = turn.role();
            }
            if (turn.role() == Role.ASSISTANT) {
                addModel(turn, said);
            } else {
                addUser(turn, said);
            }
        }
        add(speaker, said);
        return new JsonArray(contents);
    }

    private void addModel(Turn turn, List<JsonValue> said) {
        List<JsonObject> written = model(turn);
        if (!written.isEmpty() && contents.isEmpty() && said.isEmpty()) {
            changes.note(Place.ROOT.member("contents"), "added: a user's turn, with which the target begins");
            contents.add(content(Role.USER, List.of(GeminiParts.text(NOTHING))));
        }
        said.addAll(written);
    }

    /** Media in a tool's answer come behind the results. */
    private void addUser(Turn turn, List<JsonValue> said) {
        for (Part part : turn.parts()) {
            if (part instanceof ToolResult result) {
                answers.add(new Answer(calls.getOrDefault(result.callId(), Integer.MAX_VALUE), response(result, said)));
            } else {
                parts.write(part).ifPresent(said::add);
            }
        }
    }

    private void noteTurn(Turn turn) {
        turn.name().ifPresent(name -> changes.dropped(turn.origin().place().member("name")));
        changes.droppedWithHints(turn.origin());
    }

    private void add(Role speaker, List<JsonValue> said) {
        if (!answers.isEmpty()) {
            answers.sort(Comparator.comparingInt(Answer::order));
            contents.add(content(Role.USER, answers.stream().map(Answer::part).toList()));
            answers.clear();
        }
        if (!said.isEmpty()) {
            contents.add(content(speaker, said));
            said.clear();
        }
    }

    private static JsonObject content(Role speaker, List<? extends JsonValue> said) {
        return JsonObject.builder()
                .with("role", JsonValue.of(speaker == Role.USER ? "user" : "model"))
                .with("parts", new JsonArray(List.copyOf(said)))
                .build();
    }

    private List<JsonObject> model(Turn turn) {
        var written = new ArrayList<JsonObject>();
        boolean signed = turn.parts().stream()
                .anyMatch(part -> part instanceof ToolUse && isOwn(part.origin().signature()));
        boolean first = true;
        for (Part part : turn.parts()) {
            if (part instanceof ToolUse use) {
                calls.put(use.id(), calls.size());
                written.add(call(use, first && !signed));
                first = false;
            } else if (part instanceof Reasoning thought) {
                thought(thought).ifPresent(written::add);
            } else {
                parts.write(part).ifPresent(written::add);
            }
        }
        return written;
    }

    static boolean isOwn(Optional<Signature> signature) {
        return signature.filter(by -> by.issuer() == Vendor.GOOGLE).isPresent();
    }

    private JsonObject call(ToolUse use, boolean unsigned) {
        changes.dropped(use.origin());
        changes.droppedHint(use.origin());
        JsonObject arguments = use.arguments().object().orElseGet(() -> {
            changes.note(use.origin().place(), "arguments wrapped: they are no JSON object");
            return JsonObject.of("arguments", JsonValue.of(use.arguments().text()));
        });
        JsonObject.Builder part = JsonObject.builder()
                .with(
                        "functionCall",
                        JsonObject.builder()
                                .with("name", JsonValue.of(use.name()))
                                .with("args", arguments)
                                .build());
        Optional<Signature> signature = use.origin().signature();
        if (isOwn(signature)) {
            part.with("thoughtSignature", JsonValue.of(signature.get().value()));
            return part.build();
        }
        changes.droppedSignature(use.origin());
        if (unsigned && signing) {
            part.with("thoughtSignature", JsonValue.of(UNSIGNED));
            if (!placeholder) {
                changes.note(use.origin().place(), "added: what stands for the signature of another model's call");
                placeholder = true;
            }
        }
        return part.build();
    }

    private Optional<JsonObject> thought(Reasoning thought) {
        Optional<Signature> signature = thought.origin().signature();
        if (!isOwn(signature)) {
            Reasonings.dropped(thought, changes);
            return Optional.empty();
        }
        return Optional.of(JsonObject.builder()
                .with("text", JsonValue.of(thought.text()))
                .with("thought", JsonValue.of(true))
                .with("thoughtSignature", JsonValue.of(signature.get().value()))
                .build());
    }

    private record Answer(int order, JsonObject part) {}

    private JsonObject response(ToolResult result, List<JsonValue> media) {
        changes.dropped(result.origin());
        changes.droppedHint(result.origin());
        for (Part part : result.content()) {
            if (part instanceof Media medium) {
                parts.write(medium).ifPresent(written -> {
                    changes.note(medium.origin().place(), "moved behind the results");
                    media.add(written);
                });
            } else if (part instanceof Text) {
                changes.droppedWithHints(part.origin());
            } else {
                changes.dropped(part.origin().place());
            }
        }
        return JsonObject.of(
                "functionResponse",
                JsonObject.builder()
                        .with("name", JsonValue.of(result.name().orElse(result.callId())))
                        .with("response", Results.document(result))
                        .build());
    }
}
