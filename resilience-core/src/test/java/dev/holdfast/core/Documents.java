package dev.holdfast.core;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonBoolean;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Makes JSON documents of any characters, lone surrogates too, and numbers of any spelling. */
public final class Documents {
    private static final List<String> WHOLE = List.of("0", "-0", "7", "-12", "1234567890123456789012345");
    private static final List<String> FRACTION = List.of("", ".0", ".10", ".000000000000000000001");
    private static final List<String> EXPONENT = List.of("", "e5", "E+05", "e-400", "E999999999");

    private Documents() {}

    /** Any document. */
    public static Arbitrary<JsonValue> any() {
        return Arbitraries.randomValue(random -> value(random, 4, Documents::name, Documents::text));
    }

    /** Documents whose names and strings are mostly these. */
    public static Arbitrary<JsonValue> of(List<String> names, List<String> texts) {
        return Arbitraries.randomValue(random -> value(random, 5, mostly(names), mostly(texts)));
    }

    private static Function<Random, String> mostly(List<String> words) {
        return random -> random.nextInt(10) == 0 ? name(random) : pick(random, words);
    }

    /** A document of at most that depth. */
    public static JsonValue value(
            Random random, int depth, Function<Random, String> names, Function<Random, String> texts) {
        return switch (random.nextInt(depth > 0 ? 8 : 5)) {
            case 0, 1 -> JsonValue.of(texts.apply(random));
            case 2 -> new JsonNumber(pick(random, WHOLE) + pick(random, FRACTION) + pick(random, EXPONENT));
            case 3 -> new JsonBoolean(random.nextBoolean());
            case 4 -> JsonNull.NULL;
            case 5 -> {
                var elements = new ArrayList<JsonValue>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    elements.add(value(random, depth - 1, names, texts));
                }
                yield new JsonArray(elements);
            }
            default -> {
                var members = new LinkedHashMap<String, JsonValue>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    members.put(names.apply(random), value(random, depth - 1, names, texts));
                }
                yield new JsonObject(members);
            }
        };
    }

    /** Text without half a surrogate pair, which names may not have. */
    private static String name(Random random) {
        return text(random).replaceAll("[\\ud800-\\udfff]", "");
    }

    private static String text(Random random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(10); i > 0; i--) {
            text.append((char) (random.nextBoolean() ? random.nextInt(128) : random.nextInt(0x10000)));
        }
        return text.toString();
    }

    private static String pick(Random random, List<String> words) {
        return words.get(random.nextInt(words.size()));
    }
}
