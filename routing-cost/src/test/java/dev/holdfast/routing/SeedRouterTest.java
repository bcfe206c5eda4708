package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallOptions;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.Route;
import dev.holdfast.spi.ModelRouter.ModelStatus;
import dev.holdfast.spi.ModelRouter.RouteRequest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SeedRouterTest {
    private static final String EXPORTS = "한국의 주요 수출 품목 5가지를 설명해주세요.";
    private static final List<String> FOUR =
            List.of("gpt-4.1", "claude-sonnet-4.5", "gemini-2.5-flash", "deepseek-v3.2");

    @Test
    void theArticlesExampleGoesToDeepseek() {
        Route route = SeedRouter.defaults().route(request(chat(EXPORTS, 512), FOUR));
        assertThat(route.models()).containsExactly("deepseek-v3.2", "gemini-2.5-flash");
        assertThat(route.reason()).isEqualTo("seed: simple, prefers speed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"분석", "비교", "추론", "논리", "계산", "검증"})
    void aWordOfReasoningGivesTwoPoints(String word) {
        String question = "이것을 " + word + "해주세요";
        assertThat(Complexity.of(question, 2048)).isEqualTo(Complexity.MODERATE);
        assertThat(Complexity.of(question, 2049)).isEqualTo(Complexity.COMPLEX);
        assertThat(Complexity.of(question + "x".repeat(500), 0)).isEqualTo(Complexity.COMPLEX);
    }

    @Test
    void manyWordsOfReasoningGiveNoMore() {
        assertThat(Complexity.of("분석 비교 추론 논리 계산 검증", 0)).isEqualTo(Complexity.MODERATE);
    }

    @Test
    void lengthAndOutputGiveOnePointEach() {
        assertThat(Complexity.of("x".repeat(500), 2048)).isEqualTo(Complexity.SIMPLE);
        assertThat(Complexity.of("x".repeat(501), 2048)).isEqualTo(Complexity.MODERATE);
        assertThat(Complexity.of("x".repeat(500), 2049)).isEqualTo(Complexity.MODERATE);
        assertThat(Complexity.of("x".repeat(501), 2049)).isEqualTo(Complexity.MODERATE);
    }

    @Test
    void aCharacterOutsideTheBasicPlaneIsOne() {
        assertThat(Complexity.of("😀".repeat(500), 0)).isEqualTo(Complexity.SIMPLE);
        assertThat(Complexity.of("😀".repeat(501), 0)).isEqualTo(Complexity.MODERATE);
    }

    @ParameterizedTest
    @CsvSource({"SIMPLE, 256, false", "MODERATE, 1024, false", "COMPLEX, 4096, true"})
    void theLimitsAreThoseOfTheArticle(Complexity complexity, long tokens, boolean reasoning) {
        assertThat(complexity.outputTokens()).isEqualTo(tokens);
        assertThat(complexity.reasoning()).isEqualTo(reasoning);
    }

    @ParameterizedTest
    @CsvSource({
        "hello,   0,    true,  deepseek-v3.2,    gemini-2.5-flash",
        "hello,   0,    false, gemini-2.5-flash, deepseek-v3.2",
        "분석,     0,    true,  gemini-2.5-flash, deepseek-v3.2",
        "분석,     0,    false, gpt-4.1,          gemini-2.5-flash",
        "분석,     4096, true,  gpt-4.1,          claude-sonnet-4.5",
        "분석,     4096, false, gemini-2.5-flash, gpt-4.1",
    })
    void eachComplexityHasItsPathBothWays(
            String question, long maxTokens, boolean preferSpeed, String primary, String fallback) {
        Route route =
                SeedRouter.defaults().withPreferSpeed(preferSpeed).route(request(chat(question, maxTokens), FOUR));
        assertThat(route.models()).containsExactly(primary, fallback);
        assertThat(route.reason()).endsWith(preferSpeed ? "speed" : "quality");
    }

    @Test
    void theLastMessageOfTheUserIsTheQuestion() {
        ModelRequest request = ModelRequest.chat("m")
                .system("분석")
                .user("분석")
                .assistant("분석")
                .user("hello")
                .assistant("분석")
                .build();
        assertThat(SeedRouter.defaults().route(request(request, FOUR)).reason()).contains("simple");
    }

    @Test
    void aQuestionInPartsIsRead() {
        JsonObject message = JsonObject.of("role", JsonValue.of("user"))
                .with(
                        "content",
                        JsonArray.of(
                                JsonObject.of("type", JsonValue.of("image_url")),
                                JsonObject.of("type", JsonValue.of("text")).with("text", JsonValue.of("비교"))));
        ModelRequest request = ModelRequest.chat("m").message(message).build();
        assertThat(SeedRouter.defaults().route(request(request, FOUR)).reason()).contains("moderate");
    }

    @Test
    void geminisAndAnthropicsFormsAreRead() {
        JsonObject parts = JsonObject.of("parts", JsonArray.of(JsonObject.of("text", JsonValue.of("검증"))));
        JsonObject gemini = JsonObject.of("contents", JsonArray.of(parts))
                .with("generationConfig", JsonObject.of("maxOutputTokens", JsonValue.of(3000)));
        assertThat(reason(ModelRequest.of(Form.GEMINI_CONTENT, "m", gemini))).contains("complex");

        JsonObject message = JsonObject.of("role", JsonValue.of("user")).with("content", JsonValue.of("검증"));
        JsonObject anthropic = JsonObject.of("messages", JsonArray.of(message)).with("max_tokens", JsonValue.of(3000));
        assertThat(reason(ModelRequest.of(Form.ANTHROPIC_MESSAGES, "m", anthropic)))
                .contains("complex");
    }

    @Test
    void modelsThatAreNotConfiguredAreLeftOut() {
        List<String> two = List.of("gpt-4.1", "gemini-2.5-flash");
        assertThat(SeedRouter.defaults().route(request(chat("hello", 1), two)).models())
                .containsExactly("gemini-2.5-flash");
        assertThat(SeedRouter.defaults().route(request(chat("분석", 4096), two)).models())
                .containsExactly("gpt-4.1", "gemini-2.5-flash");
    }

    @Test
    void otherSpellingsOfAModelAreUnderstood() {
        List<String> spelled = List.of("openai/gpt-4.1", "claude-sonnet-4-5", "models/gemini-2.5-flash", "deepseek-v3");
        assertThat(SeedRouter.defaults()
                        .route(request(chat("분석", 4096), spelled))
                        .models())
                .containsExactly("openai/gpt-4.1", "claude-sonnet-4-5");
        assertThat(SeedRouter.defaults()
                        .route(request(chat("hello", 1), spelled))
                        .models())
                .containsExactly("deepseek-v3", "models/gemini-2.5-flash");
    }

    @Test
    void whatNoModelIsConfiguredForGoesToTheModelItNames() {
        Route route = SeedRouter.defaults().route(request(chat("hello", 1), List.of("other", "asked")));
        assertThat(route.models()).containsExactly("asked");
        assertThat(route.reason()).contains("no model of its path is configured");
    }

    @Test
    void anOpaqueRequestStaysWithItsModel() {
        ModelRequest request = ModelRequest.opaque("/embeddings", "embedder", JsonObject.empty());
        assertThat(SeedRouter.defaults().route(request(request, FOUR)).models()).containsExactly("embedder");
    }

    private static String reason(ModelRequest request) {
        return SeedRouter.defaults().route(request(request, FOUR)).reason();
    }

    private static ModelRequest chat(String question, long maxTokens) {
        ModelRequest.Builder builder = ModelRequest.chat("asked").user(question);
        return maxTokens > 0 ? builder.maxTokens(maxTokens).build() : builder.build();
    }

    static RouteRequest request(ModelRequest request, List<String> models) {
        Stream<ModelStatus> statuses = models.stream()
                .map(model -> new ModelStatus(model, true, OptionalLong.empty(), Optional.empty(), Optional.empty()));
        return new RouteRequest(request, CallOptions.none(), statuses.toList());
    }
}
