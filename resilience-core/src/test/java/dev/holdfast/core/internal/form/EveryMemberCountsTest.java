package dev.holdfast.core.internal.form;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonBoolean;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.internal.form.Translation.Said;
import dev.holdfast.core.internal.json.JsonReader;
import dev.holdfast.spi.DialectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Whatever a document says, its translation says too, or {@link dev.holdfast.Adjustment adjustments} name it: a member that can be
 * changed or added without a change of what is written, and without a word, is dropped in silence.
 */
class EveryMemberCountsTest {
    private static final String NEW = "zz_new";

    /**
     * What goes without saying where it says this: a default is what happens anyway (no failure, calls at will, no strictness of a
     * tool, no log probabilities), and so is the one word that a place can say.
     */
    private static final List<Default> DEFAULTS = List.of(
            Default.of(".*/is_error", "false"),
            Default.of("/tools/[0-9]+(/function)?/strict", "false"),
            Default.of("/parallel_tool_calls", "true"),
            Default.of("/tool_choice/disable_parallel_tool_use", "false"),
            Default.of("/logprobs|/generationConfig/responseLogprobs", "false"),
            Default.of("(/tools/[0-9]+|.*/tool_calls/[0-9]+)/type", "'function'"),
            Default.of("/contents/[0-9]+/role", "'user'"),
            Default.of(".*/function/arguments", "'{}'"),
            Default.of("/n", "1"),
            Default.of("/thinking", "{'type':'enabled'}"),
            Default.of("/thinking/type", "'enabled'"),
            Default.of(".*/source/media_type", "'text/plain'"),
            Default.of("/tools/.*/(parameters|parametersJsonSchema|input_schema)/type", "'object'"),
            Default.of("/tools/.*/parameters/type", "'OBJECT'"));

    private record Default(Pattern pointer, JsonValue value) {
        static Default of(String pointer, String value) {
            return new Default(Pattern.compile(pointer), JsonReader.read(value.replace('\'', '"')));
        }

        boolean is(Variant variant) {
            return pointer.matcher(variant.pointer()).matches() && value.equals(variant.said());
        }
    }

    /**
     * The model is the addressee's; a stream is asked for by the request, and tells its usage in every other form; a system
     * instruction has no role, and results without ids belong to the calls in their order; an order of properties may be the one they have.
     */
    private static final Pattern UNSAID = Pattern.compile(
            "/model|/stream|/stream_options(/include_usage)?|/systemInstruction/role|.*/functionResponse/id"
                    + "|.*/propertyOrdering.*");

    private static final List<Addressee> ADDRESSEES = List.of(
            new Addressee(Form.OPENAI_CHAT, Vendor.OPENAI, "gpt-4.1", OptionalLong.empty()),
            new Addressee(Form.OPENAI_CHAT, Vendor.OPENAI, "gpt-5", OptionalLong.empty()),
            new Addressee(Form.OPENAI_CHAT, Vendor.MISTRAL, "mistral-large", OptionalLong.empty()),
            new Addressee(Form.OPENAI_CHAT, Vendor.DEEPSEEK, "deepseek-chat", OptionalLong.empty()),
            new Addressee(Form.OPENAI_CHAT, Vendor.OPENROUTER, "x/y", OptionalLong.empty()),
            new Addressee(Form.ANTHROPIC_MESSAGES, Vendor.ANTHROPIC, "claude-sonnet-4-5", OptionalLong.empty()),
            new Addressee(Form.ANTHROPIC_MESSAGES, Vendor.ANTHROPIC, "claude-opus-4-7", OptionalLong.empty()),
            new Addressee(Form.GEMINI_CONTENT, Vendor.GOOGLE, "gemini-2.5-flash", OptionalLong.empty()),
            new Addressee(Form.GEMINI_CONTENT, Vendor.GOOGLE, "gemini-3-pro", OptionalLong.empty()));

    private static final ModelRequest OPENAI = ModelRequest.of(
            Form.OPENAI_CHAT,
            json(
                    "{'model':'m','messages':[{'role':'system','content':'a','name':'nn'},{'role':'user','name':'n','content':["
                            + "{'type':'text','text':'b','cache_control':{'type':'ephemeral'}},"
                            + "{'type':'image_url','image_url':{'url':'https://h/c.png','detail':'high'}},"
                            + "{'type':'input_audio','input_audio':{'data':'QUJD','format':'wav'}},"
                            + "{'type':'file','file':{'filename':'f.pdf','file_data':'data:application/pdf;base64,QUJD'}}]},"
                            + "{'role':'assistant','content':'d','refusal':'r','reasoning_content':'t','tool_calls':["
                            + "{'id':'i1','type':'function','function':{'name':'e','arguments':'{\"x\":1}'}},"
                            + "{'id':'i2','type':'function','function':{'name':'e','arguments':'{\"x\":2}'}}]},"
                            + "{'role':'tool','tool_call_id':'i1','content':'f'},{'role':'tool','tool_call_id':'i2','content':[{'type':'text','text':'g'}]}],"
                            + "'tools':[{'type':'function','function':{'name':'e','description':'h','strict':true,'parameters':{'type':'object',"
                            + "'properties':{'x':{'type':'integer','description':'k'}},'additionalProperties':false,'required':['x']}}}],"
                            + "'tool_choice':'required','parallel_tool_calls':false,"
                            + "'response_format':{'type':'json_schema','json_schema':{'name':'l','description':'dd','strict':true,'schema':{'type':'object',"
                            + "'properties':{'y':{'type':'string'}},'additionalProperties':false,'required':['y']}}},"
                            + "'max_tokens':5000,'temperature':0.5,'top_p':0.25,'stop':['p','q'],'n':2,'seed':7,'logprobs':true,'top_logprobs':3,"
                            + "'presence_penalty':0.5,'frequency_penalty':0.25,'logit_bias':{'5':1},'user':'u','metadata':{'k':'v'},"
                            + "'reasoning_effort':'low','service_tier':'auto','store':true,'modalities':['text'],"
                            + "'prediction':{'type':'content','content':'pp'},'verbosity':'low','prompt_cache_key':'pk',"
                            + "'stream':true,'stream_options':{'include_usage':true}}"));

    private static final ModelRequest ANTHROPIC = ModelRequest.of(
            Form.ANTHROPIC_MESSAGES,
            json(
                    "{'model':'m','max_tokens':9000,'system':[{'type':'text','text':'a','cache_control':{'type':'ephemeral','ttl':'1h'}}],"
                            + "'messages':[{'role':'user','content':[{'type':'text','text':'q'},{'type':'image','source':{'type':'url','url':'https://h/b.png'}},"
                            + "{'type':'image','source':{'type':'base64','media_type':'image/png','data':'QUJD'}},"
                            + "{'type':'document','title':'ti','context':'co','citations':{'enabled':true},'source':{'type':'base64','media_type':'application/pdf','data':'QUJD'}},"
                            + "{'type':'document','source':{'type':'text','media_type':'text/plain','data':'doc'}}]},"
                            + "{'role':'assistant','content':[{'type':'thinking','thinking':'c','signature':'d'},{'type':'redacted_thinking','data':'rd'},"
                            + "{'type':'text','text':'tt'},"
                            + "{'type':'tool_use','id':'e','name':'f','input':{'x':1}},{'type':'tool_use','id':'e2','name':'f','input':{'x':2}}]},"
                            + "{'role':'user','content':[{'type':'tool_result','tool_use_id':'e','is_error':true,'content':'g'},"
                            + "{'type':'tool_result','tool_use_id':'e2','content':[{'type':'text','text':'hh'},{'type':'image','source':{'type':'base64','media_type':'image/png','data':'QUJD'}}]},"
                            + "{'type':'text','text':'and?'}]}],"
                            + "'tools':[{'name':'f','description':'de','input_schema':{'type':'object','properties':{'x':{'type':'integer'}}},'cache_control':{'type':'ephemeral'}}],"
                            + "'tool_choice':{'type':'auto','disable_parallel_tool_use':true},"
                            + "'thinking':{'type':'enabled','budget_tokens':2048},'output_config':{'effort':'low','format':{'type':'json_schema','schema':{'type':'object','properties':{'y':{'type':'string'}},'additionalProperties':false}}},"
                            + "'metadata':{'user_id':'h'},'stop_sequences':['i'],'temperature':0.5,'top_k':5,'top_p':0.25,'service_tier':'auto',"
                            + "'stream':true}"));

    private static final ModelRequest GEMINI = ModelRequest.of(
            Form.GEMINI_CONTENT,
            "m",
            json(
                    "{'systemInstruction':{'parts':[{'text':'a'}]},'contents':[{'role':'user','parts':[{'text':'q'},{'fileData':"
                            + "{'fileUri':'https://h/b.png','mimeType':'image/png'}},{'inlineData':{'mimeType':'image/png','data':'QUJD'},'mediaResolution':{'level':'HIGH'}},"
                            + "{'inlineData':{'mimeType':'video/mp4','data':'QUJD'},'videoMetadata':{'fps':2}}]},"
                            + "{'role':'model','parts':[{'text':'th','thought':true,'thoughtSignature':'s0'},{'text':'say'},{'functionCall':{'name':'c',"
                            + "'args':{'x':1}},'thoughtSignature':'d'},{'functionCall':{'name':'c','args':{'x':2}}}]},"
                            + "{'role':'user','parts':[{'functionResponse':{'name':'c','response':{'r':1}}},{'functionResponse':{'name':'c','response':{'r':2}}}]}],"
                            + "'tools':[{'functionDeclarations':[{'name':'c','description':'de','parameters':{'type':'OBJECT','properties':{'x':{'type':'INTEGER'}}}}]},{'googleSearch':{'k':1}}],"
                            + "'toolConfig':{'functionCallingConfig':{'mode':'ANY','allowedFunctionNames':['c']}},"
                            + "'safetySettings':[{'category':'X','threshold':'Y'}],'cachedContent':'cachedContents/1','labels':{'a':'b'},"
                            + "'generationConfig':{'temperature':0.5,'topP':0.25,'topK':5,'candidateCount':2,'maxOutputTokens':9000,'seed':3,'stopSequences':['z'],"
                            + "'presencePenalty':0.5,'frequencyPenalty':0.25,'responseLogprobs':true,'logprobs':3,'responseModalities':['TEXT'],"
                            + "'responseMimeType':'application/json','responseSchema':{'type':'OBJECT','properties':{'y':{'type':'STRING'}}},"
                            + "'thinkingConfig':{'thinkingBudget':2048,'includeThoughts':true}}}"));

    private static JsonObject json(String text) {
        return (JsonObject)
                JsonReader.read(text.replace('"', '~').replace('\'', '"').replace("~", "\\\""));
    }

    @Test
    void nothingIsDroppedInSilence() throws DialectException {
        var silent = new ArrayList<String>();
        for (ModelRequest request : List.of(OPENAI, ANTHROPIC, GEMINI)) {
            for (Addressee addressee : ADDRESSEES) {
                if (addressee.form() != request.form()) {
                    silent.addAll(silent(request, addressee, pointer -> true));
                }
            }
        }
        assertThat(silent).isEmpty();
    }

    /** What of the members at these pointers is lost in silence. */
    static List<String> silent(ModelRequest request, Addressee addressee, Predicate<String> pointers)
            throws DialectException {
        Said before = Translation.say(request, addressee);
        var silent = new ArrayList<String>();
        for (Variant variant : variants(request.document(), "")) {
            if (!pointers.test(variant.pointer())) {
                continue;
            }
            Said after;
            try {
                after = Translation.say(request.withDocument((JsonObject) variant.value()), addressee);
            } catch (DialectException refused) {
                continue;
            }
            boolean told = tells(after, variant) || (variant.without() && tells(before, variant));
            boolean same = after.request()
                    .document()
                    .toJson()
                    .equals(before.request().document().toJson());
            if (same && !told && !goesWithoutSaying(variant)) {
                silent.add(request.form() + " -> " + addressee.vendor() + " " + addressee.model() + ": " + variant);
            }
        }
        return silent;
    }

    private static boolean tells(Said said, Variant variant) {
        return said.changes().stream().anyMatch(change -> covers(change.pointer(), variant.pointer()));
    }

    private static boolean goesWithoutSaying(Variant variant) {
        boolean nothing = variant.said().isNull()
                || variant.said().equals(JsonValue.of(""))
                || variant.said().equals(JsonArray.of());
        return nothing
                || UNSAID.matcher(variant.pointer()).matches()
                || DEFAULTS.stream().anyMatch(each -> each.is(variant));
    }

    private static boolean covers(String told, String pointer) {
        return pointer.equals(told) || pointer.startsWith(told + "/") || told.startsWith(pointer + "/");
    }

    /**
     * A document in which one place says something else, or nothing.
     *
     * @param said what the place says: in the variant, or where it is left out, in the original
     * @param value the document
     */
    private record Variant(String pointer, boolean without, JsonValue said, JsonValue value) {
        Variant within(JsonValue outer) {
            return new Variant(pointer, without, said, outer);
        }

        @Override
        public String toString() {
            return pointer + (without ? " left out" : " = " + said.toJson());
        }
    }

    private static List<Variant> variants(JsonValue value, String pointer) {
        var all = new ArrayList<Variant>();
        if (value instanceof JsonObject object) {
            JsonValue news = JsonValue.of("news");
            all.add(new Variant(pointer + "/" + NEW, false, news, object.with(NEW, news)));
            object.members().forEach((name, member) -> {
                String inner = pointer + "/" + name;
                all.add(new Variant(inner, true, member, object.without(name)));
                variants(member, inner).forEach(each -> all.add(each.within(object.with(name, each.value()))));
            });
        } else if (value instanceof JsonArray(List<JsonValue> elements)) {
            for (int i = 0; i < elements.size(); i++) {
                int index = i;
                variants(elements.get(i), pointer + "/" + i).forEach(each -> {
                    var changed = new ArrayList<>(elements);
                    changed.set(index, each.value());
                    all.add(each.within(new JsonArray(changed)));
                });
            }
        } else {
            other(value).ifPresent(changed -> all.add(new Variant(pointer, false, changed, changed)));
        }
        return all;
    }

    private static Optional<JsonValue> other(JsonValue value) {
        return switch (value) {
            case JsonString text -> Optional.of(JsonValue.of(text.asText().orElseThrow() + "x"));
            case JsonBoolean flag -> Optional.of(JsonValue.of(!flag.isTrue()));
            case JsonNumber number ->
                Optional.of(JsonReader.read(number.toJson().contains(".") ? "0.75" : number.toJson() + "1"));
            default -> Optional.empty();
        };
    }
}
