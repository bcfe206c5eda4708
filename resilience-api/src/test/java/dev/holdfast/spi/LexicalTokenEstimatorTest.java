package dev.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LexicalTokenEstimatorTest {
    private final TokenEstimator estimator = TokenEstimator.lexical();

    private long input(ModelRequest request) {
        return estimator.estimate(request).input();
    }

    private static ModelRequest said(String text) {
        return ModelRequest.chat("m").user(text).build();
    }

    private static ModelRequest with(Form form, JsonObject part) {
        JsonObject message = JsonObject.of("role", JsonValue.of("user")).with("content", JsonArray.of(part));
        JsonObject document = JsonObject.of("model", JsonValue.of("m")).with("messages", JsonArray.of(message));
        return ModelRequest.of(form, document);
    }

    /** Counts of the vendor's own pages: "Hello, world!" takes 4 tokens, and the frame of a request about 8 more. */
    @Test
    void aShortQuestionTakesAboutWhatItTakes() {
        assertThat(input(said("Hello, world!"))).isBetween(10L, 15L);
        assertThat(input(said(""))).isBetween(7L, 10L);
    }

    @Test
    void everyMessageTakesAFewTokens() {
        ModelRequest one = said("yes yes");
        ModelRequest two = ModelRequest.chat("m").user("yes").user("yes").build();
        assertThat(input(two) - input(one)).isBetween(3L, 5L);
    }

    @Test
    void schemasAmongSettingsCountAndTheSettingsBesideThemDoNot() {
        JsonObject schema =
                JsonObject.of("properties", JsonObject.of("town", JsonObject.of("type", JsonValue.of("STRING"))));
        JsonObject plain = JsonObject.of("contents", JsonArray.of());
        JsonObject cool = plain.with("generationConfig", JsonObject.of("temperature", JsonValue.of(1)));
        long bare = input(ModelRequest.of(Form.GEMINI_CONTENT, "m", plain));
        assertThat(input(ModelRequest.of(Form.GEMINI_CONTENT, "m", cool))).isEqualTo(bare);
        for (String name : new String[] {"responseSchema", "responseJsonSchema"}) {
            JsonObject document = plain.with("generationConfig", JsonObject.of(name, schema));
            assertThat(input(ModelRequest.of(Form.GEMINI_CONTENT, "m", document)))
                    .as(name)
                    .isGreaterThan(bare);
        }
    }

    @Test
    void eachFunctionOfAToolOfGeminiCounts() {
        JsonObject function = JsonObject.of("name", JsonValue.of("weather"));
        long one = input(declaring(JsonArray.of(function)));
        long two = input(declaring(JsonArray.of(function, function)));
        assertThat(two - one).isGreaterThanOrEqualTo(8);
    }

    private static ModelRequest declaring(JsonArray functions) {
        JsonObject tool = JsonObject.of("functionDeclarations", functions);
        return ModelRequest.of(
                Form.GEMINI_CONTENT,
                "m",
                JsonObject.of("contents", JsonArray.of()).with("tools", JsonArray.of(tool)));
    }

    /** The roles, ids and types around a text are not read. */
    @Test
    void whatStandsAroundATextIsNotCounted() {
        JsonObject plain = JsonObject.of("type", JsonValue.of("text")).with("text", JsonValue.of("four words of text"));
        JsonObject marked = plain.with("cache_control", JsonObject.of("type", JsonValue.of("ephemeral")))
                .with("id", JsonValue.of("a-long-identifier-0123456789"));
        assertThat(input(with(Form.OPENAI_CHAT, marked))).isEqualTo(input(said("four words of text")));
    }

    @Test
    void systemTextCountsInEveryForm() {
        String text = "Answer in one short sentence, please.";
        JsonObject anthropic = JsonObject.of("model", JsonValue.of("m")).with("system", JsonValue.of(text));
        JsonObject gemini = JsonObject.of(
                "systemInstruction", JsonObject.of("parts", JsonArray.of(JsonObject.of("text", JsonValue.of(text)))));
        long expected = input(said(text));
        assertThat(input(ModelRequest.of(Form.ANTHROPIC_MESSAGES, anthropic))).isEqualTo(expected);
        assertThat(input(ModelRequest.of(Form.GEMINI_CONTENT, "m", gemini))).isEqualTo(expected);
    }

    @Test
    void toolsAreCountedAndAnthropicsPreambleToo() {
        JsonArray tools = JsonArray.of(JsonObject.of("name", JsonValue.of("get_weather"))
                .with("description", JsonValue.of("Tells the weather of a city"))
                .with(
                        "input_schema",
                        JsonObject.of("type", JsonValue.of("object"))
                                .with(
                                        "properties",
                                        JsonObject.of("city", JsonObject.of("type", JsonValue.of("string"))))));
        ModelRequest openAi = said("hi").withDocument(said("hi").document().with("tools", tools));
        ModelRequest anthropic = ModelRequest.of(Form.ANTHROPIC_MESSAGES, openAi.document());
        assertThat(input(openAi) - input(said("hi"))).isBetween(25L, 60L);
        assertThat(input(anthropic) - input(openAi)).isEqualTo(400);
        assertThat(input(said("hi").withDocument(said("hi").document().with("tools", JsonArray.of()))))
                .isEqualTo(input(said("hi")));
    }

    @ParameterizedTest
    @CsvSource({
        "OPENAI_CHAT, 1024, 1024, 765",
        "OPENAI_CHAT, 2048, 4096, 1105",
        "OPENAI_CHAT, 300, 300, 255",
        "ANTHROPIC_MESSAGES, 200, 200, 53",
        "ANTHROPIC_MESSAGES, 1000, 1000, 1333",
        "ANTHROPIC_MESSAGES, 8000, 8000, 1600",
        "GEMINI_CONTENT, 384, 384, 258",
        "GEMINI_CONTENT, 1000, 700, 516",
    })
    void anImageTakesWhatTheVendorSays(Form form, int width, int height, long tokens) {
        assertThat(ImageTokens.of(image(form, png(width, height)), form)).isEqualTo(tokens);
        assertThat(ImageTokens.of(image(form, jpeg(width, height)), form)).isEqualTo(tokens);
        assertThat(ImageTokens.of(image(form, gif(width, height)), form)).isEqualTo(tokens);
    }

    @Test
    void anImageOfUnknownSizeIsTakenForAMiddlingOne() {
        JsonObject url = JsonObject.of("image_url", JsonObject.of("url", JsonValue.of("https://h.test/a.png")));
        assertThat(ImageTokens.of(url, Form.OPENAI_CHAT)).isEqualTo(765);
        assertThat(ImageTokens.of(image(Form.ANTHROPIC_MESSAGES, new byte[] {1, 2, 3}), Form.ANTHROPIC_MESSAGES))
                .isEqualTo(1398);
        JsonObject low = JsonObject.of(
                "image_url",
                JsonObject.of("url", JsonValue.of("https://h.test/a.png")).with("detail", JsonValue.of("low")));
        assertThat(ImageTokens.of(low, Form.OPENAI_CHAT)).isEqualTo(85);
        assertThat(input(with(Form.OPENAI_CHAT, url)) - input(said(""))).isEqualTo(765);
    }

    @Property(tries = 500)
    void theHeadOfAnImageNeverThrows(@ForAll byte[] bytes, @ForAll @IntRange(max = 3) int format) {
        byte[] heads = {
            (byte) 0xff, (byte) 0xd8, (byte) 0xff, (byte) 0xc0, (byte) 0x89, 0x50, 0x4e, 0x47, 'G', 'I', 'F', 0
        };
        byte[] file = ByteBuffer.allocate(bytes.length + 4)
                .put(heads, Math.min(8, format * 4), 4)
                .put(bytes)
                .array();
        assertThat(ImageSize.ofBase64(Base64.getEncoder().encodeToString(file))
                        .filter(size -> size.width() < 1 || size.height() < 1))
                .isEmpty();
        assertThat(ImageSize.ofBase64(new String(file, StandardCharsets.ISO_8859_1)))
                .isEmpty();
    }

    /** A text takes no more than its parts and the seam between them. */
    @Property(tries = 500)
    void tokensAddUp(@ForAll String left, @ForAll String right) {
        long whole = TextTokens.hundredths(left + " " + right);
        assertThat(whole).isNotNegative();
        assertThat(whole).isLessThanOrEqualTo(TextTokens.hundredths(left) + TextTokens.hundredths(right) + 420);
    }

    @Test
    void theOutputIsTheLargestCapTimesTheChoices() {
        ModelRequest request = ModelRequest.chat("m")
                .user("x")
                .maxTokens(1)
                .with("max_completion_tokens", JsonValue.of(738))
                .with("n", JsonValue.of(2))
                .build();
        assertThat(estimator.estimate(request).output()).isEqualTo(1_476);
        assertThat(estimator.estimate(said("x")).output()).isEqualTo(256);
        assertThat(TokenEstimator.lexical(7).estimate(said("x")).output()).isEqualTo(7);
        assertThatThrownBy(() -> TokenEstimator.lexical(0)).hasMessage("defaultOutput: 0 (expected: >= 1)");
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

    private static JsonObject image(Form form, byte[] file) {
        JsonValue data = JsonValue.of(Base64.getEncoder().encodeToString(file));
        return switch (form) {
            case ANTHROPIC_MESSAGES ->
                JsonObject.of("type", JsonValue.of("image"))
                        .with(
                                "source",
                                JsonObject.of("type", JsonValue.of("base64")).with("data", data));
            case GEMINI_CONTENT ->
                JsonObject.of(
                        "inlineData",
                        JsonObject.of("mimeType", JsonValue.of("image/png")).with("data", data));
            default ->
                JsonObject.of(
                        "image_url",
                        JsonObject.of(
                                "url",
                                JsonValue.of(
                                        "data:image/png;base64," + data.asText().orElseThrow())));
        };
    }

    private static byte[] png(int width, int height) {
        return ByteBuffer.allocate(24)
                .putLong(0x89504e470d0a1a0aL)
                .putInt(13)
                .putInt(0x49484452)
                .putInt(width)
                .putInt(height)
                .array();
    }

    private static byte[] gif(int width, int height) {
        return new byte[] {
            'G', 'I', 'F', '8', '9', 'a', (byte) width, (byte) (width >> 8), (byte) height, (byte) (height >> 8), 0, 0
        };
    }

    /** A start, a comment of three bytes, and a frame header. */
    private static byte[] jpeg(int width, int height) {
        return ByteBuffer.allocate(24)
                .putShort((short) 0xffd8)
                .putShort((short) 0xfffe)
                .putShort((short) 5)
                .put(new byte[] {1, 2, 3})
                .putShort((short) 0xffc0)
                .putShort((short) 11)
                .put((byte) 8)
                .putShort((short) height)
                .putShort((short) width)
                .array();
    }
}
