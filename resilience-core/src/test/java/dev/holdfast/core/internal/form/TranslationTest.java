package dev.holdfast.core.internal.form;

import static dev.holdfast.core.internal.form.Sayings.ASKS;
import static dev.holdfast.core.internal.form.Sayings.GEMINI_ASKS;
import static dev.holdfast.core.internal.form.Sayings.assertChanged;
import static dev.holdfast.core.internal.form.Sayings.assertOnlyChanged;
import static dev.holdfast.core.internal.form.Sayings.assertSays;
import static dev.holdfast.core.internal.form.Sayings.at;
import static dev.holdfast.core.internal.form.Sayings.claude;
import static dev.holdfast.core.internal.form.Sayings.gemini;
import static dev.holdfast.core.internal.form.Sayings.json;
import static dev.holdfast.core.internal.form.Sayings.openAi;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Form;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.internal.form.Translation.Said;
import dev.holdfast.spi.DialectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each form makes of the messages of another, and what it says of that. */
class TranslationTest {
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

    @Test
    void developersAreSystemsWhereNobodyKnowsThem() throws DialectException {
        ModelRequest request =
                openAi("'messages':[{'role':'developer','content':'Be kind'},{'role':'user','content':'Hi'}]");
        assertSays(Translation.say(request, at(Vendor.MISTRAL)), "/messages/0/role", "'system'");
        assertThat(Translation.say(request, at(Vendor.OPENROUTER)).request()).isSameAs(request);
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
