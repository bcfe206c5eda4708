package dev.holdfast.core.internal.form;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Adjustment;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.internal.form.Translation.Said;
import dev.holdfast.core.internal.json.JsonReader;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Requests to be translated, whose documents are written with single quotes, and what is expected of the translation. */
final class Sayings {
    static final String ASKS = "'messages':[{'role':'user','content':'Hi'}]";
    static final String CLAUDE_ASKS = "'max_tokens':100," + ASKS;
    static final String GEMINI_ASKS = "'contents':[{'role':'user','parts':[{'text':'Hi'}]}]";

    static final String TWO_CALLS = "{'role':'user','content':'Hi'},{'role':'assistant','content':null,"
            + "'tool_calls':[{'id':'call_a','type':'function','function':{'name':'f','arguments':'{\\'x\\':1}'}},"
            + "{'id':'call_b','type':'function','function':{'name':'g','arguments':''}}]},"
            + "{'role':'tool','tool_call_id':'call_b','content':'B'},{'role':'tool','tool_call_id':'call_a','content':'A'}";

    private Sayings() {}

    static JsonObject json(String text) {
        return (JsonObject) JsonReader.read(text.replace('\'', '"'));
    }

    static ModelRequest openAi(String members) {
        return ModelRequest.of(Form.OPENAI_CHAT, json("{'model':'m'," + members + "}"));
    }

    static ModelRequest claude(String members) {
        return ModelRequest.of(Form.ANTHROPIC_MESSAGES, json("{'model':'m'," + members + "}"));
    }

    static ModelRequest gemini(String members) {
        return ModelRequest.of(Form.GEMINI_CONTENT, "m", json("{" + members + "}"));
    }

    static ModelRequest withCalls(String more) {
        return ModelRequest.of(
                Form.OPENAI_CHAT,
                json(("{'model':'m','max_tokens':5,'messages':[" + TWO_CALLS + more + "]}").replace("\\'", "\\\"")));
    }

    static Addressee named(Addressee like, String model) {
        return new Addressee(like.form(), like.vendor(), model, OptionalLong.empty());
    }

    static Addressee at(Vendor vendor) {
        return new Addressee(Form.OPENAI_CHAT, vendor, "some-model", OptionalLong.empty());
    }

    static @Nullable JsonValue at(JsonValue document, String pointer) {
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

    static void assertSays(Said said, String pointer, String expected) {
        JsonValue found = at(said.request().document(), pointer);
        assertThat(found == null ? "nothing" : found.toJson()).isEqualTo(expected.replace('\'', '"'));
    }

    static void assertChanged(Said said, String pointer, String words) {
        assertThat(said.changes()).as("changes at %s", pointer).anySatisfy(change -> {
            assertThat(change.pointer()).isEqualTo(pointer);
            assertThat(change.what()).contains(words);
        });
    }

    static void assertOnlyChanged(Said said, String... pointers) {
        assertThat(said.changes()).extracting(Adjustment::pointer).containsExactlyInAnyOrder(pointers);
    }
}
