package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.ToolCall;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The snippets of docs/translation.md. */
class TranslationSnippetsTest {
    private static JsonArray one(JsonObject object) {
        return JsonArray.of(object);
    }

    @Test
    void requestsInThreeForms() {
        JsonObject messages = JsonObject.of("model", JsonValue.of("claude-sonnet-4-5"))
                .with("max_tokens", JsonValue.of(1_000))
                .with("system", JsonValue.of("Be brief."))
                .with(
                        "messages",
                        one(JsonObject.of("role", JsonValue.of("user")).with("content", JsonValue.of("Hi"))));
        JsonObject contents =
                JsonObject.of("contents", one(JsonObject.of("parts", one(JsonObject.of("text", JsonValue.of("Hi"))))));
        // snippet: translation-forms
        ModelRequest openAi = ModelRequest.chat("gpt-4.1")
                .system("Be brief.")
                .user("Name three rivers.")
                .build();
        ModelRequest anthropic = ModelRequest.anthropicMessages(messages);
        ModelRequest gemini =
                ModelRequest.geminiContent("gemini-2.5-flash", contents).withStreaming(true);
        // end
        assertThat(List.of(openAi.form(), anthropic.form(), gemini.form()))
                .containsExactly(Form.OPENAI_CHAT, Form.ANTHROPIC_MESSAGES, Form.GEMINI_CONTENT);
        assertThat(anthropic.system()).isEqualTo(openAi.system());
        assertThat(gemini.streaming()).isTrue();
    }

    @Test
    void aHistoryWithTools() {
        JsonObject schema = JsonObject.of("type", JsonValue.of("object"));
        List<ToolCall> calls = List.of(new ToolCall("toolu_1", "look_up", "{\"q\":\"Rhine\"}"));
        // snippet: translation-tools
        ModelRequest next = ModelRequest.chat("gpt-4.1")
                .tool("look_up", "Looks something up.", schema)
                .user("How long is the Rhine?")
                .toolCalls(calls)
                .toolResult(calls.getFirst().id(), "1,230 km")
                .build();
        // end
        assertThat(next.toolNames()).containsExactly("look_up");
        assertThat(next.document().list("messages")).hasSize(3);
    }
}
