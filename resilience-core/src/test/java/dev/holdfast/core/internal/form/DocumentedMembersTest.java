package dev.holdfast.core.internal.form;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.internal.form.Translation.Said;
import dev.holdfast.core.internal.json.JsonReader;
import dev.holdfast.spi.DialectException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * Each member that a vendor's reference of requests names, put alone into a small request: what is written to the other forms says
 * it, or an adjustment names it, or it is refused with its place.
 */
class DocumentedMembersTest {
    private static final List<Addressee> ADDRESSEES = List.of(
            to(Form.OPENAI_CHAT, Vendor.OPENAI, "gpt-4.1"),
            to(Form.OPENAI_CHAT, Vendor.OPENAI, "gpt-5"),
            to(Form.OPENAI_CHAT, Vendor.MISTRAL, "mistral-large"),
            to(Form.OPENAI_CHAT, Vendor.DEEPSEEK, "deepseek-chat"),
            to(Form.OPENAI_CHAT, Vendor.OPENROUTER, "x/y"),
            to(Form.ANTHROPIC_MESSAGES, Vendor.ANTHROPIC, "claude-3-5-haiku-20241022"),
            to(Form.ANTHROPIC_MESSAGES, Vendor.ANTHROPIC, "claude-sonnet-4-5"),
            to(Form.ANTHROPIC_MESSAGES, Vendor.ANTHROPIC, "claude-opus-4-7"),
            to(Form.GEMINI_CONTENT, Vendor.GOOGLE, "gemini-2.0-flash"),
            to(Form.GEMINI_CONTENT, Vendor.GOOGLE, "gemini-2.5-flash"),
            to(Form.GEMINI_CONTENT, Vendor.GOOGLE, "gemini-3-pro"));

    /** platform.openai.com, "Create chat completion", and what DeepSeek, Mistral, OpenRouter and Groq add. */
    private static final String OPENAI = """
            /audio {'voice':'alloy','format':'mp3'}
            /frequency_penalty 0.5
            /function_call 'auto'
            /functions [{'name':'f','parameters':{}}]
            /logit_bias {'50256':-100}
            /logprobs true
            /max_completion_tokens 77
            /max_tokens 77
            /metadata {'a':'b'}
            /modalities ['text','audio']
            /n 2
            /parallel_tool_calls false
            /prediction {'type':'content','content':'x'}
            /presence_penalty 0.5
            /prompt_cache_key 'k'
            /prompt_cache_retention '24h'
            /reasoning_effort 'high'
            /reasoning_effort 'none'
            /reasoning {'effort':'high'}
            /reasoning {'max_tokens':3000}
            /reasoning {'exclude':true}
            /reasoning {'enabled':true}
            /reasoning/summary 'auto'
            /thinking {'type':'enabled'}
            /thinking/keep true
            /response_format {'type':'json_object'}
            /response_format {'type':'grammar','grammar':'g'}
            /response_format/json_schema/strict false
            /response_format/json_schema/name 'n'
            /response_format/json_schema/description 'd'
            /response_format/json_schema/schema {'type':'object'}
            /safety_identifier 's'
            /seed 4
            /service_tier 'flex'
            /service_tier 'default'
            /stop 'x'
            /stop ['x','y']
            /store true
            /stream_options/include_obfuscation false
            /temperature 0.25
            /tool_choice {'type':'function','function':{'name':'f'}}
            /tool_choice {'type':'custom','custom':{'name':'own'}}
            /tool_choice {'type':'allowed_tools','allowed_tools':{'mode':'auto','tools':[{'type':'custom','custom':{'name':'own'}}]}}
            /tool_choice 'none'
            /tool_choice 'required'
            /tools/1 {'type':'custom','custom':{'name':'own','description':'d','format':{'type':'text'}}}
            /tools/1 {'type':'web_search'}
            /tools/0/function/strict true
            /tools/0/function/description 'd'
            /tools/0/cache_control {'type':'ephemeral'}
            /top_logprobs 3
            /top_p 0.5
            /top_k 5
            /min_p 0.5
            /repetition_penalty 1.5
            /random_seed 4
            /safe_prompt true
            /user 'u'
            /verbosity 'low'
            /web_search_options {'search_context_size':'low'}
            /provider {'order':['x']}
            /models ['a/b']
            /transforms ['middle-out']
            /plugins [{'id':'web'}]
            /messages/0/name 'n'
            /messages/0/cache_control {'type':'ephemeral'}
            /messages/0/content [{'type':'text','text':'z','cache_control':{'type':'ephemeral'}}]
            /messages/0/content [{'type':'image_url','image_url':{'url':'https://h/i.png'}}]
            /messages/0/content [{'type':'image_url','image_url':{'url':'data:image/png;base64,QUJD','detail':'low'}}]
            /messages/0/content [{'type':'image_url','image_url':{'url':'data:image/tiff;base64,QUJD'}}]
            /messages/0/content [{'type':'input_audio','input_audio':{'data':'QUJD','format':'mp3'}}]
            /messages/0/content [{'type':'file','file':{'file_id':'f-1'}}]
            /messages/0/content [{'type':'file','file':{'file_data':'data:application/pdf;base64,QUJD','filename':'n.pdf'}}]
            /messages/0/content [{'type':'file','file':{'file_data':'https://h/f.pdf'}}]
            /messages/0/content [{'type':'video_url','video_url':{'url':'https://h/v.mp4'}}]
            /messages/1/name 'n'
            /messages/1/audio {'id':'a-1'}
            /messages/1/refusal 'no'
            /messages/1/reasoning_content 'hm'
            /messages/1/reasoning 'hm'
            /messages/1/reasoning_details [{'type':'reasoning.text','text':'hm','signature':'s','format':'anthropic-claude-v1','index':0}]
            /messages/1/reasoning_details [{'type':'reasoning.encrypted','data':'zz','format':'google-gemini-v1','id':'i'}]
            /messages/1/function_call {'name':'f','arguments':'{}'}
            /messages/1/annotations [{'type':'url_citation'}]
            /messages/1/prefix true
            /messages/1/content [{'type':'text','text':'z'},{'type':'refusal','refusal':'no'}]
            /messages/1/tool_calls/1 {'id':'i2','type':'custom','custom':{'name':'own','input':'words'}}
            /messages/1/tool_calls/0/index 0
            /messages/1/tool_calls/0/extra_content {'google':{'thought_signature':'s'}}
            /messages/1/tool_calls/0/type 'sesame'
            /messages/1/tool_calls/0/function/arguments '[1]'
            /messages/1/tool_calls/0/function/arguments 'no json'
            /messages/2/content [{'type':'text','text':'z'},{'type':'image_url','image_url':{'url':'https://h/i.png'}}]
            """;

    /** platform.claude.com, "Messages". */
    private static final String ANTHROPIC = """
            /cache_control {'type':'ephemeral'}
            /container 'c'
            /context_management {'edits':[]}
            /inference_geo 'us'
            /mcp_servers [{'type':'url','url':'https://h','name':'n'}]
            /metadata {'user_id':'u'}
            /metadata/other 'o'
            /output_config/effort 'low'
            /output_config/format {'type':'json_schema','schema':{'type':'object','additionalProperties':false}}
            /output_config/task_budget {'total':9}
            /output_format {'type':'json_schema','schema':{'type':'object','additionalProperties':false}}
            /service_tier 'standard_only'
            /speed 'fast'
            /stop_sequences ['x']
            /system [{'type':'text','text':'s','citations':[]}]
            /temperature 0.25
            /thinking {'type':'enabled','budget_tokens':3000}
            /thinking {'type':'enabled','budget_tokens':3000,'display':'omitted'}
            /thinking {'type':'adaptive'}
            /thinking {'type':'adaptive','display':'summarized'}
            /tool_choice {'type':'any'}
            /tool_choice {'type':'none'}
            /tool_choice {'type':'tool','name':'f'}
            /tool_choice {'type':'tool','name':'bash'}
            /tool_choice {'type':'auto','disable_parallel_tool_use':true}
            /tools/1 {'type':'bash_20250124','name':'bash'}
            /tools/0/strict true
            /tools/0/description 'd'
            /tools/0/cache_control {'type':'ephemeral'}
            /tools/0/defer_loading true
            /tools/0/allowed_callers ['direct']
            /tools/0/input_examples [{}]
            /tools/0/eager_input_streaming true
            /top_k 5
            /top_p 0.5
            /messages/0/content [{'type':'image','source':{'type':'file','file_id':'f'}}]
            /messages/0/content [{'type':'image','source':{'type':'url','url':'https://h/i.png'}}]
            /messages/0/content [{'type':'document','source':{'type':'url','url':'https://h/i.pdf'}}]
            /messages/0/content [{'type':'document','source':{'type':'content','content':'x'}}]
            /messages/0/content [{'type':'document','source':{'type':'text','media_type':'text/plain','data':'x'},'title':'t','context':'c','citations':{'enabled':true}}]
            /messages/0/content [{'type':'document','source':{'type':'text','media_type':'text/html','data':'x'}}]
            /messages/0/content [{'type':'search_result','source':'x','title':'t','content':[]}]
            /messages/0/content [{'type':'container_upload','file_id':'f'}]
            /messages/0/content [{'type':'text','text':'x','citations':[{'type':'char_location'}]}]
            /messages/1/content/0/cache_control {'type':'ephemeral'}
            /messages/1/content/0/caller {'type':'direct'}
            /messages/1/content/1 {'type':'thinking','thinking':'t','signature':'s'}
            /messages/1/content/1 {'type':'redacted_thinking','data':'t'}
            /messages/1/content/1 {'type':'server_tool_use','id':'s','name':'web_search','input':{}}
            /messages/1/content/1 {'type':'web_search_tool_result','tool_use_id':'s','content':[]}
            /messages/1/content/1 {'type':'mcp_tool_use','id':'s','name':'n','server_name':'m','input':{}}
            /messages/2/content/0/is_error true
            /messages/2/content/0/content [{'type':'tool_reference','tool_name':'f'}]
            /messages/2/content/0/content [{'type':'image','source':{'type':'base64','media_type':'image/png','data':'QUJD'}}]
            """;

    /** ai.google.dev, "GenerateContentRequest". */
    private static final String GEMINI = """
            /cachedContent 'c'
            /labels {'a':'b'}
            /safetySettings [{'category':'x','threshold':'y'}]
            /systemInstruction {'parts':[{'text':'s'}]}
            /systemInstruction 's'
            /toolConfig/functionCallingConfig {'mode':'NONE'}
            /toolConfig/functionCallingConfig {'mode':'ANY','allowedFunctionNames':['f']}
            /toolConfig/functionCallingConfig {'mode':'VALIDATED'}
            /toolConfig/functionCallingConfig/streamFunctionCallArguments true
            /toolConfig/retrievalConfig {'languageCode':'de'}
            /tools/0/functionDeclarations/0/behavior 'BLOCKING'
            /tools/0/functionDeclarations/0/description 'd'
            /tools/0/functionDeclarations/0/response {'type':'OBJECT'}
            /tools/0/functionDeclarations/0/responseJsonSchema {'type':'object'}
            /tools/0/functionDeclarations/0/parametersJsonSchema {'type':'object','properties':{'q':{}}}
            /tools/0/codeExecution {}
            /tools/1 {'googleSearch':{}}
            /tools/1 {'urlContext':{}}
            /generationConfig/audioTimestamp true
            /generationConfig/candidateCount 2
            /generationConfig/enableAffectiveDialog true
            /generationConfig/enableEnhancedCivicAnswers true
            /generationConfig/frequencyPenalty 0.5
            /generationConfig/imageConfig {'aspectRatio':'1:1'}
            /generationConfig/logprobs 3
            /generationConfig/maxOutputTokens 77
            /generationConfig/mediaResolution 'MEDIA_RESOLUTION_LOW'
            /generationConfig/modelSelectionConfig {}
            /generationConfig/presencePenalty 0.5
            /generationConfig/responseLogprobs true
            /generationConfig/responseMimeType 'application/json'
            /generationConfig/responseMimeType 'text/x.enum'
            /generationConfig/responseSchema {'type':'OBJECT'}
            /generationConfig/responseJsonSchema {'type':'object'}
            /generationConfig/responseModalities ['TEXT']
            /generationConfig/routingConfig {'autoMode':{}}
            /generationConfig/seed 4
            /generationConfig/speechConfig {}
            /generationConfig/stopSequences ['x']
            /generationConfig/temperature 0.25
            /generationConfig/thinkingConfig {'includeThoughts':true}
            /generationConfig/thinkingConfig {'includeThoughts':false}
            /generationConfig/thinkingConfig {'thinkingBudget':3000}
            /generationConfig/thinkingConfig {'thinkingBudget':-1}
            /generationConfig/thinkingConfig {'thinkingLevel':'low'}
            /generationConfig/thinkingConfig/other true
            /generationConfig/topK 5
            /generationConfig/topP 0.5
            /contents/0/parts [{'text':'x','partMetadata':{'a':1}}]
            /contents/0/parts [{'inlineData':{'mimeType':'image/png','data':'QUJD','displayName':'n'}}]
            /contents/0/parts [{'inlineData':{'mimeType':'video/mp4','data':'QUJD'},'videoMetadata':{'fps':1}}]
            /contents/0/parts [{'fileData':{'mimeType':'image/png','fileUri':'https://h/i'}}]
            /contents/0/parts [{'fileData':{'mimeType':'audio/wav','fileUri':'gs://b/o','displayName':'n'}}]
            /contents/0/parts [{'text':'x'},{'mediaResolution':{'level':'x'},'inlineData':{'mimeType':'image/png','data':'QUJD'}}]
            /contents/1/parts/1 {'text':'th','thought':true,'thoughtSignature':'s'}
            /contents/1/parts/1 {'executableCode':{'language':'PYTHON','code':'1'}}
            /contents/1/parts/1 {'codeExecutionResult':{'outcome':'OUTCOME_OK'}}
            /contents/1/parts/0/thoughtSignature 's'
            /contents/1/parts/0/functionCall/partialArgs []
            /contents/2/parts/0/functionResponse/willContinue true
            /contents/2/parts/0/functionResponse/scheduling 'SILENT'
            /contents/2/parts/0/functionResponse/parts [{'inlineData':{'mimeType':'image/png','data':'QUJD'}}]
            """;

    /** A model that does not think unless asked is told not to; and one that always thinks as it likes, to think as it likes. */
    private static final List<String> WHAT_HAPPENS_ANYWAY = List.of(
            "OPENAI_CHAT to claude-3-5-haiku-20241022: /reasoning_effort 'none'",
            "OPENAI_CHAT to claude-sonnet-4-5: /reasoning_effort 'none'",
            "OPENAI_CHAT to gemini-2.0-flash: /reasoning_effort 'none'",
            "OPENAI_CHAT to gemini-3-pro: /reasoning {'enabled':true}",
            "OPENAI_CHAT to gemini-3-pro: /thinking {'type':'enabled'}",
            "ANTHROPIC_MESSAGES to gemini-3-pro: /thinking {'type':'adaptive'}");

    private static final ModelRequest CHAT = request(
            Form.OPENAI_CHAT,
            "{'model':'m','messages':[{'role':'user','content':'q'},{'role':'assistant','content':'w','tool_calls':"
                    + "[{'id':'i','type':'function','function':{'name':'f','arguments':'{}'}}]},"
                    + "{'role':'tool','tool_call_id':'i','content':'r'}],"
                    + "'tools':[{'type':'function','function':{'name':'f','parameters':{'type':'object'}}}]}");

    private static final ModelRequest MESSAGES = request(
            Form.ANTHROPIC_MESSAGES,
            "{'model':'m','max_tokens':9000,'messages':[{'role':'user','content':'q'},{'role':'assistant','content':"
                    + "[{'type':'tool_use','id':'i','name':'f','input':{}}]},"
                    + "{'role':'user','content':[{'type':'tool_result','tool_use_id':'i','content':'r'}]}],"
                    + "'tools':[{'name':'f','input_schema':{'type':'object'}}]}");

    private static final ModelRequest CONTENT = request(
            Form.GEMINI_CONTENT,
            "{'contents':[{'role':'user','parts':[{'text':'q'}]},{'role':'model','parts':[{'functionCall':{'name':'f',"
                    + "'args':{}}}]},{'role':'user','parts':[{'functionResponse':{'name':'f','response':{'r':1}}}]}],"
                    + "'tools':[{'functionDeclarations':[{'name':'f'}]}]}");

    private static Addressee to(Form form, Vendor vendor, String model) {
        return new Addressee(form, vendor, model, OptionalLong.empty());
    }

    private static ModelRequest request(Form form, String document) {
        return ModelRequest.of(form, "m", (JsonObject) json(document));
    }

    private static JsonValue json(String text) {
        return JsonReader.read(text.replace('\'', '"'));
    }

    @Test
    void eachIsSaidOrNamedOrRefused() throws DialectException {
        var silent = new ArrayList<String>();
        silent.addAll(silent(CHAT, OPENAI));
        silent.addAll(silent(MESSAGES, ANTHROPIC));
        silent.addAll(silent(CONTENT, GEMINI));
        assertThat(silent).containsExactlyInAnyOrderElementsOf(WHAT_HAPPENS_ANYWAY);
    }

    private static List<String> silent(ModelRequest request, String members) throws DialectException {
        var silent = new ArrayList<String>();
        for (String line : members.lines().toList()) {
            String pointer = line.substring(0, line.indexOf(' '));
            JsonValue value = json(line.substring(pointer.length() + 1));
            JsonObject with =
                    (JsonObject) put(request.document(), pointer.substring(1).split("/"), 0, value);
            for (Addressee addressee : ADDRESSEES) {
                if (addressee.form() != request.form() && !isSaid(request, request.withDocument(with), addressee)) {
                    silent.add(request.form() + " to " + addressee.model() + ": " + line);
                }
            }
        }
        return silent;
    }

    private static boolean isSaid(ModelRequest without, ModelRequest with, Addressee addressee)
            throws DialectException {
        Said before = Translation.say(without, addressee);
        try {
            Said after = Translation.say(with, addressee);
            return !after.request().equals(before.request())
                    || !before.changes().containsAll(after.changes());
        } catch (DialectException refused) {
            return refused.getMessage().startsWith("/") && refused.getMessage().contains("(expected: ");
        }
    }

    private static JsonValue put(JsonValue into, String[] steps, int depth, JsonValue value) {
        if (depth == steps.length) {
            return value;
        }
        String step = steps[depth];
        if (into instanceof JsonArray(List<JsonValue> elements)) {
            int index = Integer.parseInt(step);
            var changed = new ArrayList<>(elements);
            if (index == elements.size()) {
                changed.add(JsonObject.empty());
            }
            changed.set(index, put(changed.get(index), steps, depth + 1, value));
            return new JsonArray(changed);
        }
        JsonObject object = into.asObject().orElse(JsonObject.empty());
        JsonValue inner = object.get(step).orElse(JsonObject.empty());
        JsonObject changed = object.with(step, put(inner, steps, depth + 1, value));
        return step.equals("json_schema") ? completed(object, changed) : changed;
    }

    /** A schema's members need the schema around them. */
    private static JsonObject completed(JsonObject format, JsonObject changed) {
        JsonObject schema = changed.object("json_schema").orElseThrow();
        if (schema.get("schema").isEmpty()) {
            schema = schema.with("schema", json("{'type':'object'}"));
        }
        return format.with("type", JsonValue.of("json_schema")).with("json_schema", schema);
    }
}
