package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonObject;
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
import java.util.Optional;
import java.util.stream.Collectors;

/** Writes what was said as OpenAI's messages: tool results one by one right after their calls. One is made for each document. */
final class OpenAiTurns {
    private final Addressee addressee;
    private final Changes changes;
    private final OpenAiParts parts;
    private final List<JsonValue> messages = new ArrayList<>();

    OpenAiTurns(Addressee addressee, Changes changes) {
        this.addressee = addressee;
        this.changes = changes;
        this.parts = new OpenAiParts(addressee, changes);
    }

    JsonArray messages(List<Turn> turns) {
        for (Turn turn : turns) {
            changes.droppedWithHints(turn.origin());
            switch (turn.role()) {
                case SYSTEM -> addSpoken("system", turn, turn.parts());
                case USER -> addUser(turn);
                case ASSISTANT -> addAssistant(turn);
            }
        }
        return new JsonArray(messages);
    }

    private void addSpoken(String role, Turn turn, List<Part> said) {
        var written = new ArrayList<JsonObject>();
        said.forEach(part -> parts.write(part).ifPresent(written::add));
        if (!written.isEmpty()) {
            JsonObject.Builder message = JsonObject.builder().with("role", JsonValue.of(role));
            turn.name().ifPresent(name -> message.with("name", JsonValue.of(name)));
            messages.add(message.with("content", content(written, turn.plain())).build());
        }
    }

    private void addUser(Turn turn) {
        var others = new ArrayList<Part>();
        for (Part part : turn.parts()) {
            if (part instanceof ToolResult result) {
                addResult(result, others);
            } else {
                others.add(part);
            }
        }
        addSpoken("user", turn, others);
    }

    /** A tool's answer is text here; its media go to the user's message after it. */
    private void addResult(ToolResult result, List<Part> others) {
        changes.dropped(result.origin());
        changes.droppedHint(result.origin());
        changes.droppedSignature(result.origin());
        for (Part part : result.content()) {
            if (part instanceof Media) {
                changes.note(part.origin().place(), "moved to a message of the user");
                others.add(part);
            } else if (!(part instanceof Text)) {
                changes.dropped(part.origin().place());
            } else {
                changes.droppedWithHints(part.origin());
            }
        }
        if (result.failed().orElse(false)) {
            changes.note(result.origin().place(), "is_error dropped: the target reads it from the text");
        }
        messages.add(JsonObject.builder()
                .with("role", JsonValue.of("tool"))
                .with("tool_call_id", JsonValue.of(result.callId()))
                .with("content", JsonValue.of(Results.text(result)))
                .build());
    }

    private void addAssistant(Turn turn) {
        var written = new ArrayList<JsonObject>();
        var calls = new ArrayList<JsonValue>();
        var thoughts = new ArrayList<Reasoning>();
        String refusal = "";
        for (Part part : turn.parts()) {
            switch (part) {
                case ToolUse use -> calls.add(call(use));
                case Reasoning thought -> thoughts.add(thought);
                case Refusal declined -> refusal = declined.text();
                case Foreign foreign -> changes.dropped(foreign.origin().place());
                case Text text -> parts.write(text).ifPresent(written::add);
                case Media media -> changes.note(media.origin().place(), "dropped: the target's model says only text");
                case ToolResult result -> changes.dropped(result.origin().place());
            }
        }
        JsonObject.Builder message = JsonObject.builder().with("role", JsonValue.of("assistant"));
        turn.name().ifPresent(name -> message.with("name", JsonValue.of(name)));
        message.with("content", written.isEmpty() ? JsonNull.NULL : content(written, turn.plain()));
        if (!refusal.isEmpty()) {
            message.with("refusal", JsonValue.of(refusal));
        }
        writeThoughts(thoughts, !calls.isEmpty(), message);
        if (!calls.isEmpty()) {
            message.with("tool_calls", new JsonArray(calls));
        }
        if (!written.isEmpty() || !calls.isEmpty() || !refusal.isEmpty()) {
            messages.add(message.build());
        }
    }

    private JsonObject call(ToolUse use) {
        changes.dropped(use.origin());
        changes.droppedHint(use.origin());
        JsonObject.Builder call = JsonObject.builder()
                .with("id", JsonValue.of(use.id()))
                .with("type", JsonValue.of("function"))
                .with(
                        "function",
                        JsonObject.builder()
                                .with("name", JsonValue.of(use.name()))
                                .with("arguments", JsonValue.of(use.arguments().text()))
                                .build());
        boolean own = addressee.vendor() == Vendor.GOOGLE
                && use.origin()
                        .signature()
                        .filter(by -> by.issuer() == Vendor.GOOGLE)
                        .isPresent();
        if (own) {
            JsonObject signed = JsonObject.of(
                    "thought_signature",
                    JsonValue.of(use.origin().signature().get().value()));
            call.with("extra_content", JsonObject.of("google", signed));
        } else {
            changes.droppedSignature(use.origin());
        }
        return call.build();
    }

    /**
     * OpenRouter passes thoughts on to whoever issued them. DeepSeek wants to see some beside each tool call, its own or none
     * (api-docs.deepseek.com, "Thinking Mode"). Nobody else takes any.
     */
    private void writeThoughts(List<Reasoning> thoughts, boolean calling, JsonObject.Builder message) {
        if (addressee.vendor() == Vendor.OPENROUTER) {
            thoughts.forEach(thought -> changes.dropped(thought.origin()));
            List<JsonValue> details = thoughts.stream()
                    .map(OpenAiTurns::detail)
                    .flatMap(Optional::stream)
                    .toList();
            if (!details.isEmpty()) {
                message.with("reasoning_details", new JsonArray(details));
            }
            return;
        }
        thoughts.forEach(thought -> Reasonings.dropped(thought, changes));
        if (addressee.vendor() == Vendor.DEEPSEEK && calling) {
            message.with("reasoning_content", JsonValue.of(""));
        }
    }

    private static Optional<JsonValue> detail(Reasoning thought) {
        Optional<Origin.Signature> signed =
                thought.hidden().or(() -> thought.origin().signature());
        if (signed.isEmpty() && thought.text().isEmpty()) {
            return Optional.empty();
        }
        JsonObject.Builder detail = JsonObject.builder();
        if (thought.hidden().isPresent()) {
            detail.with("type", JsonValue.of("reasoning.encrypted"))
                    .with("data", JsonValue.of(thought.hidden().get().value()));
        } else {
            detail.with("type", JsonValue.of("reasoning.text")).with("text", JsonValue.of(thought.text()));
            signed.ifPresent(by -> detail.with("signature", JsonValue.of(by.value())));
        }
        String format = signed.flatMap(by -> OpenAiMessages.ISSUERS.entrySet().stream()
                        .filter(known -> known.getValue() == by.issuer())
                        .map(Map.Entry::getKey)
                        .findFirst())
                .orElse("unknown");
        return Optional.of(detail.with("format", JsonValue.of(format)).build());
    }

    /** One text where one was said, or where the vendor reads nothing else. */
    private JsonValue content(List<JsonObject> written, boolean plain) {
        boolean texts = written.stream().allMatch(each -> each.text("text").isPresent());
        boolean hinted =
                written.stream().anyMatch(each -> each.get("cache_control").isPresent());
        boolean oneText = texts && !hinted && (written.size() == 1 || plain);
        if (oneText || (texts && addressee.vendor() == Vendor.DEEPSEEK)) {
            return JsonValue.of(
                    written.stream().map(each -> each.text("text").orElse("")).collect(Collectors.joining("\n\n")));
        }
        return new JsonArray(List.copyOf(written));
    }
}
