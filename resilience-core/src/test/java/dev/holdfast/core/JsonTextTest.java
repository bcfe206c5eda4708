package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Bytes;
import dev.holdfast.JsonValue;
import dev.holdfast.core.internal.json.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class JsonTextTest {
    @Provide
    Arbitrary<JsonValue> documents() {
        return Documents.any();
    }

    @Property
    void whatIsWrittenReadsAsTheSameAndWritesAsTheSame(@ForAll("documents") JsonValue document) {
        String text = document.toJson();
        JsonValue read = JsonText.parse(text);
        assertThat(read).isEqualTo(document);
        assertThat(read.toJson()).isEqualTo(text);
        assertThat(JsonText.parse(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(document);
        assertThat(JsonReader.salvage(text)).hasValue(document);
    }

    @Test
    void aReplacementCharacterThatWasWrittenIsTextAndNoSignOfBrokenBytes() {
        byte[] written = "[\"\uFFFD\"]".getBytes(StandardCharsets.UTF_8);
        assertThat(JsonText.parse(written).toJson()).isEqualTo("[\"\uFFFD\"]");
        assertThat(JsonText.parse(Bytes.of(written))).isEqualTo(JsonText.parse(written));
        byte[] broken = {'[', '"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"', ']'};
        assertThatExceptionOfType(JsonTextException.class)
                .isThrownBy(() -> JsonText.parse(Bytes.of(broken)))
                .withMessageContaining("not UTF-8");
    }

    @Test
    void orderAndNumberTextAreKept() {
        String text = "{\"z\":1.0,\"a\":1E+2,\"m\":-0,\"n\":0.10,\"big\":123456789012345678901234567890}";
        assertThat(JsonText.parse(text).toJson()).isEqualTo(text);
        assertThat(new ArrayList<>(
                        JsonText.parse(text).asObject().orElseThrow().members().keySet()))
                .containsExactly("z", "a", "m", "n", "big");
    }

    @Test
    void blankLinesAndAByteOrderMarkAreNoPartOfTheDocument() {
        assertThat(JsonText.parse("\uFEFF{}").toJson()).isEqualTo("{}");
        assertThat(JsonText.parse("\n\n\r\n  [1]\n").toJson()).isEqualTo("[1]");
        assertThat(JsonText.parse(Bytes.of(new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF, '1'}))
                        .toJson())
                .isEqualTo("1");
    }

    @Test
    void loneSurrogatesSurvive() {
        assertThat(JsonText.parse("\"\\ud800x\\udc00\"").asText()).hasValue("\ud800x\udc00");
        assertThat(JsonText.parse("\"\\ud800x\"").toJson()).isEqualTo("\"\\ud800x\"");
    }

    @Test
    void whatIsNoDocumentIsRefusedWithItsPlaceAndWithoutItsContent() {
        for (String text : new String[] {
            "",
            "  ",
            "{",
            "[1,]",
            "{\"a\":1,}",
            "nul",
            "NaN",
            "01",
            "+1",
            "'a'",
            "{a:1}",
            "{} {}",
            "[] x",
            "/* */1",
            "\"\t\"",
            "{\"secret\":1,\"secret\":2}",
            "secret",
            "\"secret",
            "[secret]",
            "{\"\\udc00\":1}"
        }) {
            assertThatExceptionOfType(JsonTextException.class)
                    .as(text)
                    .isThrownBy(() -> JsonText.parse(text))
                    .withNoCause()
                    .withMessageMatching("line \\d+, column \\d+: .*")
                    .withMessageNotContaining("secret");
        }
    }

    @Test
    void thePlaceIsThatOfTheFault() {
        assertThatExceptionOfType(JsonTextException.class)
                .isThrownBy(() -> JsonText.parse("{\n  \"a\": 1,\n  \"a\": 2}"))
                .satisfies(e -> assertThat(e.line()).isEqualTo(3))
                .satisfies(e -> assertThat(e.column()).isEqualTo(3));
        assertThatExceptionOfType(JsonTextException.class)
                .isThrownBy(() -> JsonText.parse(new byte[] {'"', '\n', 'a', (byte) 0xFF, '"'}))
                .withMessage("line 2, column 2: not UTF-8");
    }

    @Test
    void depthAndNumbersAreBounded() {
        assertThat(JsonText.parse("[".repeat(1000) + "]".repeat(1000))).isNotNull();
        for (String text :
                new String[] {"[".repeat(1001) + "]".repeat(1001), "[".repeat(1_000_000), "9".repeat(1_000_000)}) {
            assertThatExceptionOfType(JsonTextException.class).isThrownBy(() -> JsonText.parse(text));
            JsonReader.salvage(text);
        }
    }

    @Property
    void anyTextIsReadOrRefused(@ForAll String text) {
        try {
            assertThat(JsonText.parse(JsonText.parse(text).toJson())).isEqualTo(JsonText.parse(text));
        } catch (JsonTextException e) {
            assertThat(e.line()).isPositive();
            assertThat(JsonReader.tryRead(text)).isEmpty();
        }
    }

    @Property
    void anyBytesAreReadOrRefused(@ForAll byte[] bytes) {
        Bytes utf8 = Bytes.of(bytes);
        assertThat(JsonReader.tryRead(utf8, utf8.toUtf8())).isNotNull();
    }

    @Test
    void whatACutDocumentSaidCanStillBeHad() {
        assertThat(JsonReader.salvage("{\"a\":{\"b\":1,\"c\":[1,2")
                        .orElseThrow()
                        .toJson())
                .isEqualTo("{\"a\":{\"b\":1,\"c\":[1,2]}}");
        assertThat(JsonReader.salvage("{\"a\":1,\"a\":2} tail").orElseThrow().toJson())
                .isEqualTo("{\"a\":2}");
        assertThat(JsonReader.salvage("no")).isEmpty();
        assertThat(JsonReader.endsEarly("{\"a\":")).isTrue();
        assertThat(JsonReader.endsEarly("{\"a\":}")).isFalse();
        assertThat(JsonReader.endsEarly("{}")).isFalse();
    }
}
