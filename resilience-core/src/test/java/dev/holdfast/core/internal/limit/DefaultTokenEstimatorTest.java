package dev.holdfast.core.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.spi.TokenEstimator;
import org.junit.jupiter.api.Test;

class DefaultTokenEstimatorTest {
    private final TokenEstimator estimator = DefaultTokenEstimator.defaults();

    @Test
    void countsATokenForFourCharactersOfTextRoundedUp() {
        ModelRequest request =
                ModelRequest.chat("m").system("12345678").user("1").build();
        assertThat(estimator.estimate(request).input()).isEqualTo(3);
    }

    @Test
    void countsTextInPartsAndToolsButNoImage() {
        JsonObject text = JsonObject.of("type", JsonValue.of("text")).with("text", JsonValue.of("12345678"));
        JsonObject image = JsonObject.of("type", JsonValue.of("image_url"))
                .with("image_url", JsonObject.of("url", JsonValue.of("data:".repeat(1000))));
        JsonObject message = JsonObject.of("role", JsonValue.of("user")).with("content", JsonArray.of(text, image));
        ModelRequest request = ModelRequest.chat("m")
                .message(message)
                .with("tools", JsonArray.of(JsonObject.of("name", JsonValue.of("look"))))
                .build();
        assertThat(estimator.estimate(request).input()).isEqualTo(3);
    }

    @Test
    void readsTheOtherForms() {
        JsonObject contents = JsonObject.of(
                "contents",
                JsonArray.of(JsonObject.of("parts", JsonArray.of(JsonObject.of("text", JsonValue.of("1234"))))));
        JsonObject gemini = contents.with("generationConfig", JsonObject.of("maxOutputTokens", JsonValue.of(77)));
        var estimate = estimator.estimate(ModelRequest.of(Form.GEMINI_CONTENT, "g", gemini));
        assertThat(estimate.input()).isEqualTo(1);
        assertThat(estimate.output()).isEqualTo(77);
    }

    @Test
    void doesNotOverflow() {
        ModelRequest request = ModelRequest.chat("m")
                .user("x")
                .maxTokens(Long.MAX_VALUE)
                .with("n", JsonValue.of(3))
                .build();
        assertThat(estimator.estimate(request).total()).isEqualTo(Long.MAX_VALUE);
    }
}
