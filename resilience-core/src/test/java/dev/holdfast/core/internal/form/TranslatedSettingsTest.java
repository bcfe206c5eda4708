package dev.holdfast.core.internal.form;

import static dev.holdfast.core.internal.form.Sayings.ASKS;
import static dev.holdfast.core.internal.form.Sayings.CLAUDE_ASKS;
import static dev.holdfast.core.internal.form.Sayings.assertChanged;
import static dev.holdfast.core.internal.form.Sayings.assertOnlyChanged;
import static dev.holdfast.core.internal.form.Sayings.assertSays;
import static dev.holdfast.core.internal.form.Sayings.at;
import static dev.holdfast.core.internal.form.Sayings.claude;
import static dev.holdfast.core.internal.form.Sayings.gemini;
import static dev.holdfast.core.internal.form.Sayings.named;
import static dev.holdfast.core.internal.form.Sayings.openAi;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Form;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.internal.form.Translation.Said;
import dev.holdfast.spi.DialectException;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each form makes of the caps, sampling, stops and schemas of another. */
class TranslatedSettingsTest {
    private static final String SCHEMA = "{'type':'object','properties':{'a':{'type':'string'}},'required':['a']}";
    private static final String CLOSED = SCHEMA.substring(0, SCHEMA.length() - 1) + ",'additionalProperties':false}";

    @Test
    void claudeIsGivenACapWhereNoneWasSet() throws DialectException {
        Said said = Crossing.to(Crossing.CLAUDE, openAi(ASKS));
        assertSays(said, "/max_tokens", "4096");
        assertOnlyChanged(said, "/max_tokens");
        Addressee known =
                new Addressee(Form.ANTHROPIC_MESSAGES, Vendor.ANTHROPIC, "claude-sonnet-4-5", OptionalLong.of(64_000));
        assertSays(Crossing.to(known, openAi(ASKS)), "/max_tokens", "64000");
    }

    @Test
    void theCapIsNoHigherThanTheModels() throws DialectException {
        for (Addressee like : List.of(Crossing.CLAUDE, Crossing.GEMINI, Crossing.OPENAI)) {
            Addressee small = new Addressee(like.form(), like.vendor(), like.model(), OptionalLong.of(8_192));
            ModelRequest request = like.form() == Form.OPENAI_CHAT
                    ? claude("'max_tokens':64000," + ASKS)
                    : openAi("'max_tokens':64000,'reasoning_effort':'high'," + ASKS);
            Said said = Crossing.to(small, request);
            assertThat(said.request().maxOutputTokens()).hasValue(8_192);
            assertChanged(said, "/max_tokens", "clamped to 8192");
            assertThat(VendorRules.broken(small, said.request().document())).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "OPENAI, gpt-4.1, max_tokens",
        "OPENAI, o3-mini, max_completion_tokens",
        "OPENAI, gpt-5.2, max_completion_tokens",
        "AZURE, gpt-5-mini, max_completion_tokens",
        "OPENAI, gpt-5-chat-latest, max_tokens",
        "OPENROUTER, openai/gpt-5, max_tokens",
        "MISTRAL, mistral-small-latest, max_tokens"
    })
    void theCapHasTheNameTheTargetKnows(Vendor vendor, String model, String name) throws DialectException {
        Addressee addressee = new Addressee(Form.OPENAI_CHAT, vendor, model, OptionalLong.empty());
        assertSays(Crossing.to(addressee, claude(CLAUDE_ASKS)), "/" + name, "100");
        String other = name.equals("max_tokens") ? "max_completion_tokens" : "max_tokens";
        assertThat(Crossing.to(addressee, claude(CLAUDE_ASKS))
                        .request()
                        .document()
                        .get(other))
                .isEmpty();
    }

    @Test
    void theCapIsRenamedInTheSameFormToo() throws DialectException {
        Said reasoning = Translation.say(openAi("'max_tokens':5," + ASKS), named(Crossing.OPENAI, "o3"));
        assertThat(reasoning.request().document().toJson())
                .isEqualTo("{\"model\":\"m\",\"max_completion_tokens\":5,"
                        + "\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}");
        assertOnlyChanged(reasoning, "/max_tokens");
        Said old = Translation.say(openAi("'max_completion_tokens':5," + ASKS), at(Vendor.DEEPSEEK));
        assertSays(old, "/max_tokens", "5");
    }

    @Test
    void samplingIsClampedOrDroppedAsTheModelTakesIt() throws DialectException {
        String sampling = "'max_tokens':5,'temperature':1.7,'top_p':0.9,'seed':7,'frequency_penalty':0.5,'n':2," + ASKS;
        Said older = Crossing.to(named(Crossing.CLAUDE, "claude-3-5-haiku-20241022"), openAi(sampling));
        assertSays(older, "/temperature", "1");
        assertSays(older, "/top_p", "0.9");
        assertOnlyChanged(older, "/temperature", "/seed", "/frequency_penalty", "/n");
        Said one = Crossing.to(Crossing.CLAUDE, openAi(sampling));
        assertSays(one, "/top_p", "nothing");
        Said none = Crossing.to(named(Crossing.CLAUDE, "claude-opus-4-7"), openAi(sampling));
        assertSays(none, "/temperature", "nothing");
        assertChanged(none, "/temperature", "no sampling");
        Said gemini = Crossing.to(Crossing.GEMINI, openAi(sampling));
        assertThat(gemini.changes()).isEmpty();
        assertSays(
                gemini,
                "/generationConfig",
                "{'maxOutputTokens':5,'temperature':1.7,'topP':0.9,'frequencyPenalty':0.5,'seed':7,'candidateCount':2}");
        Said thinking = Crossing.to(named(Crossing.OPENAI, "o3"), claude(CLAUDE_ASKS + ",'temperature':0.3,'top_k':5"));
        assertOnlyChanged(thinking, "/temperature", "/top_k");
    }

    @Test
    void stopsAreAsManyAsTheTargetTakes() throws DialectException {
        Said openAi = Crossing.to(Crossing.OPENAI, claude(CLAUDE_ASKS + ",'stop_sequences':['a','b','c','d','e']"));
        assertSays(openAi, "/stop", "['a','b','c','d']");
        assertOnlyChanged(openAi, "/stop_sequences");
        Said claude = Crossing.to(Crossing.CLAUDE, openAi("'max_tokens':5,'stop':' '," + ASKS));
        assertSays(claude, "/stop_sequences", "nothing");
        assertOnlyChanged(claude, "/stop");
        assertSays(
                Crossing.to(Crossing.GEMINI, openAi("'stop':'x'," + ASKS)), "/generationConfig/stopSequences", "['x']");
    }

    @Test
    void schemasOfTheAnswerCross() throws DialectException {
        ModelRequest request = openAi("'max_tokens':5,'response_format':{'type':'json_schema','json_schema':"
                + "{'name':'n','strict':true,'schema':" + SCHEMA + "}}," + ASKS);
        Said gemini = Crossing.to(Crossing.GEMINI, request);
        assertSays(gemini, "/generationConfig/responseMimeType", "'application/json'");
        assertSays(gemini, "/generationConfig/responseJsonSchema", SCHEMA);
        Said back = Crossing.to(Crossing.OPENAI, gemini.request());
        assertSays(back, "/response_format/json_schema/schema", CLOSED);
        assertSays(back, "/response_format/json_schema/strict", "true");
        Said claude = Translation.say(request, Crossing.CLAUDE);
        assertSays(claude, "/output_config/format/schema", CLOSED);
        assertChanged(claude, "/response_format", "closed");
        Said older = Translation.say(request, named(Crossing.CLAUDE, "claude-3-haiku-20240307"));
        assertSays(older, "/output_config", "nothing");
        assertThat(older.request().document().text("system"))
                .hasValueSatisfying(system -> assertThat(system).contains("JSON Schema"));
        assertChanged(older, "/response_format", "system prompt");
        Said deepSeek = Translation.say(gemini.request(), at(Vendor.DEEPSEEK));
        assertSays(deepSeek, "/response_format", "{'type':'json_object'}");
        assertThat(deepSeek.changes()).isNotEmpty();
    }

    @Test
    void jsonWithoutASchemaCrosses() throws DialectException {
        ModelRequest request = openAi("'max_tokens':5,'response_format':{'type':'json_object'}," + ASKS);
        assertSays(
                Crossing.to(Crossing.GEMINI, request),
                "/generationConfig",
                "{'maxOutputTokens':5,'responseMimeType':'application/json'}");
        Said claude = Translation.say(request, Crossing.CLAUDE);
        assertThat(claude.request().document().text("system")).isPresent();
        assertChanged(claude, "/response_format", "system prompt");
    }
}
