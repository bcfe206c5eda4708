package dev.holdfast.core.internal.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Form;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.internal.form.Translation.Said;
import dev.holdfast.core.internal.json.JsonReader;
import dev.holdfast.spi.DialectException;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A request in its reader's own form is not read further than single members need: what no reader could read passes. */
class PassThroughTest {
    private static final List<ModelRequest> UNREADABLE = List.of(
            request(
                    Form.OPENAI_CHAT,
                    "{'max_completion_tokens':'sesame','messages':[{'role':'sesame','content':5,'tool_calls':[{'id':'i',"
                            + "'type':'sesame','function':{'name':7,'arguments':'{no json'}},null]},7],"
                            + "'tools':[5,{'function':null}],'stop':{'a':1.50},'temperature':1e2}"),
            request(
                    Form.ANTHROPIC_MESSAGES,
                    "{'messages':[{'role':'sesame','content':[{'type':'tool_use','id':'i','input':'no object'},5]}],"
                            + "'system':7,'thinking':{'type':'sesame'},'temperature':1e2}"),
            request(
                    Form.GEMINI_CONTENT,
                    "{'contents':[{'role':'sesame','parts':[{'text':9},{'functionCall':{'args':'no object'}}]}],"
                            + "'generationConfig':{'maxOutputTokens':'sesame','temperature':1e2}}"));

    private static ModelRequest request(Form form, String document) {
        return ModelRequest.of(form, "m", (JsonObject) JsonReader.read(document.replace('\'', '"')));
    }

    private static Vendor inventor(Form form) {
        return switch (form) {
            case OPENAI_CHAT -> Vendor.OPENAI;
            case ANTHROPIC_MESSAGES -> Vendor.ANTHROPIC;
            default -> Vendor.GOOGLE;
        };
    }

    @Test
    void whatNoReaderCouldReadPassesInItsOwnFormUntouched() throws DialectException {
        for (ModelRequest request : UNREADABLE) {
            String before = request.document().toJson();
            var own = new Addressee(request.form(), inventor(request.form()), "m", OptionalLong.empty());
            Said said = Translation.say(request, own);
            assertThat(said.request()).as(request.form().toString()).isSameAs(request);
            assertThat(said.changes()).isEmpty();
            assertThat(said.request().document().toJson()).isEqualTo(before).contains("1e2");
        }
    }

    @Test
    void inAnyOtherFormItIsRefused() {
        for (ModelRequest request : UNREADABLE) {
            for (Addressee addressee : List.of(Crossing.OPENAI, Crossing.CLAUDE, Crossing.GEMINI)) {
                if (addressee.form() != request.form()) {
                    assertThatExceptionOfType(DialectException.class)
                            .isThrownBy(() -> Translation.say(request, addressee))
                            .withMessageStartingWith("/")
                            .withMessageNotContaining("sesame");
                }
            }
        }
    }
}
