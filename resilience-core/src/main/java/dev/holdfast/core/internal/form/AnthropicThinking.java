package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.internal.form.Conversation.CallMode;
import dev.holdfast.core.internal.form.Conversation.Placed;
import dev.holdfast.core.internal.form.Conversation.Role;
import dev.holdfast.core.internal.form.Conversation.Setting;
import dev.holdfast.core.internal.form.Conversation.Thinking;
import dev.holdfast.core.internal.form.Conversation.Turn;
import dev.holdfast.core.internal.form.Part.Reasoning;
import dev.holdfast.core.internal.form.Part.ToolResult;
import dev.holdfast.core.internal.form.Part.ToolUse;
import java.util.List;

/**
 * Writes how much Claude is to think, and the cap on its tokens, which holds the thoughts too. Models from 4.6 think as they see
 * fit and take an effort; older ones take a budget in tokens (platform.claude.com, "Adaptive thinking", "Extended thinking").
 */
final class AnthropicThinking {
    /** Every model of Anthropic's writes so many tokens. */
    static final long USUAL_CAP = 4_096;

    private static final long SMALLEST_BUDGET = 1_024;
    private static final int ADAPTIVE = 406;
    private static final int THINKING = 307;
    private static final int ALL_EFFORTS = 407;

    private final Conversation conversation;
    private final Addressee addressee;
    private final Changes changes;
    private final int version;
    private boolean on;

    AnthropicThinking(Conversation conversation, Addressee addressee, Changes changes) {
        this.conversation = conversation;
        this.addressee = addressee;
        this.changes = changes;
        this.version = ModelNames.claude(addressee.model());
    }

    boolean isOn() {
        return on;
    }

    void write(JsonObject.Builder document, JsonObject.Builder config, Settings settings) {
        Placed cap = settings.take(Setting.MAX_TOKENS);
        long most = cap == null ? 0 : capped(cap);
        Thinking thinking = conversation.thinking().orElse(null);
        long budget = 0;
        if (thinking != null) {
            budget = writeThinking(thinking, most, document, config);
        }
        if (cap == null) {
            most = addressee.maxOutput().orElse(USUAL_CAP + budget);
            changes.note(Place.ROOT.member("max_tokens"), "added: " + most + ", since the target wants one");
        }
        document.with("max_tokens", JsonValue.of(most));
    }

    private long capped(Placed cap) {
        long asked = cap.value().asLong().orElse(USUAL_CAP);
        long most = addressee.maxOutput().orElse(asked);
        if (asked > most) {
            changes.note(cap.place(), "clamped to " + most);
        }
        return Math.min(asked, most);
    }

    /** Writes the thinking and gives the budget it takes, if it has one. */
    private long writeThinking(Thinking thinking, long most, JsonObject.Builder document, JsonObject.Builder config) {
        switch (thinking.mode()) {
            case UNSAID -> Efforts.dropped(thinking, Changes.DROPPED, changes);
            case OFF -> {
                Efforts.unused(thinking.effort(), "the model is not to think", changes);
                Efforts.unused(thinking.budget(), "the model is not to think", changes);
                Efforts.unused(thinking.shown(), "the model is not to think", changes);
                if (version >= ADAPTIVE) {
                    document.with("thinking", JsonObject.of("type", JsonValue.of("disabled")));
                }
            }
            case ON, ADAPTIVE -> {
                if (cannotThink(thinking)) {
                    return 0;
                }
                if (version >= ADAPTIVE) {
                    writeAdaptive(thinking, document, config);
                } else {
                    return writeBudget(thinking, most, document);
                }
            }
        }
        return 0;
    }

    private boolean cannotThink(Thinking thinking) {
        String why = "";
        if (version > 0 && version < THINKING) {
            why = "the model does not think";
        } else if (conversation
                        .toolChoice()
                        .filter(choice -> choice.mode() == CallMode.REQUIRED)
                        .isPresent()
                && !conversation.tools().isEmpty()) {
            why = "a model that must call a tool does not think";
        } else if (endsWithUnsignedCalls()) {
            why = "the tool calls under way come without thoughts that the target signed";
        }
        if (!why.isEmpty()) {
            Efforts.dropped(thinking, "dropped: " + why, changes);
        }
        return !why.isEmpty();
    }

    /** While tools are called, each answer of the model must begin with what it thought. */
    private boolean endsWithUnsignedCalls() {
        List<Turn> turns = conversation.turns();
        for (int i = turns.size() - 1; i >= 0; i--) {
            Turn turn = turns.get(i);
            if (turn.role() == Role.ASSISTANT) {
                boolean calls = turn.parts().stream().anyMatch(ToolUse.class::isInstance);
                boolean signed =
                        turn.parts().stream().anyMatch(part -> part instanceof Reasoning thought && isOwn(thought));
                return calls && !signed;
            }
            boolean answersOnly = turn.parts().stream().allMatch(ToolResult.class::isInstance);
            if (turn.role() == Role.USER && !answersOnly) {
                return false;
            }
        }
        return false;
    }

    static boolean isOwn(Reasoning thought) {
        return thought.origin()
                .signature()
                .or(thought::hidden)
                .filter(by -> by.issuer() == Vendor.ANTHROPIC)
                .isPresent();
    }

    private void writeAdaptive(Thinking thinking, JsonObject.Builder document, JsonObject.Builder config) {
        on = true;
        JsonObject.Builder written = JsonObject.builder().with("type", JsonValue.of("adaptive"));
        thinking.shown()
                .ifPresent(shown ->
                        written.with("display", JsonValue.of(shown.value().isTrue() ? "summarized" : "omitted")));
        document.with("thinking", written.build());
        if (thinking.mode() == Thinking.Mode.ADAPTIVE || !thinking.isMeasured()) {
            return;
        }
        if (thinking.effort().isPresent()) {
            Efforts.unused(thinking.budget(), "the target takes an effort", changes);
        }
        String said = Efforts.word(thinking);
        String word =
                switch (said) {
                    case "minimal" -> "low";
                    case "xhigh" -> version >= ALL_EFFORTS ? said : "high";
                    default -> said;
                };
        if (!word.equals(thinking.word().orElse(""))) {
            changes.note(thinking.measured(), "said as effort " + word);
        }
        config.with("effort", JsonValue.of(word));
    }

    private long writeBudget(Thinking thinking, long most, JsonObject.Builder document) {
        long wanted = Math.max(SMALLEST_BUDGET, Efforts.budget(thinking).orElse(SMALLEST_BUDGET));
        long room = most == 0 ? wanted : Math.max(SMALLEST_BUDGET, most * 4 / 5);
        long budget = Math.min(wanted, room);
        if (most > 0 && budget >= most) {
            Efforts.dropped(
                    thinking, "dropped: max_tokens leaves no room for the least of " + SMALLEST_BUDGET, changes);
            return 0;
        }
        if (thinking.budget().isPresent()) {
            Efforts.unused(thinking.effort(), "the target takes a budget", changes);
        }
        if (thinking.tokens().orElse(0) != budget) {
            Place place =
                    thinking.budget().or(thinking::effort).map(Placed::place).orElse(thinking.place());
            changes.note(place, "said as a budget of " + budget + " tokens");
        }
        Efforts.unused(thinking.shown(), "the model shows its thoughts", changes);
        on = true;
        document.with(
                "thinking",
                JsonObject.builder()
                        .with("type", JsonValue.of("enabled"))
                        .with("budget_tokens", JsonValue.of(budget))
                        .build());
        return budget;
    }
}
