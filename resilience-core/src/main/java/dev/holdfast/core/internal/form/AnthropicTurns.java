package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.internal.form.Conversation.Role;
import dev.holdfast.core.internal.form.Conversation.Turn;
import dev.holdfast.core.internal.form.Part.Text;
import dev.holdfast.core.internal.form.Part.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes what was said as Anthropic wants it: the system apart, user and assistant by turns, tool results first in the turn after
 * their calls. One is made for each document.
 */
final class AnthropicTurns {
    private static final String NOTHING = ".";

    private final SystemApart turns;
    private final Changes changes;

    AnthropicTurns(Conversation conversation, Changes changes) {
        this.changes = changes;
        this.turns = SystemApart.of(conversation, "the system prompt", changes);
    }

    /** The system prompt, one text if it is one; null if there is none. */
    @Nullable
    JsonValue system(Optional<String> more) {
        var blocks = new ArrayList<JsonObject>();
        for (Turn turn : turns.system()) {
            noteTurn(turn);
            for (Part part : turn.parts()) {
                if (part instanceof Text || part instanceof Part.Refusal) {
                    AnthropicBlocks.write(part, changes).ifPresent(blocks::add);
                } else {
                    changes.note(part.origin().place(), "dropped: the system prompt takes only text");
                }
            }
        }
        more.ifPresent(text -> blocks.add(AnthropicBlocks.text(text)));
        return blocks.isEmpty() ? null : content(blocks);
    }

    JsonArray messages() {
        var messages = new ArrayList<JsonValue>();
        var blocks = new ArrayList<JsonObject>();
        Role speaker = Role.USER;
        for (Turn turn : turns.spoken()) {
            noteTurn(turn);
            if (turn.role() != speaker) {
                add(messages, speaker, blocks);
                speaker = turn.role();
            }
            List<JsonObject> written = blocks(turn);
            if (written.isEmpty()) {
                continue;
            }
            if (messages.isEmpty() && blocks.isEmpty() && speaker == Role.ASSISTANT) {
                changes.note(Place.ROOT.member("messages"), "added: a user's turn, with which the target begins");
                messages.add(message(Role.USER, List.of(AnthropicBlocks.text(NOTHING))));
            }
            blocks.addAll(written);
        }
        add(messages, speaker, blocks);
        return new JsonArray(messages);
    }

    /** A turn that says nothing is left out, so the next may be of the same speaker: they become one. */
    private static void add(List<JsonValue> messages, Role speaker, List<JsonObject> blocks) {
        if (!blocks.isEmpty()) {
            messages.add(message(speaker, blocks));
            blocks.clear();
        }
    }

    private List<JsonObject> blocks(Turn turn) {
        var results = new ArrayList<JsonObject>();
        var others = new ArrayList<JsonObject>();
        for (Part part : turn.parts()) {
            AnthropicBlocks.write(part, changes).ifPresent((part instanceof ToolResult ? results : others)::add);
        }
        results.addAll(others);
        return results;
    }

    private void noteTurn(Turn turn) {
        turn.name().ifPresent(name -> changes.dropped(turn.origin().place().member("name")));
        changes.droppedWithHints(turn.origin());
    }

    private static JsonObject message(Role role, List<JsonObject> blocks) {
        return JsonObject.builder()
                .with("role", JsonValue.of(role == Role.USER ? "user" : "assistant"))
                .with("content", content(blocks))
                .build();
    }

    private static JsonValue content(List<JsonObject> blocks) {
        JsonObject first = blocks.getFirst();
        boolean one = blocks.size() == 1
                && first.text("type").filter("text"::equals).isPresent()
                && first.get("cache_control").isEmpty();
        return one ? first.get("text").orElseThrow() : new JsonArray(List.copyOf(blocks));
    }
}
