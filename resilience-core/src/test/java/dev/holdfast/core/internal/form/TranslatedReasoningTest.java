package dev.holdfast.core.internal.form;

import static dev.holdfast.core.internal.form.Sayings.ASKS;
import static dev.holdfast.core.internal.form.Sayings.assertChanged;
import static dev.holdfast.core.internal.form.Sayings.assertOnlyChanged;
import static dev.holdfast.core.internal.form.Sayings.assertSays;
import static dev.holdfast.core.internal.form.Sayings.at;
import static dev.holdfast.core.internal.form.Sayings.claude;
import static dev.holdfast.core.internal.form.Sayings.gemini;
import static dev.holdfast.core.internal.form.Sayings.named;
import static dev.holdfast.core.internal.form.Sayings.openAi;
import static dev.holdfast.core.internal.form.Sayings.withCalls;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.JsonValue;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.internal.form.Translation.Said;
import dev.holdfast.spi.DialectException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each form makes of the reasoning of another, and of how much of it is asked for. */
class TranslatedReasoningTest {
    @Test
    void signedReasoningGoesOnlyBackToItsIssuer() throws DialectException {
        ModelRequest request = claude("'max_tokens':5,'messages':[{'role':'user','content':'Hi'},{'role':'assistant',"
                + "'content':[{'type':'thinking','thinking':'Hm','signature':'sig'},{'type':'redacted_thinking','data':'x'},"
                + "{'type':'text','text':'Yes'}]},{'role':'user','content':'Why?'}]");
        assertThat(Translation.say(request, Crossing.CLAUDE).request()).isSameAs(request);
        for (Addressee other : List.of(Crossing.OPENAI, Crossing.GEMINI)) {
            Said said = Translation.say(request, other);
            assertThat(said.request().document().toJson()).doesNotContain("sig").doesNotContain("Hm");
            assertChanged(said, "/messages/1/content/0", "ANTHROPIC");
            assertChanged(said, "/messages/1/content/1", "ANTHROPIC");
        }
        Said router = Translation.say(request, at(Vendor.OPENROUTER));
        assertSays(
                router,
                "/messages/1/reasoning_details/0",
                "{'type':'reasoning.text','text':'Hm','signature':'sig','format':'anthropic-claude-v1'}");
        Said back = Translation.say(router.request(), Crossing.CLAUDE);
        assertSays(
                back,
                "/messages/1/content",
                at(request.document(), "/messages/1/content").toJson());
    }

    @Test
    void geminisSignaturesComeBackThroughItsOpenAiPath() throws DialectException {
        ModelRequest request = gemini("'contents':[{'role':'user','parts':[{'text':'Hi'}]},{'role':'model','parts':["
                + "{'functionCall':{'name':'f','args':{}},'thoughtSignature':'c2ln'}]},"
                + "{'role':'user','parts':[{'functionResponse':{'name':'f','response':{'result':'x'}}}]}]");
        Said own = Translation.say(request, at(Vendor.GOOGLE));
        assertSays(own, "/messages/1/tool_calls/0/extra_content", "{'google':{'thought_signature':'c2ln'}}");
        assertSays(
                Translation.say(own.request(), Crossing.GEMINI_NEXT), "/contents/1/parts/0/thoughtSignature", "'c2ln'");
        Said other = Translation.say(request, Crossing.OPENAI);
        assertChanged(other, "/contents/1/parts/0", "GOOGLE");
        assertSays(
                Translation.say(other.request(), Crossing.GEMINI_NEXT),
                "/contents/1/parts/0/thoughtSignature",
                "'skip_thought_signature_validator'");
    }

    @Test
    void unsignedReasoningIsSaidToNobodyButOpenRouter() throws DialectException {
        ModelRequest request = openAi("'max_tokens':5,'messages':[{'role':'user','content':'Hi'},{'role':'assistant',"
                + "'reasoning_content':'Hm','content':'Yes'},{'role':'user','content':'Why?'}]");
        assertOnlyChanged(Crossing.to(Crossing.CLAUDE, request), "/messages/1/reasoning_content");
        assertOnlyChanged(Crossing.to(Crossing.GEMINI, request), "/messages/1/reasoning_content");
    }

    @ParameterizedTest
    @CsvSource({
        "low, claude-sonnet-4-5, '{''type'':''enabled'',''budget_tokens'':1024}'",
        "high, claude-sonnet-4-5, '{''type'':''enabled'',''budget_tokens'':24576}'",
        "high, claude-opus-4-6, '{''type'':''adaptive''}'",
        "none, claude-opus-4-6, '{''type'':''disabled''}'",
        "none, claude-sonnet-4-5, nothing",
        "high, claude-3-5-haiku-20241022, nothing"
    })
    void effortsBecomeThoughtsOfClaude(String effort, String model, String thinking) throws DialectException {
        Said said = Crossing.to(
                named(Crossing.CLAUDE, model),
                openAi("'max_tokens':64000,'reasoning_effort':'" + effort + "'," + ASKS));
        assertSays(said, "/thinking", thinking);
        assertSays(said, "/output_config/effort", thinking.contains("adaptive") ? "'" + effort + "'" : "nothing");
        boolean silent = thinking.contains("adaptive") || effort.equals("none");
        assertThat(said.changes()).hasSize(silent ? 0 : 1);
    }

    @Test
    void aBudgetLeavesRoomForTheAnswerOrIsNotSaid() throws DialectException {
        Said some = Crossing.to(Crossing.CLAUDE, openAi("'max_tokens':4000,'reasoning_effort':'high'," + ASKS));
        assertSays(some, "/thinking/budget_tokens", "3200");
        Said none = Crossing.to(Crossing.CLAUDE, openAi("'max_tokens':1024,'reasoning_effort':'high'," + ASKS));
        assertSays(none, "/thinking", "nothing");
        assertChanged(none, "/reasoning_effort", "no room");
        Said uncapped = Crossing.to(Crossing.CLAUDE, openAi("'reasoning_effort':'high'," + ASKS));
        assertThat(VendorRules.broken(Crossing.CLAUDE, uncapped.request().document()))
                .isEmpty();
    }

    @Test
    void thoughtsAreNotAskedForWhereTheCallsUnderWayHaveNone() throws DialectException {
        ModelRequest request = withCalls("");
        Said said = Crossing.to(
                Crossing.CLAUDE,
                request.withDocument(request.document()
                        .with("reasoning_effort", JsonValue.of("high"))
                        .with("max_tokens", JsonValue.of(64_000))));
        assertSays(said, "/thinking", "nothing");
        assertChanged(said, "/reasoning_effort", "tool calls under way");
    }

    @ParameterizedTest
    @CsvSource({
        "low, gemini-2.5-flash, '{''thinkingBudget'':1024}'",
        "none, gemini-2.5-flash, '{''thinkingBudget'':0}'",
        "none, gemini-2.5-pro, '{''thinkingBudget'':128}'",
        "high, gemini-3-pro-preview, '{''thinkingLevel'':''high''}'",
        "medium, gemini-3-pro-preview, '{''thinkingLevel'':''high''}'",
        "medium, gemini-3-flash-preview, '{''thinkingLevel'':''medium''}'",
        "high, gemini-2.0-flash, nothing"
    })
    void effortsBecomeThoughtsOfGemini(String effort, String model, String thinking) throws DialectException {
        Said said = Crossing.to(named(Crossing.GEMINI, model), openAi("'reasoning_effort':'" + effort + "'," + ASKS));
        assertSays(said, "/generationConfig/thinkingConfig", thinking);
    }

    @Test
    void budgetsBecomeEfforts() throws DialectException {
        ModelRequest request = claude("'max_tokens':20000,'thinking':{'type':'enabled','budget_tokens':8000}," + ASKS);
        Said openAi = Crossing.to(named(Crossing.OPENAI, "gpt-5"), request);
        assertSays(openAi, "/reasoning_effort", "'medium'");
        assertChanged(openAi, "/thinking/budget_tokens", "medium");
        assertOnlyChanged(Crossing.to(Crossing.OPENAI, request), "/thinking");
        Said gemini = Crossing.to(Crossing.GEMINI, request);
        assertSays(gemini, "/generationConfig/thinkingConfig", "{'thinkingBudget':8000}");
        assertThat(gemini.changes()).isEmpty();
        assertSays(Translation.say(request, at(Vendor.OPENROUTER)), "/reasoning", "{'max_tokens':8000}");
    }
}
