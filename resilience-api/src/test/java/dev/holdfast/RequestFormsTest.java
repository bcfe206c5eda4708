package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestFormsTest {
    private static final JsonObject SCHEMA = JsonObject.of("type", JsonValue.of("object"));

    private static JsonObject text(String text) {
        return JsonObject.of("text", JsonValue.of(text));
    }

    private static final ModelRequest OPENAI = ModelRequest.chat("m")
            .system("Be brief.")
            .userImage("What is this?", "https://example.com/a.png")
            .toolCalls(List.of(new ToolCall("call_1", "look_up", "{\"q\":1}")))
            .toolResult("call_1", "a river")
            .tool("look_up", "looks up", SCHEMA)
            .tool("add", "adds", SCHEMA)
            .jsonSchema("answer", SCHEMA)
            .stop("a", "b")
            .maxTokens(7)
            .build();

    private static final ModelRequest ANTHROPIC = ModelRequest.anthropicMessages(JsonObject.of(
                    "model", JsonValue.of("c"))
            .with("system", JsonArray.of(text("Be brief."), text("Be kind.")))
            .with("max_tokens", JsonValue.of(7))
            .with(
                    "tools",
                    JsonArray.of(
                            JsonObject.of("name", JsonValue.of("look_up")).with("input_schema", SCHEMA),
                            JsonObject.of("type", JsonValue.of("web_search")).with("name", JsonValue.of("search")))));

    private static final ModelRequest GEMINI = ModelRequest.geminiContent(
            "g",
            JsonObject.of("system_instruction", JsonObject.of("parts", JsonArray.of(text("Be brief."))))
                    .with(
                            "generation_config",
                            JsonObject.of("max_output_tokens", JsonValue.of(7)).with("candidateCount", JsonValue.of(2)))
                    .with(
                            "tools",
                            JsonArray.of(JsonObject.of(
                                    "functionDeclarations",
                                    JsonArray.of(JsonObject.of("name", JsonValue.of("look_up")))))));

    @Test
    void theSystemIsReadInEachForm() {
        assertThat(OPENAI.system()).contains("Be brief.");
        assertThat(ANTHROPIC.system()).contains("Be brief.\nBe kind.");
        assertThat(GEMINI.system()).contains("Be brief.");
        assertThat(ModelRequest.chat("m").user("Hi").build().system()).isEmpty();
    }

    @Test
    void theFunctionsAreNamedInEachForm() {
        assertThat(OPENAI.toolNames()).containsExactly("look_up", "add");
        assertThat(ANTHROPIC.toolNames()).containsExactly("look_up");
        assertThat(GEMINI.toolNames()).containsExactly("look_up");
        assertThat(ModelRequest.opaque("/x", "m", OPENAI.document()).toolNames())
                .isEmpty();
    }

    @Test
    void capsAndChoicesAreReadInEachFormAndSpelling() {
        assertThat(OPENAI.maxOutputTokens()).hasValue(7);
        assertThat(ANTHROPIC.maxOutputTokens()).hasValue(7);
        assertThat(GEMINI.maxOutputTokens()).hasValue(7);
        assertThat(GEMINI.choices()).isEqualTo(2);
        assertThat(ANTHROPIC.choices()).isEqualTo(1);
    }

    @Test
    void aStreamIsAskedForWhereTheFormSaysIt() {
        assertThat(ANTHROPIC.withStreaming(true).document().get("stream")).contains(JsonValue.of(true));
        ModelRequest streamed = GEMINI.withStreaming(true);
        assertThat(streamed.streaming()).isTrue();
        assertThat(streamed.document()).isEqualTo(GEMINI.document());
        assertThat(streamed).isNotEqualTo(GEMINI);
        assertThat(streamed.withModel("h").streaming()).isTrue();
        assertThat(streamed.withDocument(JsonObject.empty()).streaming()).isTrue();
        assertThat(streamed.withStreaming(false)).isEqualTo(GEMINI);
        assertThat(GEMINI.withStreaming(false)).isSameAs(GEMINI);
        ModelRequest said = ModelRequest.geminiContent("g", JsonObject.of("stream", JsonValue.of(true)));
        assertThat(said.withStreaming(false).streaming()).isFalse();
    }

    @Test
    void theBuilderWritesWhatOpenAiReads() {
        assertThat(OPENAI.document().toJson())
                .isEqualTo("{\"model\":\"m\",\"messages\":[{\"role\":\"system\",\"content\":\"Be"
                        + " brief.\"},{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"What is"
                        + " this?\"},"
                        + "{\"type\":\"image_url\",\"image_url\":{\"url\":\"https://example.com/a.png\"}}]},"
                        + "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"call_1\",\"type\":\"function\","
                        + "\"function\":{\"name\":\"look_up\",\"arguments\":\"{\\\"q\\\":1}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":\"a"
                        + " river\"}],\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"look_up\",\"description\":\"looks"
                        + " up\","
                        + "\"parameters\":{\"type\":\"object\"}}},{\"type\":\"function\",\"function\":{\"name\":\"add\","
                        + "\"description\":\"adds\",\"parameters\":{\"type\":\"object\"}}}],"
                        + "\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"answer\","
                        + "\"schema\":{\"type\":\"object\"}}},\"stop\":[\"a\",\"b\"],\"max_tokens\":7}");
    }

    @Test
    void aDocumentOfAFormThatNamesItsModelMustNameIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ModelRequest.anthropicMessages(JsonObject.empty()))
                .withMessageStartingWith("/model: ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ModelRequest.openAiChat(JsonObject.empty()))
                .withMessageStartingWith("/model: ");
    }
}
