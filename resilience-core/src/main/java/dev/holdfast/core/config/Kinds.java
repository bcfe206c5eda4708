package dev.holdfast.core.config;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.Secret;
import dev.holdfast.core.internal.text.Durations;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The kinds of settings. All are immutable, and safe for any thread. */
public final class Kinds {
    /** A text that is not blank. */
    public static final Kind<String> TEXT = new Plain<>("a text", type("string"), text -> {
        if (text.isBlank()) {
            throw new IllegalArgumentException("blank");
        }
        return text;
    });

    /** {@code true} or {@code false}. */
    public static final Kind<Boolean> FLAG = new Plain<>("true or false", type("boolean"), text -> switch (text) {
        case "true" -> true;
        case "false" -> false;
        default -> throw new IllegalArgumentException(text);
    });

    /** A number from 0 to 1. */
    public static final Kind<Double> SHARE = number(0, 1);

    /** An amount of money or another exact decimal that is not negative. */
    public static final Kind<BigDecimal> AMOUNT = new Plain<>(
            "a decimal that is not negative, as in 2.50", type("number").with("minimum", new JsonNumber("0")), text -> {
                BigDecimal amount = new BigDecimal(decimal(text));
                if (amount.signum() < 0) {
                    throw new IllegalArgumentException(text);
                }
                return amount;
            });

    /** A length of time. */
    public static final Kind<Duration> DURATION = new Plain<>(
            "a duration, as in 1.5s (units: ms, s, m, h, d)",
            type("string").with("pattern", new JsonString("^[0-9]+(\\.[0-9]+)?(ns|us|ms|s|m|h|d)$")),
            text -> Durations.parse("duration", text));

    /** An absolute URI of http or https. */
    public static final Kind<URI> URL = new Plain<>(
            "an absolute URL, as in https://api.openai.com/v1",
            type("string").with("format", new JsonString("uri")),
            text -> {
                URI uri = URI.create(text);
                if (uri.getHost() == null || !List.of("http", "https").contains(String.valueOf(uri.getScheme()))) {
                    throw new IllegalArgumentException(text);
                }
                return uri;
            });

    /** A key or password, best written as a variable; it is in no report. */
    public static final Kind<Secret> SECRET =
            new Plain<>("a key, best as ${VARIABLE} or ${file:/path}", type("string"), Secret::of, true);

    /** A text that may be a secret, such as a header field's; it is in no report and no error. */
    public static final Kind<String> HIDDEN_TEXT = new Plain<>(
            TEXT.form(),
            TEXT.schema(),
            text -> {
                if (text.isBlank()) {
                    throw new IllegalArgumentException("blank (expected: a text)");
                }
                return text;
            },
            true);

    /** A number of bytes: {@code 4096}, {@code 64KiB}, {@code 256MiB}, {@code 1GiB}. */
    public static final Kind<Long> BYTES = new Plain<>(
            "a number of bytes, as in 256MiB (units: KiB, MiB, GiB)",
            JsonObject.of("type", new JsonArray(List.of(new JsonString("string"), new JsonString("integer")))),
            Kinds::bytes);

    private static final Pattern BYTES_FORM = Pattern.compile("([0-9]{1,12}) ?(|KiB|MiB|GiB)");
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,18}(\\.[0-9]{1,18})?([eE][+-]?[0-9]{1,2})?");

    private Kinds() {}

    /**
     * {@return a whole number}
     *
     * @param from the smallest
     * @param to the largest
     */
    public static Kind<Integer> count(int from, int to) {
        return whole(from, to).as(Math::toIntExact);
    }

    /**
     * {@return a whole number, also a large one}
     *
     * @param from the smallest
     * @param to the largest
     */
    public static Kind<Long> whole(long from, long to) {
        JsonObject schema = type("integer")
                .with("minimum", new JsonNumber(Long.toString(from)))
                .with("maximum", new JsonNumber(Long.toString(to)));
        return new Plain<>("a whole number, " + from + " to " + to, schema, text -> {
            long number = Long.parseLong(text);
            if (number < from || number > to) {
                throw new IllegalArgumentException(text);
            }
            return number;
        });
    }

    /**
     * {@return a number}
     *
     * @param from the smallest
     * @param to the largest
     */
    public static Kind<Double> number(double from, double to) {
        JsonObject schema =
                type("number").with("minimum", new JsonNumber(plain(from))).with("maximum", new JsonNumber(plain(to)));
        return new Plain<>("a number, " + plain(from) + " to " + plain(to), schema, text -> {
            double number = Double.parseDouble(decimal(text));
            if (!(number >= from && number <= to)) {
                throw new IllegalArgumentException(text);
            }
            return number;
        });
    }

    /**
     * {@return one of an enum's values, written small and with hyphens}
     *
     * @param <E> the enum
     * @param type the enum
     */
    public static <E extends Enum<E>> Kind<E> choice(Class<E> type) {
        var byName = new LinkedHashMap<String, E>();
        for (E each : type.getEnumConstants()) {
            byName.put(each.name().toLowerCase(Locale.ROOT).replace('_', '-'), each);
        }
        return choice(byName);
    }

    /**
     * {@return one of a few names}
     *
     * @param <T> what they stand for
     * @param byName what each stands for, in the order to be told
     */
    public static <T> Kind<T> choice(Map<String, T> byName) {
        var known = new LinkedHashMap<>(byName);
        String form = "one of " + String.join(", ", known.keySet());
        JsonObject schema = JsonObject.of(
                "enum",
                new JsonArray(
                        known.keySet().stream().<JsonValue>map(JsonString::new).toList()));
        return new Plain<>(
                form,
                schema,
                text -> Optional.ofNullable(known.get(text)).orElseThrow(() -> new IllegalArgumentException(text)));
    }

    /**
     * {@return a text with a form of its own}
     *
     * @param <T> what it stands for
     * @param form what it takes, in words
     * @param reader reads it; the message of its {@link IllegalArgumentException} is shown
     */
    public static <T> Kind<T> written(String form, Function<String, T> reader) {
        return new Plain<>(form, type("string"), Function.<String>identity()).as(reader);
    }

    /**
     * {@return a list; one value stands for a list of one}
     *
     * @param <T> what an element is in the program
     * @param of what each element takes
     */
    public static <T> Kind<List<T>> list(Kind<T> of) {
        return new Kind<>() {
            @Override
            public List<T> read(Value value) {
                return value.elements(form()).stream().map(of::read).toList();
            }

            @Override
            public void check(Value value, Consumer<ConfigException> found) {
                tried(found, () -> value.elements(form()).forEach(each -> of.check(each, found)));
            }

            @Override
            public String form() {
                return "a list, each " + of.form();
            }

            @Override
            public JsonObject schema() {
                return type("array").with("items", of.schema());
            }

            @Override
            public boolean secret() {
                return of.secret();
            }

            @Override
            public Optional<Schema> inner() {
                return of.inner();
            }
        };
    }

    /**
     * {@return values by names of the user's choice, in the order of the file}
     *
     * @param <T> what a value is in the program
     * @param of what each value takes
     */
    public static <T> Kind<Map<String, T>> byName(Kind<T> of) {
        return new Nested.ByName<>(of);
    }

    /**
     * {@return a section}
     *
     * @param schema its keys
     */
    public static Kind<Section> section(Schema schema) {
        return new Nested.OfKeys(schema);
    }

    /** Tells of what a check throws, too. */
    static void tried(Consumer<ConfigException> found, Runnable check) {
        try {
            check.run();
        } catch (ConfigException e) {
            found.accept(e);
        }
    }

    private static long bytes(String text) {
        Matcher form = BYTES_FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(text);
        }
        long unit =
                switch (form.group(2)) {
                    case "KiB" -> 1L << 10;
                    case "MiB" -> 1L << 20;
                    case "GiB" -> 1L << 30;
                    default -> 1L;
                };
        try {
            return Math.multiplyExact(Long.parseLong(form.group(1)), unit);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /** Neither NaN nor hexadecimal, which Java would read. */
    private static String decimal(String text) {
        if (!DECIMAL.matcher(text).matches()) {
            throw new IllegalArgumentException(text);
        }
        return text;
    }

    private static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    private static JsonObject type(String name) {
        return JsonObject.of("type", new JsonString(name));
    }

    private record Plain<T>(String form, JsonObject schema, Function<String, T> reader, boolean secret)
            implements Kind<T> {
        Plain(String form, JsonObject schema, Function<String, T> reader) {
            this(form, schema, reader, false);
        }

        @Override
        public T read(Value value) {
            return secret ? hidden(value) : value.read(form, reader);
        }

        private T hidden(Value value) {
            String text = value.text(form);
            try {
                return reader.apply(text);
            } catch (IllegalArgumentException e) {
                // Secret's own words quote nothing.
                throw value.refused(e);
            }
        }
    }
}
