package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotBlank;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonValueTest {
    @Test
    void membersKeepTheirOrderAndNumbersTheirText() {
        JsonObject object = JsonObject.of("b", new JsonNumber("1.50"))
                .with("a", new JsonNumber("1e2"))
                .with("c", JsonNull.NULL);
        assertThat(object.toJson()).isEqualTo("{\"b\":1.50,\"a\":1e2,\"c\":null}");
    }

    @Test
    void aReplacedMemberStaysInItsPlace() {
        JsonObject object = JsonObject.of("a", JsonValue.of(1)).with("b", JsonValue.of(2));
        assertThat(object.with("a", JsonValue.of(true)).toJson()).isEqualTo("{\"a\":true,\"b\":2}");
        assertThat(object.without("a").toJson()).isEqualTo("{\"b\":2}");
    }

    @Test
    void theOrderOfMembersDoesNotMatterForEquality() {
        JsonObject one = JsonObject.of("a", JsonValue.of(1)).with("b", JsonValue.of(2));
        JsonObject other = JsonObject.of("b", JsonValue.of(2)).with("a", JsonValue.of(1));
        assertThat(one).isEqualTo(other);
    }

    @Test
    void controlCharactersAndLoneSurrogatesAreEscaped() {
        assertThat(JsonValue.of("\"\\\n\t\u0001\uD800x\uD83D\uDE00").toJson())
                .isEqualTo("\"\\\"\\\\\\n\\t\\u0001\\ud800x\uD83D\uDE00\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "01", "1.", ".5", "+1", "NaN", "0x1", "1e", "\u0661"})
    void textThatIsNoNumberIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> new JsonNumber(text));
    }

    @Test
    void onlyWholeNumbersWithinRangeAreLongs() {
        assertThat(new JsonNumber("1.0").asLong()).hasValue(1);
        assertThat(new JsonNumber("1e3").asLong()).hasValue(1000);
        assertThat(new JsonNumber("1.5").asLong()).isEmpty();
        assertThat(new JsonNumber("9223372036854775808").asLong()).isEmpty();
        assertThat(new JsonNumber("1e999999999999").asLong()).isEmpty();
    }

    @Test
    void aWrongTypeIsAbsentRatherThanAnError() {
        JsonObject object = JsonObject.of("n", JsonValue.of(1)).with("l", JsonArray.of(JsonValue.of("x")));
        assertThat(object.text("n")).isEmpty();
        assertThat(object.longValue("l")).isEmpty();
        assertThat(object.object("l")).isEmpty();
        assertThat(object.list("n")).isEmpty();
        assertThat(object.list("l")).hasSize(1);
    }

    @Property
    void noToStringShowsContent(@ForAll @NotBlank String text) {
        String marker = "PRIVATE" + text;
        JsonObject object = JsonObject.of("content", JsonValue.of(marker));
        assertThat(object.toString()).doesNotContain("PRIVATE");
        assertThat(JsonArray.of(object).toString()).doesNotContain("PRIVATE");
        assertThat(JsonValue.of(marker).toString()).doesNotContain("PRIVATE");
        assertThat(ModelRequest.chat("m").user(marker).build().toString()).doesNotContain("PRIVATE");
        assertThat(ModelAnswer.ofText(marker).toString()).doesNotContain("PRIVATE");
        assertThat(new StreamEvent.TextDelta(marker).toString()).doesNotContain("PRIVATE");
        assertThat(Bytes.utf8(marker).toString()).doesNotContain("PRIVATE");
    }
}
