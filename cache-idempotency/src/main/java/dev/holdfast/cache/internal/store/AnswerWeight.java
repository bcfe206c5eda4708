package dev.holdfast.cache.internal.store;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonBoolean;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.spi.ResponseCache.CachedAnswer;
import java.util.Map;

/**
 * About what a stored answer takes in memory, by the layout of objects in a 64-bit HotSpot with compressed references: found by
 * one walk through the document, without a text of it. The text and the tool calls beside the document share its strings or
 * repeat them; both are counted.
 */
public final class AnswerWeight {
    /** Key, digest, entry of the cache, the record of the answer and its parts but the document. */
    private static final long ENTRY = 480;

    private static final long STRING = 40;
    private static final long VALUE = 16;
    private static final long OBJECT = 120;
    private static final long MEMBER = 56;
    private static final long ARRAY = 56;
    private static final long REFERENCE = 4;

    private AnswerWeight() {}

    /** Its weight in bytes. */
    public static long of(CachedAnswer stored) {
        return ENTRY
                + of(stored.answer().document())
                + stored.answer().toolCalls().size() * (VALUE + 2 * STRING);
    }

    private static long of(JsonValue value) {
        return switch (value) {
            case JsonString(String text) -> VALUE + STRING + characters(text);
            case JsonNumber(String text) -> VALUE + STRING + text.length();
            case JsonObject object -> {
                long weight = OBJECT;
                for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                    weight += MEMBER + STRING + member.getKey().length() + of(member.getValue());
                }
                yield weight;
            }
            case JsonArray array -> {
                long weight = ARRAY + array.elements().size() * REFERENCE;
                for (JsonValue element : array.elements()) {
                    weight += of(element);
                }
                yield weight;
            }
            case JsonBoolean truth -> VALUE;
            case JsonNull.NULL -> 0;
        };
    }

    /** A string takes two bytes for each of its characters as soon as one of them is beyond Latin-1. */
    private static long characters(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 0xff) {
                return 2L * text.length();
            }
        }
        return text.length();
    }
}
