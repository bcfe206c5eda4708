package dev.holdfast.core.internal.form;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.internal.form.Translation.Said;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Changes single members of a request that is already in its addressee's form, where vendors of that form differ: the name of
 * the cap on tokens, the role {@code developer}, the ids and signatures of tool calls that another vendor's model made. Everything else stays as it
 * is. One is made for each request.
 */
final class Fitting {
    private final Addressee addressee;
    private final boolean fitsIds;
    private final Changes changes = new Changes();
    private final Map<String, String> ids = new HashMap<>();

    private Fitting(Addressee addressee) {
        this.addressee = addressee;
        this.fitsIds = CallIds.areBound(addressee);
    }

    @SuppressWarnings("ReferenceEquality") // whether it is unchanged
    static Said fit(ModelRequest request, Addressee addressee) {
        var fitting = new Fitting(addressee);
        JsonObject asked = request.document();
        JsonObject document =
                switch (request.form()) {
                    case OPENAI_CHAT -> fitting.messages(fitting.cap(asked));
                    case ANTHROPIC_MESSAGES -> fitting.fitsIds ? fitting.messages(asked) : asked;
                    case GEMINI_CONTENT -> fitting.contents(asked);
                    case OPAQUE -> asked;
                };
        return document == asked
                ? new Said(request, List.of())
                : new Said(request.withDocument(document), fitting.changes.list());
    }

    private JsonObject cap(JsonObject document) {
        if (OpenAiNames.isReasoning(addressee)) {
            return renamed(document, OpenAiNames.OLD_CAP, OpenAiNames.NEW_CAP);
        }
        return OpenAiNames.knowsOldCapOnly(addressee.vendor())
                ? renamed(document, OpenAiNames.NEW_CAP, OpenAiNames.OLD_CAP)
                : document;
    }

    private JsonObject renamed(JsonObject document, String from, String to) {
        JsonValue value = document.members().get(from);
        if (value == null || value.isNull() || document.members().containsKey(to)) {
            return document;
        }
        JsonObject.Builder renamed = JsonObject.builder();
        document.members().forEach((name, member) -> renamed.with(name.equals(from) ? to : name, member));
        changes.note(Place.ROOT.member(from), "renamed to " + to);
        return renamed.build();
    }

    private JsonObject messages(JsonObject document) {
        if (!fitsIds && OpenAiNames.knowsDeveloper(addressee.vendor())) {
            return document;
        }
        return each(document, "messages", Place.ROOT, (message, place) -> {
            JsonObject fitted = role(message, place);
            if (!fitsIds) {
                return fitted;
            }
            fitted = withId(fitted, "tool_call_id", place);
            fitted = each(fitted, "tool_calls", place, (call, at) -> withId(call, "id", at));
            return addressee.form() == Form.ANTHROPIC_MESSAGES ? each(fitted, "content", place, this::block) : fitted;
        });
    }

    private JsonObject block(JsonObject block, Place place) {
        boolean call = block.text("type").filter("tool_use"::equals).isPresent();
        return withId(call ? withId(block, "id", place) : block, "tool_use_id", place);
    }

    private JsonObject role(JsonObject message, Place place) {
        boolean strange = addressee.form() == Form.OPENAI_CHAT
                && !OpenAiNames.knowsDeveloper(addressee.vendor())
                && message.text("role").filter("developer"::equals).isPresent();
        if (strange) {
            changes.note(place.member("role"), "said as system: the target knows no developer");
        }
        return strange ? message.with("role", JsonValue.of("system")) : message;
    }

    private JsonObject withId(JsonObject object, String member, Place place) {
        if (!(object.members().get(member) instanceof JsonString(String said)) || CallIds.takes(addressee, said)) {
            return object;
        }
        changes.note(place.member(member), "rewritten as the target takes it");
        return object.with(member, JsonValue.of(ids.computeIfAbsent(said, id -> CallIds.made(addressee, id))));
    }

    /** From Gemini 3 on a call that another model made needs what stands for a signature. */
    private JsonObject contents(JsonObject document) {
        return GeminiTurns.signs(addressee) ? each(document, "contents", Place.ROOT, this::signed) : document;
    }

    private JsonObject signed(JsonObject content, Place place) {
        List<JsonValue> parts = content.list("parts");
        for (int i = 0; i < parts.size(); i++) {
            JsonObject part = parts.get(i).asObject().orElse(JsonObject.empty());
            boolean call = has(part, "functionCall", "function_call");
            if (call && has(part, "thoughtSignature", "thought_signature")) {
                return content;
            }
            if (call) {
                Place at = place.member("parts").element(i);
                changes.note(at, "added: what stands for the signature of another model's call");
                var all = new ArrayList<>(parts);
                all.set(i, part.with("thoughtSignature", JsonValue.of(GeminiTurns.UNSIGNED)));
                return content.with("parts", new JsonArray(all));
            }
        }
        return content;
    }

    private static boolean has(JsonObject object, String name, String spelledOtherwise) {
        return object.members().containsKey(name) || object.members().containsKey(spelledOtherwise);
    }

    private interface Change {
        JsonObject of(JsonObject object, Place place);
    }

    /** The object with each object in its array changed; itself if none changes. */
    @SuppressWarnings("ReferenceEquality") // whether it is unchanged
    private static JsonObject each(JsonObject within, String member, Place place, Change change) {
        List<JsonValue> elements = within.list(member);
        @Nullable List<JsonValue> changed = null;
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof JsonObject object) {
                JsonObject fitted = change.of(object, place.member(member).element(i));
                if (fitted != object) {
                    changed = changed == null ? new ArrayList<>(elements) : changed;
                    changed.set(i, fitted);
                }
            }
        }
        return changed == null ? within : within.with(member, new JsonArray(changed));
    }
}
