package dev.holdfast.core.internal.form;

import static dev.holdfast.core.internal.form.Sayings.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.spi.DialectException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is no request of its form is refused with the place, and without a word of what it says. */
class BadDocumentsTest {
    private static final String SECRET = "sesame";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "OPENAI_CHAT | {} | /messages",
                "OPENAI_CHAT | {'messages':'sesame'} | /messages",
                "OPENAI_CHAT | {'messages':[]} | /messages",
                "OPENAI_CHAT | {'messages':['sesame']} | /messages/0",
                "OPENAI_CHAT | {'messages':[{'content':'sesame'}]} | /messages/0/role",
                "OPENAI_CHAT | {'messages':[{'role':'sesame','content':''}]} | /messages/0/role",
                "OPENAI_CHAT | {'messages':[{'role':'user','content':5}]} | /messages/0/content",
                "OPENAI_CHAT | {'messages':[{'role':'user','content':['sesame']}]} | /messages/0/content/0",
                "OPENAI_CHAT | {'messages':[{'role':'user','content':[{'type':'text'}]}]} | /messages/0/content/0/text",
                "OPENAI_CHAT | {'messages':[{'role':'user','content':[{'type':'image_url','image_url':{}}]}]}"
                        + " | /messages/0/content/0/image_url/url",
                "OPENAI_CHAT | {'messages':[{'role':'tool','content':'sesame'}]} | /messages/0/tool_call_id",
                "OPENAI_CHAT | {'messages':[{'role':'assistant','tool_calls':[{'id':'a','function':{}}]}]}"
                        + " | /messages/0/tool_calls/0/function/name",
                "OPENAI_CHAT | {'messages':[{'role':'assistant','tool_calls':[{'id':'a','type':'sesame','function':"
                        + "{'name':'f','arguments':'{}'}}]}]} | /messages/0/tool_calls/0/type",
                "OPENAI_CHAT | {'messages':[{'role':'assistant','tool_calls':[{'id':'a','type':'function'}]}]}"
                        + " | /messages/0/tool_calls/0/function",
                "OPENAI_CHAT | {'messages':[{'role':'assistant','tool_calls':[{'id':'a','type':'custom','custom':"
                        + "{'name':'f'}}]}]} | /messages/0/tool_calls/0/custom/input",
                "OPENAI_CHAT | {'messages':[{'role':'user'}],'tool_choice':{'type':'allowed_tools','allowed_tools':"
                        + "{'tools':['sesame']}}} | /tool_choice/allowed_tools/tools/0",
                "OPENAI_CHAT | {'messages':[{'role':'user'}],'tools':[{'function':{'name':7}}]} |"
                        + " /tools/0/function/name",
                "OPENAI_CHAT | {'messages':[{'role':'user'}],'tool_choice':'sesame'} | /tool_choice",
                "OPENAI_CHAT | {'messages':[{'role':'user'}],'max_tokens':0} | /max_tokens",
                "OPENAI_CHAT | {'messages':[{'role':'user'}],'max_tokens':1.5} | /max_tokens",
                "OPENAI_CHAT | {'messages':[{'role':'user'}],'temperature':'sesame'} | /temperature",
                "OPENAI_CHAT | {'messages':[{'role':'user'}],'stop':[1]} | /stop/0",
                "OPENAI_CHAT | {'messages':[{'role':'user'}],'stream':'sesame'} | /stream",
                "OPENAI_CHAT | {'messages':[{'role':'user'}],'response_format':{'type':'json_schema'}}"
                        + " | /response_format/json_schema",
                "ANTHROPIC_MESSAGES | {'max_tokens':1} | /messages",
                "ANTHROPIC_MESSAGES | {'messages':[{'role':'user','content':'sesame'}]} | /max_tokens",
                "ANTHROPIC_MESSAGES | {'max_tokens':1,'messages':['sesame']} | /messages/0",
                "ANTHROPIC_MESSAGES | {'max_tokens':1,'messages':[{'role':'tool','content':'sesame'}]} |"
                        + " /messages/0/role",
                "ANTHROPIC_MESSAGES | {'max_tokens':1,'messages':[{'role':'user'}]} | /messages/0/content",
                "ANTHROPIC_MESSAGES | {'max_tokens':1,'system':7,'messages':[{'role':'user','content':'sesame'}]} |"
                        + " /system",
                "ANTHROPIC_MESSAGES | {'max_tokens':1,'messages':[{'role':'user','content':[{'type':'tool_result'}]}]}"
                        + " | /messages/0/content/0/tool_use_id",
                "ANTHROPIC_MESSAGES | {'max_tokens':1,'messages':[{'role':'user','content':[{'type':'document','source':"
                        + "{'type':'text','media_type':'sesame','data':'x'}}]}]}"
                        + " | /messages/0/content/0/source/media_type",
                "ANTHROPIC_MESSAGES |"
                        + " {'max_tokens':1,'messages':[{'role':'user','content':'x'}],'tools':[{'name':'f'}]} |"
                        + " /tools/0/input_schema",
                "ANTHROPIC_MESSAGES |"
                        + " {'max_tokens':1,'messages':[{'role':'user','content':'x'}],'thinking':{'type':'sesame'}} |"
                        + " /thinking/type",
                "ANTHROPIC_MESSAGES | {'max_tokens':1,'messages':[{'role':'user','content':'x'}],"
                        + "'output_config':{'format':{'type':'sesame','schema':{}}}} | /output_config/format/type",
                "GEMINI_CONTENT | {} | /contents",
                "GEMINI_CONTENT | {'contents':[{'role':'sesame','parts':[]}]} | /contents/0/role",
                "GEMINI_CONTENT | {'contents':[{'parts':'sesame'}]} | /contents/0/parts",
                "GEMINI_CONTENT | {'contents':[{'parts':[{'text':9}]}]} | /contents/0/parts/0/text",
                "GEMINI_CONTENT | {'contents':[{'parts':[{'function_call':{}}]}]} |"
                        + " /contents/0/parts/0/function_call/name",
                "GEMINI_CONTENT | {'contents':[{'parts':[{'inlineData':{'mimeType':'sesame'}}]}]}"
                        + " | /contents/0/parts/0/inlineData/data",
                "GEMINI_CONTENT | {'contents':[{}],'generationConfig':{'maxOutputTokens':'sesame'}}"
                        + " | /generationConfig/maxOutputTokens",
                "GEMINI_CONTENT | {'contents':[{}],'generation_config':{'max_output_tokens':0}}"
                        + " | /generation_config/max_output_tokens",
                "GEMINI_CONTENT | {'contents':[{}],'toolConfig':{'functionCallingConfig':{'mode':'sesame'}}}"
                        + " | /toolConfig/functionCallingConfig/mode"
            })
    void aBadDocumentIsRefusedWithItsPlaceAndNoneOfItsWords(Form form, String document, String pointer) {
        ModelRequest request = ModelRequest.of(form, "m", json(document));
        assertThatThrownBy(() -> Translation.check(request))
                .isInstanceOf(DialectException.class)
                .hasMessageStartingWith(pointer + ": ")
                .hasMessageContaining("(expected: ")
                .hasMessageNotContaining(SECRET);
    }

    @Test
    void whateverAMemberIsReplacedByItIsReadOrRefusedWithAPlace() {
        List<ModelRequest> good = List.of(
                ModelRequest.of(
                        Form.OPENAI_CHAT,
                        json("{'model':'m','messages':[{'role':'system','content':'a'},{'role':'user','content':["
                                + "{'type':'text','text':'b'},{'type':'image_url','image_url':{'url':'c'}}]},"
                                + "{'role':'assistant','content':null,'tool_calls':[{'id':'d','type':'function','function':"
                                + "{'name':'e','arguments':'{}'}}]},{'role':'tool','tool_call_id':'d','content':'f'}],"
                                + "'tools':[{'type':'function','function':{'name':'e','parameters':{}}}],'tool_choice':"
                                + "{'type':'function','function':{'name':'e'}},'response_format':{'type':'json_schema',"
                                + "'json_schema':{'name':'n','schema':{}}},'max_tokens':1,'temperature':1,'stop':['a'],"
                                + "'reasoning_effort':'low','stream':true,'stream_options':{'include_usage':true}}")),
                ModelRequest.of(
                        Form.ANTHROPIC_MESSAGES,
                        json(
                                "{'model':'m','max_tokens':1,'system':[{'type':'text','text':'a'}],'messages':[{'role':'user',"
                                        + "'content':[{'type':'image','source':{'type':'url','url':'b'}}]},{'role':'assistant','content':"
                                        + "[{'type':'thinking','thinking':'c','signature':'d'},{'type':'tool_use','id':'e','name':'f',"
                                        + "'input':{}}]},{'role':'user','content':[{'type':'tool_result','tool_use_id':'e','content':'g'}]}],"
                                        + "'tools':[{'name':'f','input_schema':{}}],'tool_choice':{'type':'tool','name':'f'},"
                                        + "'thinking':{'type':'enabled','budget_tokens':1024},'output_config':{'format':{'type':"
                                        + "'json_schema','schema':{}}},'metadata':{'user_id':'h'},'stop_sequences':['i']}")),
                ModelRequest.of(
                        Form.GEMINI_CONTENT,
                        "m",
                        json(
                                "{'systemInstruction':{'parts':[{'text':'a'}]},'contents':[{'role':'user','parts':[{'fileData':"
                                        + "{'fileUri':'b','mimeType':'image/png'}}]},{'role':'model','parts':[{'functionCall':{'name':'c',"
                                        + "'args':{}},'thoughtSignature':'d'}]},{'role':'user','parts':[{'functionResponse':{'name':'c',"
                                        + "'response':{}}}]}],'tools':[{'functionDeclarations':[{'name':'c','parameters':{}}]}],"
                                        + "'toolConfig':{'functionCallingConfig':{'mode':'ANY','allowedFunctionNames':['c']}},"
                                        + "'generationConfig':{'temperature':1,'responseMimeType':'application/json','responseSchema':{},"
                                        + "'thinkingConfig':{'thinkingBudget':1}}}")));
        List<JsonValue> strange = List.of(
                JsonNull.NULL,
                JsonValue.of(true),
                JsonValue.of(-7),
                JsonValue.of(SECRET),
                JsonArray.of(),
                JsonArray.of(JsonValue.of(SECRET)),
                JsonObject.empty(),
                JsonObject.of(SECRET, JsonValue.of(SECRET)));
        int[] tried = {0};
        for (ModelRequest request : good) {
            for (JsonValue other : strange) {
                changes(request.document(), other, changed -> {
                    tried[0]++;
                    assertReadOrRefused(ModelRequest.of(request.form(), "m", (JsonObject) changed));
                });
            }
        }
        assertThat(tried[0]).isGreaterThan(900);
    }

    private static void assertReadOrRefused(ModelRequest request) {
        assertThatCode(() -> {
                    try {
                        for (Addressee addressee : List.of(Crossing.OPENAI, Crossing.CLAUDE, Crossing.GEMINI)) {
                            Translation.say(request, addressee);
                        }
                    } catch (DialectException e) {
                        assertThat(e.getMessage())
                                .startsWith("/")
                                .contains("(expected: ")
                                .doesNotContain(SECRET);
                    }
                })
                .doesNotThrowAnyException();
    }

    /** The value with each of its parts replaced in turn. */
    private static void changes(JsonValue value, JsonValue by, Consumer<JsonValue> each) {
        if (value instanceof JsonObject object) {
            object.members().forEach((name, member) -> {
                each.accept(object.with(name, by));
                changes(member, by, changed -> each.accept(object.with(name, changed)));
            });
        } else if (value instanceof JsonArray(List<JsonValue> elements)) {
            for (int i = 0; i < elements.size(); i++) {
                int index = i;
                each.accept(replaced(elements, index, by));
                changes(elements.get(i), by, changed -> each.accept(replaced(elements, index, changed)));
            }
        }
    }

    private static JsonArray replaced(List<JsonValue> elements, int index, JsonValue by) {
        var changed = new ArrayList<>(elements);
        changed.set(index, by);
        return new JsonArray(changed);
    }
}
