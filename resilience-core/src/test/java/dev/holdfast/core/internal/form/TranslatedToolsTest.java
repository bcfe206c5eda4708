package dev.holdfast.core.internal.form;

import static dev.holdfast.core.internal.form.Sayings.ASKS;
import static dev.holdfast.core.internal.form.Sayings.CLAUDE_ASKS;
import static dev.holdfast.core.internal.form.Sayings.GEMINI_ASKS;
import static dev.holdfast.core.internal.form.Sayings.assertChanged;
import static dev.holdfast.core.internal.form.Sayings.assertOnlyChanged;
import static dev.holdfast.core.internal.form.Sayings.assertSays;
import static dev.holdfast.core.internal.form.Sayings.at;
import static dev.holdfast.core.internal.form.Sayings.claude;
import static dev.holdfast.core.internal.form.Sayings.gemini;
import static dev.holdfast.core.internal.form.Sayings.openAi;
import static dev.holdfast.core.internal.form.Sayings.withCalls;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.JsonValue;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.internal.form.Translation.Said;
import dev.holdfast.spi.DialectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each form makes of the tools, calls and results of another. */
class TranslatedToolsTest {
    private static final String TOOL = "'tools':[{'type':'function','function':{'name':'f','description':'does f',"
            + "'parameters':{'type':'object','properties':{'x':{'type':'integer'}}}}}]";

    @Test
    void toolsCross() throws DialectException {
        ModelRequest request = openAi("'max_tokens':5," + ASKS + "," + TOOL);
        String schema = "{'type':'object','properties':{'x':{'type':'integer'}}}";
        Said claude = Crossing.to(Crossing.CLAUDE, request);
        assertSays(claude, "/tools/0", "{'name':'f','description':'does f','input_schema':" + schema + "}");
        Said gemini = Crossing.to(Crossing.GEMINI, request);
        assertSays(
                gemini,
                "/tools",
                "[{'functionDeclarations':[{'name':'f','description':'does f','parametersJsonSchema':" + schema
                        + "}]}]");
        assertThat(Crossing.to(Crossing.OPENAI, claude.request()).request().document())
                .isEqualTo(request.withModel("gpt-4.1").document());
        assertSays(Crossing.to(Crossing.OPENAI, gemini.request()), "/tools/0/function/parameters", schema);
    }

    @Test
    void geminisOwnSchemasBecomeJsonSchema() throws DialectException {
        Said said = Crossing.to(
                Crossing.OPENAI,
                gemini(GEMINI_ASKS + ",'tools':[{'functionDeclarations':[{'name':'f','parameters':{'type':'OBJECT',"
                        + "'properties':{'type':{'type':'STRING','nullable':true},"
                        + "'many':{'type':'ARRAY','minItems':'1','items':{'type':'NUMBER'}}},"
                        + "'propertyOrdering':['type','many']}}]}]"));
        assertSays(
                said,
                "/tools/0/function/parameters",
                "{'type':'object','properties':{'type':{'type':['string','null']},"
                        + "'many':{'type':'array','minItems':1,'items':{'type':'number'}}}}");
    }

    @ParameterizedTest
    @CsvSource({
        "'''auto''', '{''type'':''auto''}', '{''mode'':''AUTO''}'",
        "'''none''', '{''type'':''none''}', '{''mode'':''NONE''}'",
        "'''required''', '{''type'':''any''}', '{''mode'':''ANY''}'",
        "'{''type'':''function'',''function'':{''name'':''f''}}', '{''type'':''tool'',''name'':''f''}',"
                + " '{''mode'':''ANY'',''allowedFunctionNames'':[''f'']}'"
    })
    void toolChoicesCrossAndComeBack(String choice, String claudes, String geminis) throws DialectException {
        ModelRequest request = openAi("'max_tokens':5," + ASKS + "," + TOOL + ",'tool_choice':" + choice);
        Said claude = Crossing.to(Crossing.CLAUDE, request);
        assertSays(claude, "/tool_choice", claudes);
        assertSays(Crossing.to(Crossing.OPENAI, claude.request()), "/tool_choice", choice);
        Said gemini = Crossing.to(Crossing.GEMINI, request);
        assertSays(gemini, "/toolConfig/functionCallingConfig", geminis);
        assertSays(Crossing.to(Crossing.OPENAI, gemini.request()), "/tool_choice", choice);
        assertThat(claude.changes()).isEmpty();
        assertThat(gemini.changes()).isEmpty();
    }

    @Test
    void oneCallAtOnceIsSaidToClaudeAndMissedAtGemini() throws DialectException {
        ModelRequest request = openAi("'max_tokens':5," + ASKS + "," + TOOL + ",'parallel_tool_calls':false");
        Said claude = Crossing.to(Crossing.CLAUDE, request);
        assertSays(claude, "/tool_choice", "{'type':'auto','disable_parallel_tool_use':true}");
        assertSays(Crossing.to(Crossing.OPENAI, claude.request()), "/parallel_tool_calls", "false");
        assertOnlyChanged(Crossing.to(Crossing.GEMINI, request), "/parallel_tool_calls");
    }

    @Test
    void parallelCallsAndTheirResultsPairUpInEachForm() throws DialectException {
        ModelRequest request = withCalls(",{'role':'user','content':'And?'}");
        Said claude = Crossing.to(Crossing.CLAUDE, request);
        assertSays(claude, "/messages/1/content/0", "{'type':'tool_use','id':'call_a','name':'f','input':{'x':1}}");
        assertSays(
                claude,
                "/messages/2/content",
                "[{'type':'tool_result','tool_use_id':'call_b','content':'B'},"
                        + "{'type':'tool_result','tool_use_id':'call_a','content':'A'},{'type':'text','text':'And?'}]");
        assertSays(claude, "/tool_choice", "{'type':'none'}");
        assertChanged(claude, "/tools", "added");
        Said gemini = Crossing.to(Crossing.GEMINI, request);
        assertSays(
                gemini,
                "/contents/2/parts",
                "[{'functionResponse':{'name':'f','response':{'result':'A'}}},"
                        + "{'functionResponse':{'name':'g','response':{'result':'B'}}}]");
        assertSays(gemini, "/contents/3/parts", "[{'text':'And?'}]");
        assertThat(gemini.changes()).isEmpty();
    }

    @Test
    void argumentsThatAreNoObjectAreWrappedAndSaid() throws DialectException {
        ModelRequest request = openAi("'max_tokens':5," + TOOL + ",'messages':[{'role':'user','content':'Hi'},"
                + "{'role':'assistant','tool_calls':[{'id':'a','type':'function','function':{'name':'f',"
                + "'arguments':'{broken'}}]},{'role':'tool','tool_call_id':'a','content':'bad'}]");
        Said claude = Crossing.to(Crossing.CLAUDE, request);
        assertSays(claude, "/messages/1/content/0/input", "{'arguments':'{broken'}");
        assertOnlyChanged(claude, "/messages/1/tool_calls/0");
        assertOnlyChanged(Crossing.to(Crossing.GEMINI, request), "/messages/1/tool_calls/0");
    }

    @Test
    void aFailedToolIsSaidAsTheTargetSaysIt() throws DialectException {
        ModelRequest request = claude(CLAUDE_ASKS.replace(
                "{'role':'user','content':'Hi'}",
                "{'role':'user','content':'Hi'},{'role':'assistant','content':[{'type':'tool_use','id':'t','name':'f',"
                        + "'input':{}}]},{'role':'user','content':[{'type':'tool_result','tool_use_id':'t',"
                        + "'is_error':true,'content':'no such city'}]}"));
        Said gemini = Crossing.to(Crossing.GEMINI, request);
        assertSays(gemini, "/contents/2/parts/0/functionResponse/response", "{'error':'no such city'}");
        assertSays(Crossing.to(Crossing.CLAUDE, gemini.request()), "/messages/2/content/0/is_error", "true");
        Said openAi = Crossing.to(Crossing.OPENAI, request);
        assertSays(openAi, "/messages/2/content", "'no such city'");
        assertOnlyChanged(openAi, "/messages/2/content/0");
    }

    @Test
    void idsThatTwoTurnsShareAreToldApart() throws DialectException {
        String turn = "{'role':'assistant','tool_calls':[{'id':'0','type':'function','function':{'name':'f',"
                + "'arguments':'{}'}}]},{'role':'tool','tool_call_id':'0','content':'%s'}";
        ModelRequest request = openAi("'max_tokens':5," + TOOL + ",'messages':[{'role':'user','content':'Hi'},"
                + turn.formatted("one") + "," + turn.formatted("two") + "]");
        Said said = Crossing.to(Crossing.CLAUDE, request);
        assertThat(VendorRules.broken(Crossing.CLAUDE, said.request().document()))
                .isEmpty();
        assertSays(said, "/messages/4/content/0/content", "'two'");
        assertChanged(said, "/messages/3/tool_calls/0", "rewritten");
    }

    @Test
    void idsStayTheSameWhileAHistoryGrows() throws DialectException {
        JsonValue before =
                at(Translation.say(withCalls(""), Crossing.MISTRAL).request().document(), "/messages/1");
        JsonValue after = at(
                Translation.say(withCalls(",{'role':'user','content':'And?'}"), Crossing.MISTRAL)
                        .request()
                        .document(),
                "/messages/1");
        assertThat(after).isEqualTo(before);
        assertThat(after.toJson()).doesNotContain("call_a");
    }
}
