package dev.holdfast.core.internal.call;

import dev.holdfast.Adjustment;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.ModelSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A request as one model takes it: caps on output no higher than the model's, parameters under the model's names, none that it
 * does not know. Made of the caller's request for each model anew; the request itself is not touched, and one that fits is passed
 * on as it is. Nothing is added.
 *
 * @param request the request as it is sent
 * @param adjusted what is otherwise than in the caller's
 */
record RequestFit(ModelRequest request, List<Adjustment> adjusted) {
    /** The caps of OpenAI's and Anthropic's forms, of the Responses API, and Gemini's inside its own object. */
    private static final List<String> CAPS = List.of("max_tokens", "max_completion_tokens", "max_output_tokens");

    private static final String GEMINI_CONFIG = "generationConfig";
    private static final String GEMINI_CAP = "maxOutputTokens";

    /** Copies the list. */
    RequestFit {
        adjusted = List.copyOf(adjusted);
    }

    static RequestFit of(ModelRequest request, ModelSettings model) {
        if (model.maxOutput().isEmpty()
                && model.renamedParameters().isEmpty()
                && model.droppedParameters().isEmpty()) {
            return new RequestFit(request, List.of());
        }
        var adjusted = new ArrayList<Adjustment>();
        JsonObject document = request.document();
        for (String name : model.droppedParameters()) {
            document = without(document, name, adjusted);
        }
        document = clamped(document, model.maxOutput(), adjusted);
        document = renamed(document, model, adjusted);
        return adjusted.isEmpty()
                ? new RequestFit(request, List.of())
                : new RequestFit(request.withDocument(document), adjusted);
    }

    private static JsonObject without(JsonObject document, String name, List<Adjustment> adjusted) {
        if (document.get(name).isEmpty()) {
            return document;
        }
        adjusted.add(new Adjustment(pointer(name), "dropped"));
        return document.without(name);
    }

    private static JsonObject clamped(JsonObject document, OptionalLong most, List<Adjustment> adjusted) {
        if (most.isEmpty()) {
            return document;
        }
        JsonObject changed = document;
        for (String cap : CAPS) {
            changed = clamped(changed, cap, most.getAsLong(), "", adjusted);
        }
        Optional<JsonObject> config = changed.object(GEMINI_CONFIG);
        if (config.isPresent()) {
            JsonObject smaller = clamped(config.get(), GEMINI_CAP, most.getAsLong(), pointer(GEMINI_CONFIG), adjusted);
            changed = smaller.equals(config.get()) ? changed : changed.with(GEMINI_CONFIG, smaller);
        }
        return changed;
    }

    private static JsonObject clamped(
            JsonObject document, String name, long most, String parent, List<Adjustment> adjusted) {
        if (document.longValue(name).orElse(0) <= most) {
            return document;
        }
        adjusted.add(new Adjustment(parent + pointer(name), "clamped to " + most));
        return document.with(name, JsonValue.of(most));
    }

    /** In one pass, each in its place: names may be swapped. A name that the request uses already is not overwritten. */
    private static JsonObject renamed(JsonObject document, ModelSettings model, List<Adjustment> adjusted) {
        JsonObject.Builder changed = JsonObject.builder();
        int before = adjusted.size();
        document.members().forEach((name, value) -> {
            String upstream = model.renamedParameters().get(name);
            if (upstream == null) {
                changed.with(name, value);
            } else if (isTaken(document, model, upstream)) {
                adjusted.add(new Adjustment(pointer(name), "dropped, since " + upstream + " is set"));
            } else {
                adjusted.add(new Adjustment(pointer(name), "renamed to " + upstream));
                changed.with(upstream, value);
            }
        });
        return adjusted.size() == before ? document : changed.build();
    }

    private static boolean isTaken(JsonObject document, ModelSettings model, String upstream) {
        return document.get(upstream).isPresent() && !model.renamedParameters().containsKey(upstream);
    }

    /** A JSON pointer to a member (RFC 6901). */
    private static String pointer(String name) {
        return "/" + name.replace("~", "~0").replace("/", "~1");
    }
}
