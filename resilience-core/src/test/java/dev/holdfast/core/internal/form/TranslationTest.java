package dev.holdfast.core.internal.form;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Adjustment;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.internal.form.Translation.Said;
import dev.holdfast.core.internal.json.JsonReader;
import dev.holdfast.spi.DialectException;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each form makes of what another says, feature by feature. Documents are written with single quotes. */
class TranslationTest {
    private static final String ASKS = "'messages':[{'role':'user','content':'Hi'}]";
    private static final String CLAUDE_ASKS = "'max_tokens':100," + ASKS;
    private static final String GEMINI_ASKS = "'contents':[{'role':'user','parts':[{'text':'Hi'}]}]";

    private static JsonObject json(String text) {
        return (JsonObject) JsonReader.read(text.replace('\'', '"'));
    }

    private static ModelRequest openAi(String members) {
        return ModelRequest.of(Form.OPENAI_CHAT, json("{'model':'m'," + members + "}"));
    }

    private static ModelRequest claude(String members) {
        return ModelRequest.of(Form.ANTHROPIC_MESSAGES, json("{'model':'m'," + members + "}"));
    }

    private static ModelRequest gemini(String members) {
        return ModelRequest.of(Form.GEMINI_CONTENT, "m", json("{" + members + "}"));
    }

    private static Addressee named(Addressee like, String model) {
        return new Addressee(like.form(), like.vendor(), model, OptionalLong.empty());
    }

    private static Addressee at(Vendor vendor) {
        return new Addressee(Form.OPENAI_CHAT, vendor, "some-model", OptionalLong.empty());
    }

    private static void assertSays(Said said, String pointer, String expected) {
        JsonValue found = at(said.request().document(), pointer);
        assertThat(found == null ? "nothing" : found.toJson()).isEqualTo(expected.replace('\'', '"'));
    }

    private static @Nullable JsonValue at(JsonValue document, String pointer) {
        JsonValue value = document;
        for (String step : pointer.substring(1).split("/")) {
            value = switch (value) {
                case JsonObject object -> object.members().get(step);
                case JsonValue.JsonArray array -> {
                    int index = Integer.parseInt(step);
                    yield index < array.elements().size() ? array.elements().get(index) : null;
                }
                default -> null;
            };
            if (value == null) {
                return null;
            }
        }
        return value;
    }

    private static void assertChanged(Said said, String pointer, String words) {
        assertThat(said.changes()).as("changes at %s", pointer).anySatisfy(change -> {
            assertThat(change.pointer()).isEqualTo(pointer);
            assertThat(change.what()).contains(words);
        });
    }

    private static void assertOnlyChanged(Said said, String... pointers) {
        assertThat(said.changes()).extracting(Adjustment::pointer).containsExactlyInAnyOrder(pointers);
    }

    @Test
    void aPlainQuestionCrossesWithoutAWordMore() throws DialectException {
        Said claude = Crossing.to(Crossing.CLAUDE, openAi("'max_tokens':10," + ASKS));
        assertThat(claude.request().document().toJson())
                .isEqualTo("{\"model\":\"claude-sonnet-4-5\",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}],"
                        + "\"max_tokens\":10}");
        assertThat(claude.changes()).isEmpty();
        Said gemini = Crossing.to(Crossing.GEMINI, openAi(ASKS));
        assertThat(gemini.request().document().toJson())
                .isEqualTo("{\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"Hi\"}]}]}");
        assertThat(gemini.changes()).isEmpty();
    }

    @Test
    void theSameFormIsTheSameRequest() throws DialectException {
        ModelRequest request = openAi("'odd':{'b':1,'a':1e0}," + ASKS);
        Said said = Translation.say(request, Crossing.OPENAI);
        assertThat(said.request()).isSameAs(request);
        assertThat(said.changes()).isEmpty();
    }

    @Test
    void anOpaqueRequestIsNeverTranslated() throws DialectException {
        ModelRequest request = ModelRequest.opaque("/embeddings", "m", json("{'input':'x'}"));
        assertThat(Translation.say(request, Crossing.OPENAI).request()).isSameAs(request);
        assertThat(Translation.between(Form.OPAQUE, Form.GEMINI_CONTENT)).isFalse();
    }

    @Test
    void systemAndDeveloperMessagesGoWhereTheTargetHasThem() throws DialectException {
        ModelRequest request = openAi("'max_tokens':5,'messages':[{'role':'system','content':'Be brief'},"
                + "{'role':'developer','content':'Be kind'},{'role':'user','content':'Hi'},"
                + "{'role':'system','content':'Be late'}]");
        Said claude = Crossing.to(Crossing.CLAUDE, request);
        assertSays(
                claude,
                "/system",
                "[{'type':'text','text':'Be brief'},{'type':'text','text':'Be kind'},{'type':'text','text':'Be"
                        + " late'}]");
        assertChanged(claude, "/messages/3", "moved");
        Said gemini = Crossing.to(Crossing.GEMINI, request);
        assertSays(gemini, "/systemInstruction/parts/2", "{'text':'Be late'}");
        assertChanged(gemini, "/messages/3", "moved");
    }

    @Test
    void aSystemPromptAloneIsSaidByTheUser() throws DialectException {
        ModelRequest request = openAi("'max_tokens':5,'messages':[{'role':'system','content':'Write a poem'}]");
        Said claude = Crossing.to(Crossing.CLAUDE, request);
        assertSays(claude, "/messages", "[{'role':'user','content':'Write a poem'}]");
        assertSays(Crossing.to(Crossing.GEMINI, request), "/contents/0/role", "'user'");
        assertChanged(claude, "/messages/0", "said by the user");
    }

    @Test
    void answersThatBeginAreLedInAndTurnsOfOneSpeakerBecomeOne() throws DialectException {
        Said said = Crossing.to(
                Crossing.CLAUDE,
                openAi("'max_tokens':5,'messages':[{'role':'assistant','content':'Hello'},"
                        + "{'role':'user','content':'a'},{'role':'user','name':'bob','content':'b'}]"));
        assertThat(VendorRules.broken(Crossing.CLAUDE, said.request().document()))
                .isEmpty();
        assertSays(said, "/messages/2/content", "[{'type':'text','text':'a'},{'type':'text','text':'b'}]");
        assertOnlyChanged(said, "/messages", "/messages/2/name");
    }

    @ParameterizedTest
    @CsvSource({
        "https://e.com/a.png, '{''type'':''url'',''url'':''https://e.com/a.png''}',"
                + " '{''fileData'':{''mimeType'':''image/png'',''fileUri'':''https://e.com/a.png''}}'",
        "'data:image/png;base64,AAAA', '{''type'':''base64'',''media_type'':''image/png'',''data'':''AAAA''}',"
                + " '{''inlineData'':{''mimeType'':''image/png'',''data'':''AAAA''}}'"
    })
    void imagesCrossByUrlAndByData(String url, String claudes, String geminis) throws DialectException {
        ModelRequest request = openAi("'max_tokens':5,'messages':[{'role':'user','content':[{'type':'text','text':'?'},"
                + "{'type':'image_url','image_url':{'url':'" + url + "','detail':'low'}}]}]");
        Said claude = Crossing.to(Crossing.CLAUDE, request);
        assertSays(claude, "/messages/0/content/1/source", claudes);
        assertChanged(claude, "/messages/0/content/1", "detail");
        Said gemini = Crossing.to(Crossing.GEMINI, request);
        assertSays(gemini, "/contents/0/parts/1", geminis);
        Said back = Crossing.to(Crossing.OPENAI, gemini.request());
        assertSays(back, "/messages/0/content/1/image_url", "{'url':'" + url + "'}");
    }

    @Test
    void documentsCrossWhereTheTargetReadsThem() throws DialectException {
        ModelRequest request = claude("'max_tokens':5,'messages':[{'role':'user','content':["
                + "{'type':'document','title':'a.pdf','source':{'type':'base64','media_type':'application/pdf','data':'AAAA'}},"
                + "{'type':'document','source':{'type':'text','media_type':'text/plain','data':'plain'}},"
                + "{'type':'document','source':{'type':'file','file_id':'file_1'}},{'type':'text','text':'Hi'}]}]");
        Said openAi = Crossing.to(Crossing.OPENAI, request);
        assertSays(
                openAi,
                "/messages/0/content/0/file",
                "{'filename':'a.pdf','file_data':'data:application/pdf;base64,AAAA'}");
        assertSays(openAi, "/messages/0/content/1", "{'type':'text','text':'plain'}");
        assertOnlyChanged(openAi, "/messages/0/content/1", "/messages/0/content/2");
        Said gemini = Crossing.to(Crossing.GEMINI, request);
        assertSays(gemini, "/contents/0/parts/1", "{'inlineData':{'mimeType':'text/plain','data':'cGxhaW4='}}");
        assertOnlyChanged(gemini, "/messages/0/content/0", "/messages/0/content/2");
    }

    @Test
    void soundsCrossToGeminiAndAreDroppedWithAWordAtClaude() throws DialectException {
        ModelRequest request = openAi("'max_tokens':5,'messages':[{'role':'user','content':[{'type':'text','text':'?'},"
                + "{'type':'input_audio','input_audio':{'data':'AAAA','format':'wav'}}]}]");
        assertSays(
                Crossing.to(Crossing.GEMINI, request),
                "/contents/0/parts/1",
                "{'inlineData':{'mimeType':'audio/wav','data':'AAAA'}}");
        assertOnlyChanged(Crossing.to(Crossing.CLAUDE, request), "/messages/0/content/1");
    }

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

    private static final String TWO_CALLS = "{'role':'user','content':'Hi'},{'role':'assistant','content':null,"
            + "'tool_calls':[{'id':'call_a','type':'function','function':{'name':'f','arguments':'{\\'x\\':1}'}},"
            + "{'id':'call_b','type':'function','function':{'name':'g','arguments':''}}]},"
            + "{'role':'tool','tool_call_id':'call_b','content':'B'},{'role':'tool','tool_call_id':'call_a','content':'A'}";

    private static ModelRequest withCalls(String more) {
        return ModelRequest.of(
                Form.OPENAI_CHAT,
                json(("{'model':'m','max_tokens':5,'messages':[" + TWO_CALLS + more + "]}").replace("\\'", "\\\"")));
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
    void developersAreSystemsWhereNobodyKnowsThem() throws DialectException {
        ModelRequest request =
                openAi("'messages':[{'role':'developer','content':'Be kind'},{'role':'user','content':'Hi'}]");
        assertSays(Translation.say(request, at(Vendor.MISTRAL)), "/messages/0/role", "'system'");
        assertThat(Translation.say(request, at(Vendor.OPENROUTER)).request()).isSameAs(request);
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

    private static final String SCHEMA = "{'type':'object','properties':{'a':{'type':'string'}},'required':['a']}";
    private static final String CLOSED = SCHEMA.substring(0, SCHEMA.length() - 1) + ",'additionalProperties':false}";

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

    @Test
    void cacheHintsReachWhoTakesThem() throws DialectException {
        ModelRequest request = openAi("'max_tokens':5,'messages':[{'role':'user','content':[{'type':'text','text':'Hi',"
                + "'cache_control':{'type':'ephemeral'}}]}]");
        Said claude = Crossing.to(Crossing.CLAUDE, request);
        assertSays(claude, "/messages/0/content", "[{'type':'text','text':'Hi','cache_control':{'type':'ephemeral'}}]");
        assertSays(
                Translation.say(claude.request(), at(Vendor.OPENROUTER)),
                "/messages/0/content/0/cache_control",
                "{'type':'ephemeral'}");
        assertOnlyChanged(Crossing.to(Crossing.OPENAI, claude.request()), "/messages/0/content/0/cache_control");
        assertOnlyChanged(Crossing.to(Crossing.GEMINI, request), "/messages/0/content/0/cache_control");
    }

    @Test
    void whatOnlyOneFormKnowsIsNamedWhenItIsDropped() throws DialectException {
        Said openAi = Crossing.to(
                Crossing.CLAUDE,
                openAi("'max_tokens':5,'logit_bias':{'1':2},'metadata':{'a':'b'},'verbosity':'low','prediction':null,"
                        + "'logprobs':true,'top_logprobs':3,'tools':[{'type':'custom','custom':{'name':'c'}}],"
                        + ASKS));
        assertOnlyChanged(openAi, "/logit_bias", "/metadata", "/verbosity", "/logprobs", "/top_logprobs", "/tools/0");
        Said gemini = Crossing.to(
                Crossing.OPENAI,
                gemini("'safetySettings':[{'category':'X'}],'cachedContent':'c','tools':[{'googleSearch':{}}],"
                        + "'generationConfig':{'speechConfig':{}}," + GEMINI_ASKS));
        assertOnlyChanged(gemini, "/safetySettings", "/cachedContent", "/tools/0", "/generationConfig");
        Said claude = Crossing.to(
                Crossing.GEMINI,
                claude("'max_tokens':5,'mcp_servers':[{'name':'s'}],'messages':[{'role':'user','content':'Hi'},"
                        + "{'role':'assistant','content':[{'type':'server_tool_use','id':'x','name':'web_search','input':{}},"
                        + "{'type':'text','text':'Yes','citations':[]}]},{'role':'user','content':'Why?'}]"));
        assertOnlyChanged(claude, "/mcp_servers", "/messages/1/content/0", "/messages/1/content/1/citations");
    }

    @Test
    void streamingIsSaidWhereTheFormSaysIt() throws DialectException {
        Said gemini =
                Crossing.to(Crossing.GEMINI, openAi("'stream':true,'stream_options':{'include_usage':true}," + ASKS));
        assertThat(gemini.request().streaming()).isTrue();
        assertThat(gemini.request().document().get("stream")).isEmpty();
        assertThat(gemini.changes()).isEmpty();
        assertSays(Crossing.to(Crossing.OPENAI, gemini.request()), "/stream", "true");
        assertSays(Crossing.to(Crossing.CLAUDE, gemini.request()), "/stream", "true");
        assertSays(Crossing.to(Crossing.CLAUDE, openAi("'stream':false," + ASKS)), "/stream", "nothing");
    }

    @Test
    void theUserAndTheRefusalCross() throws DialectException {
        Said said = Crossing.to(
                Crossing.CLAUDE,
                openAi("'max_tokens':5,'user':'u1','messages':[{'role':'user','content':'Hi'},{'role':'assistant',"
                        + "'content':null,'refusal':'I will not'},{'role':'user','content':'Why?'}]"));
        assertSays(said, "/metadata", "{'user_id':'u1'}");
        assertSays(said, "/messages/1", "{'role':'assistant','content':'I will not'}");
        assertOnlyChanged(said, "/messages/1/refusal");
        assertSays(Crossing.to(Crossing.OPENAI, said.request()), "/user", "'u1'");
    }

    @Test
    void aLongHistoryIsReportedInBounds() throws DialectException {
        var messages = new StringBuilder("'max_tokens':5,'messages':[");
        for (int i = 0; i < 1_000; i++) {
            messages.append("{'role':'user','name':'bob','content':'Hi'},");
        }
        Said said = Translation.say(openAi(messages + "{'role':'user','content':'Hi'}]"), Crossing.CLAUDE);
        assertThat(said.changes()).hasSize(201);
        assertThat(said.changes().getLast().what()).isEqualTo("800 more changes");
    }
}
