package dev.holdfast.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Adjustment;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.ModelSettings;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class RequestFitTest {
    private static final ModelSettings PLAIN = ModelSettings.of("m");
    private static final ModelRequest REQUEST = ModelRequest.chat("m")
            .user("Name three rivers.")
            .maxTokens(64_000)
            .temperature(0.2)
            .build();

    @Test
    void aRequestThatFitsIsPassedOnAsItIs() {
        assertThat(RequestFit.of(REQUEST, PLAIN).request()).isSameAs(REQUEST);
        RequestFit fit = RequestFit.of(
                REQUEST, PLAIN.withMaxOutput(64_000).withDropped("seed").withRenamed("stop", "s"));
        assertThat(fit.request()).isSameAs(REQUEST);
        assertThat(fit.adjusted()).isEmpty();
    }

    @Test
    void aCapAboveTheModelsIsClampedAndTold() {
        RequestFit fit = RequestFit.of(REQUEST, PLAIN.withMaxOutput(8_192));
        assertThat(fit.request().document().longValue("max_tokens")).hasValue(8_192);
        assertThat(fit.adjusted()).containsExactly(new Adjustment("/max_tokens", "clamped to 8192"));
        assertThat(REQUEST.document().longValue("max_tokens"))
                .as("the caller's own")
                .hasValue(64_000);
    }

    @Test
    void everyFormsCapIsClamped() {
        JsonObject anthropic = JsonObject.of("model", JsonValue.of("m")).with("max_tokens", JsonValue.of(9_000));
        JsonObject gemini = JsonObject.of(
                "generationConfig",
                JsonObject.of("topK", JsonValue.of(3)).with("maxOutputTokens", JsonValue.of(9_000)));
        JsonObject responses = JsonObject.of("max_output_tokens", JsonValue.of(9_000));
        ModelSettings small = PLAIN.withMaxOutput(100);

        assertThat(RequestFit.of(ModelRequest.of(Form.ANTHROPIC_MESSAGES, anthropic), small)
                        .request()
                        .maxOutputTokens())
                .hasValue(100);
        RequestFit config = RequestFit.of(ModelRequest.of(Form.GEMINI_CONTENT, "m", gemini), small);
        assertThat(config.request().maxOutputTokens()).hasValue(100);
        assertThat(config.request()
                        .document()
                        .object("generationConfig")
                        .orElseThrow()
                        .longValue("topK"))
                .hasValue(3);
        assertThat(config.adjusted())
                .containsExactly(new Adjustment("/generationConfig/maxOutputTokens", "clamped to 100"));
        assertThat(RequestFit.of(ModelRequest.opaque("/responses", "m", responses), small)
                        .request()
                        .document()
                        .longValue("max_output_tokens"))
                .hasValue(100);
    }

    @Test
    void nothingIsAddedWhereTheCallerSetNothing() {
        ModelRequest bare = ModelRequest.chat("m").user("hi").build();
        assertThat(RequestFit.of(bare, PLAIN.withMaxOutput(5).withRenamed("max_tokens", "max_completion_tokens"))
                        .request())
                .isSameAs(bare);
    }

    @Test
    void aParameterIsClampedFirstAndThenRenamedInItsPlace() {
        RequestFit fit =
                RequestFit.of(REQUEST, PLAIN.withMaxOutput(100).withRenamed("max_tokens", "max_completion_tokens"));
        assertThat(fit.request().document().toJson())
                .isEqualTo("{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"Name three rivers.\"}],"
                        + "\"max_completion_tokens\":100,\"temperature\":0.2}");
        assertThat(fit.adjusted())
                .extracting(Adjustment::what)
                .containsExactly("clamped to 100", "renamed to max_completion_tokens");
    }

    @Test
    void namesMayBeSwappedAndANameInUseIsNotOverwritten() {
        ModelRequest both = ModelRequest.chat("m")
                .user("hi")
                .with("a", JsonValue.of(1))
                .with("b", JsonValue.of(2))
                .build();
        JsonObject swapped = RequestFit.of(both, PLAIN.withRenamed("a", "b").withRenamed("b", "a"))
                .request()
                .document();
        assertThat(Map.of("a", swapped.longValue("a"), "b", swapped.longValue("b"))
                        .toString())
                .contains("a=OptionalLong[2]", "b=OptionalLong[1]");
        RequestFit taken = RequestFit.of(both, PLAIN.withRenamed("a", "b"));
        assertThat(taken.request().document().longValue("b")).hasValue(2);
        assertThat(taken.request().document().get("a")).isEmpty();
        assertThat(taken.adjusted()).containsExactly(new Adjustment("/a", "dropped, since b is set"));
    }

    @Test
    void aParameterTheModelDoesNotTakeIsDroppedAndTold() {
        RequestFit fit = RequestFit.of(REQUEST, PLAIN.withDropped("temperature", "top_p"));
        assertThat(fit.request().document().get("temperature")).isEmpty();
        assertThat(fit.adjusted()).isEqualTo(List.of(new Adjustment("/temperature", "dropped")));
    }

    @Test
    void whatARequestConsistsOfIsNoParameter() {
        for (String essential : List.of("model", "messages", "stream")) {
            assertThatThrownBy(() -> PLAIN.withDropped(essential))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("droppedParameters of model: " + essential);
            assertThatThrownBy(() -> PLAIN.withRenamed("top_p", essential))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Property
    void whatIsSentNeverPassesTheModelsBoundNorTheCallersWish(
            @ForAll @LongRange(min = 1, max = 200_000) long asked,
            @ForAll @LongRange(min = 1, max = 200_000) long most) {
        ModelRequest request =
                ModelRequest.chat("m").user("hi").maxTokens(asked).build();
        RequestFit fit = RequestFit.of(request, PLAIN.withMaxOutput(most));
        assertThat(fit.request().maxOutputTokens()).hasValue(Math.min(asked, most));
        assertThat(fit.adjusted().isEmpty()).isEqualTo(asked <= most);
        assertThat(RequestFit.of(fit.request(), PLAIN.withMaxOutput(most)).adjusted())
                .as("it fits now")
                .isEmpty();
    }
}
