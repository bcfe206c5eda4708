package dev.holdfast.tests.streams;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.JsonTextException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Makes hostile what was recorded: any node of a document left out, replaced or doubled, any event of a stream moved. */
final class Mutations {
    private static final List<JsonValue> STRANGE = List.of(
            JsonText.parse("null"),
            JsonText.parse("true"),
            JsonText.parse("-7"),
            JsonText.parse("1e400"),
            JsonText.parse("99999999999999999999"),
            JsonText.parse("0.5"),
            JsonText.parse("\"\""),
            JsonText.parse("\"sesame\""),
            JsonText.parse("[]"),
            JsonText.parse("[null]"),
            JsonText.parse("{}"),
            JsonText.parse("{\"sesame\":[{}]}"),
            JsonText.parse("[".repeat(40) + "]".repeat(40)));

    private static final List<String> STRANGE_EVENTS = List.of(
            "data: null",
            "data: []",
            "data: 5",
            "data: \"x\"",
            "data: {}",
            "data: {\"type\":\"sesame\"}",
            "data: {\"error\":{\"message\":\"x\"}}",
            "data: {\"error\":null}",
            "data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"x\"}}",
            "event: error\ndata: oops",
            "event: sesame\ndata: {}",
            "data: {\"choices\":[{\"index\":5,\"delta\":{\"content\":\"x\"}}]}",
            "data: {\"type\":\"content_block_delta\",\"index\":99,\"delta\":{\"type\":\"text_delta\",\"text\":\"x\"}}",
            "data: {\"candidates\":[{\"index\":7}]}",
            ": only a comment",
            "data: [DONE]");

    private Mutations() {}

    /** The text of a document that was changed once or twice; sometimes cut. */
    static String ofDocument(String text, Random random) {
        JsonValue value = JsonText.parse(text);
        for (int i = random.nextInt(2); i >= 0; i--) {
            value = changed(value, random);
        }
        String changed = value.toJson();
        return random.nextInt(12) == 0 ? changed.substring(0, random.nextInt(changed.length())) : changed;
    }

    /** One node, each as likely as its depth makes it. */
    private static JsonValue changed(JsonValue value, Random random) {
        boolean here = random.nextInt(5) == 0;
        return switch (value) {
            case JsonObject object
            when !here && !object.members().isEmpty() -> {
                List<String> names = List.copyOf(object.members().keySet());
                String name = names.get(random.nextInt(names.size()));
                yield random.nextInt(4) == 0
                        ? object.without(name)
                        : object.with(name, changed(object.get(name).orElseThrow(), random));
            }
            case JsonArray(List<JsonValue> elements)
            when !here && !elements.isEmpty() -> {
                var all = new ArrayList<>(elements);
                int index = random.nextInt(all.size());
                switch (random.nextInt(6)) {
                    case 0 -> all.remove(index);
                    case 1 -> all.add(all.get(index));
                    case 2 -> Collections.shuffle(all, random);
                    default -> all.set(index, changed(all.get(index), random));
                }
                yield new JsonArray(all);
            }
            default -> STRANGE.get(random.nextInt(STRANGE.size()));
        };
    }

    /** A stream in which one or two events were changed, left out, doubled, moved or added; sometimes cut. */
    static String ofStream(String body, Random random) {
        var events = new ArrayList<>(Arrays.asList(body.split("\r?\n\r?\n")));
        for (int i = random.nextInt(2); i >= 0 && !events.isEmpty(); i--) {
            int index = random.nextInt(events.size());
            switch (random.nextInt(7)) {
                case 0 -> events.remove(index);
                case 1 -> events.add(random.nextInt(events.size()), events.get(index));
                case 2 -> Collections.swap(events, index, random.nextInt(events.size()));
                case 3 -> events.add(index, STRANGE_EVENTS.get(random.nextInt(STRANGE_EVENTS.size())));
                default -> events.set(index, changedEvent(events.get(index), random));
            }
        }
        String stream = String.join("\n\n", events) + "\n\n";
        return random.nextInt(12) == 0 ? stream.substring(0, random.nextInt(stream.length())) : stream;
    }

    private static String changedEvent(String event, Random random) {
        int data = event.indexOf("data:");
        String text = data < 0 ? "" : event.substring(data + 5).strip();
        boolean changeable = text.startsWith("{") && !text.contains("\n") && isJson(text);
        return changeable
                ? event.substring(0, data) + "data: " + ofDocument(text, random)
                : "data: " + STRANGE.get(random.nextInt(STRANGE.size())).toJson();
    }

    /** A change before may have cut it. */
    private static boolean isJson(String text) {
        try {
            JsonText.parse(text);
            return true;
        } catch (JsonTextException e) {
            return false;
        }
    }
}
