package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.internal.form.Conversation.Thinking;
import java.util.Optional;

/** In which names and words the vendors of OpenAI's form differ. */
final class OpenAiNames {
    static final String OLD_CAP = "max_tokens";
    static final String NEW_CAP = "max_completion_tokens";

    private OpenAiNames() {}

    static boolean isReasoning(Addressee addressee) {
        boolean own = addressee.vendor() == Vendor.OPENAI || addressee.vendor() == Vendor.AZURE;
        return own && ModelNames.isOpenAiReasoning(addressee.model());
    }

    /** OpenAI's models that think refuse the old name; other vendors do not know the new one. */
    static String cap(Addressee addressee) {
        return isReasoning(addressee) ? NEW_CAP : OLD_CAP;
    }

    /** Whether the vendor knows only the old name: the new one is refused, or ignored and the answer is not capped at all. */
    static boolean knowsOldCapOnly(Vendor vendor) {
        return vendor == Vendor.MISTRAL || vendor == Vendor.DEEPSEEK || vendor == Vendor.TOGETHER;
    }

    /** Whether the vendor knows the role {@code developer}. */
    static boolean knowsDeveloper(Vendor vendor) {
        return vendor != Vendor.MISTRAL && vendor != Vendor.DEEPSEEK && vendor != Vendor.TOGETHER;
    }

    /** The effort in OpenAI's words; the o series knows neither none nor minimal. */
    static String effort(Thinking thinking, String model) {
        boolean old = model.matches("(?:.*/)?o\\d.*");
        if (thinking.mode() == Thinking.Mode.OFF) {
            return old ? "low" : model.matches("(?:.*/)?gpt-5(?!\\.).*") ? "minimal" : "none";
        }
        String word = Efforts.word(thinking);
        return switch (word) {
            case "minimal" -> old ? "low" : word;
            case "max", "xhigh" -> "high";
            default -> word;
        };
    }

    /** OpenRouter's {@code reasoning} (openrouter.ai/docs, "Reasoning Tokens"). */
    static Optional<JsonObject> openRouter(Thinking thinking) {
        JsonObject.Builder said = JsonObject.builder();
        switch (thinking.mode()) {
            case OFF -> said.with("enabled", JsonValue.of(false));
            case ADAPTIVE, ON -> {
                if (thinking.budget().isPresent()) {
                    said.with("max_tokens", thinking.budget().get().value());
                } else if (thinking.mode() == Thinking.Mode.ON
                        || thinking.effort().isPresent()) {
                    said.with("effort", JsonValue.of(Efforts.word(thinking)));
                } else {
                    said.with("enabled", JsonValue.of(true));
                }
            }
            case UNSAID -> {
                // Only whether thoughts are shown.
            }
        }
        thinking.shown()
                .ifPresent(shown ->
                        said.with("exclude", JsonValue.of(!shown.value().isTrue())));
        JsonObject reasoning = said.build();
        return reasoning.members().isEmpty() ? Optional.empty() : Optional.of(reasoning);
    }
}
