package dev.holdfast.core.internal.form;

import static dev.holdfast.core.internal.form.Sayings.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Adjustment;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.internal.form.Translation.Said;
import dev.holdfast.spi.DialectException;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where a form can say two things of which another takes one, or names what does not cross: one is said, the other named. */
class MeasuresAndChoicesTest {
    private static final Addressee THINKING =
            new Addressee(Form.OPENAI_CHAT, Vendor.OPENAI, "gpt-5", OptionalLong.empty());
    private static final Addressee LEVELS =
            new Addressee(Form.GEMINI_CONTENT, Vendor.GOOGLE, "gemini-3-flash-preview", OptionalLong.empty());

    private static ModelRequest openAi(String members) {
        return ModelRequest.of(
                Form.OPENAI_CHAT, json("{'model':'m','messages':[{'role':'user','content':'Hi'}]," + members + "}"));
    }

    private static ModelRequest claude(String members) {
        return ModelRequest.of(
                Form.ANTHROPIC_MESSAGES,
                json("{'model':'m','max_tokens':9000,'messages':[{'role':'user','content':'Hi'}]," + members + "}"));
    }

    private static void assertOnlyChanged(Said said, String... pointers) {
        assertThat(said.changes()).extracting(Adjustment::pointer).containsExactlyInAnyOrder(pointers);
    }

    @Test
    void ofABudgetAndAnEffortEachTargetTakesItsOwnAndNamesTheOther() throws DialectException {
        ModelRequest both =
                claude("'thinking':{'type':'enabled','budget_tokens':2048},'output_config':{'effort':'high'}");
        Said openAi = Translation.say(both, THINKING);
        assertThat(openAi.request().document().text("reasoning_effort")).hasValue("high");
        assertOnlyChanged(openAi, "/thinking/budget_tokens");
        Said budget = Translation.say(both, Crossing.GEMINI);
        assertThat(budget.request().document().toJson()).contains("\"thinkingBudget\":2048");
        assertOnlyChanged(budget, "/output_config/effort");
        Said level = Translation.say(both, LEVELS);
        assertThat(level.request().document().toJson()).contains("\"thinkingLevel\":\"high\"");
        assertOnlyChanged(level, "/thinking/budget_tokens");
    }

    @Test
    void anEffortOfAdaptiveThinkingIsAnEffort() throws DialectException {
        ModelRequest adaptive = claude("'thinking':{'type':'adaptive'},'output_config':{'effort':'low'}");
        assertThat(Translation.say(adaptive, THINKING).request().document().text("reasoning_effort"))
                .hasValue("low");
        assertThat(Translation.say(adaptive, LEVELS).request().document().toJson())
                .contains("\"thinkingLevel\":\"low\"");
        assertOnlyChanged(Translation.say(adaptive, Crossing.GEMINI), "/output_config/effort");
    }

    @Test
    void whetherThoughtsAreShownIsSaidWhereAModelTakesIt() throws DialectException {
        ModelRequest shown = openAi("'reasoning':{'effort':'high','exclude':true},'max_tokens':9000");
        var adaptive =
                new Addressee(Form.ANTHROPIC_MESSAGES, Vendor.ANTHROPIC, "claude-opus-4-7", OptionalLong.empty());
        Said said = Translation.say(shown, adaptive);
        assertThat(said.request().document().object("thinking"))
                .hasValue(json("{'type':'adaptive','display':'omitted'}"));
        assertThat(said.changes()).isEmpty();
        assertOnlyChanged(Translation.say(shown, Crossing.CLAUDE), "/reasoning/exclude", "/reasoning/effort");
    }

    @Test
    void aSchemaThatNeedNotBeKeptToIsKeptToAndThatIsNamed() throws DialectException {
        String format = "'max_tokens':9,'response_format':{'type':'json_schema','json_schema':"
                + "{'schema':{'type':'object','additionalProperties':false},'strict':%s}}";
        assertOnlyChanged(
                Translation.say(openAi(format.formatted("false")), Crossing.GEMINI),
                "/response_format/json_schema/strict");
        assertOnlyChanged(
                Translation.say(openAi(format.formatted("false")), Crossing.CLAUDE),
                "/response_format/json_schema/strict");
        assertOnlyChanged(Translation.say(openAi(format.formatted("true")), Crossing.CLAUDE));
    }

    private static ModelRequest answering(Form form, String schema) {
        return form == Form.GEMINI_CONTENT
                ? ModelRequest.geminiContent(
                        "m",
                        json("{'contents':[{'role':'user','parts':[{'text':'Hi'}]}],'generationConfig':"
                                + "{'responseMimeType':'application/json','responseJsonSchema':" + schema + "}}"))
                : ModelRequest.of(
                        form,
                        json("{'model':'m','max_tokens':9,'messages':[{'role':'user','content':'Hi'}],"
                                + "'output_config':{'format':{'type':'json_schema','schema':" + schema + "}}}"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Form.class,
            names = {"ANTHROPIC_MESSAGES", "GEMINI_CONTENT"})
    void aSchemaThatIsKeptToIsKeptToAtOpenAiOrThatIsNamed(Form form) throws DialectException {
        String place = form == Form.GEMINI_CONTENT ? "/generationConfig/responseJsonSchema" : "/output_config/format";
        String closed = "{'type':'object','properties':{'a':{'type':'string'}},'required':['a'],"
                + "'additionalProperties':false}";
        Said kept = Translation.say(answering(form, closed), Crossing.OPENAI);
        JsonObject said = format(kept);
        assertThat(said.get("schema")).hasValue(json(closed));
        assertThat(said.get("strict")).hasValue(JsonValue.of(true));
        assertOnlyChanged(kept);

        Said open =
                Translation.say(answering(form, closed.replace(",'additionalProperties':false", "")), Crossing.OPENAI);
        assertThat(format(open)).isEqualTo(said);
        assertOnlyChanged(open, place);

        for (String refused : new String[] {
            closed.replace("['a']", "[]"),
            closed.replace(":false", ":true"),
            closed.replace("{'type':'string'}", "{'type':['object','null']}"),
            closed.replace("{'type':'string'}", "{'oneOf':[{'type':'string'}]}"),
            "{'anyOf':[" + closed + "]}"
        }) {
            Said not = Translation.say(answering(form, refused), Crossing.OPENAI);
            assertThat(format(not).get("schema")).hasValue(json(refused));
            assertThat(format(not).get("strict")).isEmpty();
            assertOnlyChanged(not, place);
        }
        Said elsewhere = Translation.say(answering(form, closed), Crossing.MISTRAL);
        assertThat(format(elsewhere).get("strict")).isEmpty();
        assertThat(elsewhere.changes()).extracting(Adjustment::pointer).contains(place);
    }

    private static JsonObject format(Said said) {
        return said.request()
                .document()
                .object("response_format")
                .flatMap(format -> format.object("json_schema"))
                .orElseThrow();
    }

    @Test
    void aToolThatIsKeptToAndThatOpenAiWouldRefuseIsSentWithoutThatPromise() throws DialectException {
        String tools = "{'model':'m','max_tokens':9,'messages':[{'role':'user','content':'Hi'}],'tools':[{'name':'f',"
                + "'strict':true,'input_schema':{'type':'object','properties':{'a':{'type':'string'}},'required':[%s],"
                + "'additionalProperties':false}}]}";
        Said whole = Translation.say(
                ModelRequest.of(Form.ANTHROPIC_MESSAGES, json(tools.formatted("'a'"))), Crossing.OPENAI);
        assertThat(whole.request().document().toJson()).contains("\"strict\":true");
        assertOnlyChanged(whole);
        Said optional =
                Translation.say(ModelRequest.of(Form.ANTHROPIC_MESSAGES, json(tools.formatted(""))), Crossing.OPENAI);
        assertThat(optional.request().document().toJson()).doesNotContain("strict");
        assertOnlyChanged(optional, "/tools/0");
    }

    private static ModelRequest withCustomCall() {
        return ModelRequest.of(
                Form.OPENAI_CHAT,
                json("{'model':'m','max_tokens':9,'messages':[{'role':'user','content':'Hi'},{'role':'assistant',"
                        + "'tool_calls':[{'id':'i','type':'custom','custom':{'name':'shell','input':'{\\\"a\\\":1}'}}]},"
                        + "{'role':'tool','tool_call_id':'i','content':'done'}]}"));
    }

    @Test
    void aCallWithWordsForArgumentsGoesOnElsewhereWithItsAnswer() throws DialectException {
        Said claude = Translation.say(withCustomCall(), Crossing.CLAUDE);
        JsonObject call = claude.request()
                .document()
                .list("messages")
                .get(1)
                .asObject()
                .orElseThrow()
                .list("content")
                .getFirst()
                .asObject()
                .orElseThrow();
        assertThat(call)
                .isEqualTo(json("{'type':'tool_use','id':'i','name':'shell','input':{'arguments':'{\\\"a\\\":1}'}}"));
        assertThat(claude.changes()).anyMatch(change -> change.what().contains("arguments wrapped"));
        assertThat(VendorRules.broken(Crossing.CLAUDE, claude.request().document()))
                .isEmpty();
        Said gemini = Translation.say(withCustomCall(), LEVELS);
        assertThat(VendorRules.broken(LEVELS, gemini.request().document())).isEmpty();
    }

    @Test
    void aCallWithWordsForArgumentsIsWrittenAgainAsItWas() throws DialectException {
        ModelRequest request = withCustomCall();
        JsonObject written =
                Translation.writer(Form.OPENAI_CHAT).write(Translation.read(request), Crossing.OPENAI, new Changes());
        assertThat(Facts.sorted(written)).isEqualTo(Facts.sorted(request.document()));
    }

    @Test
    void aChoiceOfAToolThatDoesNotCrossChoosesNoOther() throws DialectException {
        String tools = "'tools':[{'type':'function','function':{'name':'f','parameters':{'type':'object'}}},"
                + "{'type':'custom','custom':{'name':'own'}}],'max_tokens':9,'tool_choice':";
        ModelRequest own = openAi(tools + "{'type':'custom','custom':{'name':'own'}}");
        Said claude = Translation.say(own, Crossing.CLAUDE);
        assertThat(claude.request().document().object("tool_choice")).hasValue(json("{'type':'none'}"));
        assertOnlyChanged(claude, "/tools/1", "/tool_choice");
        ModelRequest both = openAi(tools + "{'type':'allowed_tools','allowed_tools':{'mode':'required','tools':["
                + "{'type':'custom','custom':{'name':'own'}},{'type':'function','function':{'name':'f'}}]}}");
        Said gemini = Translation.say(both, Crossing.GEMINI);
        assertThat(gemini.request().document().object("toolConfig"))
                .hasValue(json("{'functionCallingConfig':{'mode':'ANY','allowedFunctionNames':['f']}}"));
        assertOnlyChanged(gemini, "/tools/1", "/tool_choice");
    }

    @Test
    void aMediaTypeThatTheAddressDoesNotTellIsNamed() throws DialectException {
        String file =
                "{'contents':[{'role':'user','parts':[{'text':'q'},{'fileData':{'mimeType':'image/png','fileUri':'%s'}}]}]}";
        ModelRequest told = ModelRequest.of(Form.GEMINI_CONTENT, "m", json(file.formatted("https://h/a.png")));
        ModelRequest untold = ModelRequest.of(Form.GEMINI_CONTENT, "m", json(file.formatted("https://h/a")));
        assertOnlyChanged(Translation.say(told, Crossing.OPENAI));
        assertOnlyChanged(Translation.say(untold, Crossing.OPENAI), "/contents/0/parts/1");
        JsonValue content = Translation.say(untold, Crossing.OPENAI)
                .request()
                .document()
                .list("messages")
                .getFirst();
        assertThat(content.toJson()).contains("\"url\":\"https://h/a\"");
    }

    @Test
    void propertiesStandInTheOrderThatTheSchemaPutsThemIn() throws DialectException {
        String schema =
                "{'type':'OBJECT','properties':{'a':{'type':'STRING'},'b':{'type':'STRING'},'c':{'type':'STRING'}},"
                        + "'propertyOrdering':['c','a']}";
        ModelRequest request = ModelRequest.of(
                Form.GEMINI_CONTENT,
                "m",
                json("{'contents':[{'role':'user','parts':[{'text':'q'}]}],'generationConfig':"
                        + "{'responseMimeType':'application/json','responseSchema':" + schema + "}}"));
        JsonObject format = Translation.say(request, Crossing.OPENAI)
                .request()
                .document()
                .object("response_format")
                .orElseThrow();
        assertThat(format.object("json_schema")
                        .flatMap(named -> named.object("schema"))
                        .flatMap(written -> written.object("properties"))
                        .orElseThrow()
                        .members()
                        .keySet())
                .containsExactly("c", "a", "b");
    }
}
