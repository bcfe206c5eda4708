package dev.holdfast.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AllowList;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.spi.ResponseCache.CacheKey;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class CanonicalRequestTest {
    private static final JsonObject HELLO = JsonObject.of("model", JsonValue.of("m"))
            .with("messages", JsonArray.of(JsonObject.of("role", JsonValue.of("user"))));

    /** Few values, so that two documents are equal often enough. */
    private static final List<String> NUMBERS =
            List.of("0", "-0", "0.0", "1", "1.0", "10e-1", "1E1", "10", "-10", "1.0e+1", "0.1", "1e-1");

    private static final List<String> NAMES = List.of("a", "b", "ab", "stream", "é");
    private static final List<String> TEXTS = List.of("", "a", "b", "é", "\"", ",", "a\",\"b", "stream");

    @Property
    void documentsHaveTheSameKeyExactlyIfTheyMeanTheSame(
            @ForAll("documents") JsonObject one, @ForAll("documents") JsonObject other) {
        assertThat(key(one).equals(key(other))).isEqualTo(meaning(one).equals(meaning(other)));
    }

    @Property
    void canonicalRequestsAreEqualExactlyIfTheirKeysAre(
            @ForAll("documents") JsonObject one, @ForAll("documents") JsonObject other) {
        var first = CanonicalRequest.of(request(one));
        var second = CanonicalRequest.of(request(other));
        assertThat(first.equals(second)).isEqualTo(key(one).equals(key(other)));
        if (first.equals(second)) {
            assertThat(first).hasSameHashCodeAs(second);
        }
    }

    @Property
    void writingADocumentAnotherWayChangesNothing(@ForAll("documents") JsonObject document, @ForAll long seed) {
        assertThat(key((JsonObject) rewritten(document, new Random(seed)))).isEqualTo(key(document));
    }

    @Property
    void anyMemberMoreIsAnotherKey(@ForAll("documents") JsonObject document, @ForAll("values") JsonValue value) {
        JsonObject changed = document.with("a member that no one knows", value);
        assertThat(key(changed).equals(key(document))).isEqualTo(value.isNull());
    }

    @Property
    void numbersAreComparedByTheirExactValue(@ForAll("numbers") JsonNumber one, @ForAll("numbers") JsonNumber other) {
        boolean equal = one.decimal().compareTo(other.decimal()) == 0;
        assertThat(key(HELLO.with("x", one)).equals(key(HELLO.with("x", other))))
                .isEqualTo(equal);
    }

    @Test
    void aNumberKeepsEveryDigitAndNoSpelling() {
        assertThat(keyWith("9007199254740993")).isNotEqualTo(keyWith("9007199254740992"));
        assertThat(keyWith("1"))
                .isEqualTo(keyWith("1.0"))
                .isEqualTo(keyWith("1e0"))
                .isEqualTo(keyWith("10E-1"));
        assertThat(keyWith("0")).isEqualTo(keyWith("-0")).isEqualTo(keyWith("0e999999999999999999999"));
        assertThat(keyWith("100")).isEqualTo(keyWith("1E+2")).isNotEqualTo(keyWith("1e-2"));
        assertThat(keyWith("-1")).isNotEqualTo(keyWith("1"));
        assertThat(keyWith("1e99999999999999999999")).isNotEqualTo(keyWith("1e99999999999999999998"));
        assertThat(keyWith("0.1")).isNotEqualTo(keyWith("0.1000000000000000055511151231257827"));
    }

    @Test
    void aNumberIsNoString() {
        assertThat(key(HELLO.with("x", JsonValue.of(1)))).isNotEqualTo(key(HELLO.with("x", JsonValue.of("1"))));
    }

    @Test
    void loneSurrogatesStayApart() {
        Set<CacheKey> keys = new HashSet<>();
        Stream.of("\ud800", "\udc00", "?", "\\ud800", "\ud800\udc00", "\udc00\ud800")
                .forEach(text -> keys.add(key(HELLO.with("x", JsonValue.of(text)))));
        assertThat(keys).hasSize(6);
    }

    /** Texts around every length at which the digest's buffer fills, of characters of one to four bytes. */
    @Test
    void longTextsAreToldApartByEveryCharacter() {
        Set<CacheKey> keys = new HashSet<>();
        int texts = 0;
        for (String character : List.of("a", "é", "한", "😀", "\ud800")) {
            for (int length = 300; length < 1_100; length++) {
                keys.add(key(HELLO.with("x", JsonValue.of(character.repeat(length)))));
                keys.add(key(HELLO.with("x", JsonValue.of(character.repeat(length) + "b"))));
                keys.add(key(HELLO.with("x", JsonValue.of("b" + character.repeat(length)))));
                texts += 3;
            }
        }
        assertThat(keys).hasSize(texts);
    }

    @Property(tries = 200)
    void manyMembersMayComeInAnyOrder(@ForAll long seed, @ForAll @IntRange(max = 60) int size) {
        var random = new Random(seed);
        List<String> names =
                new ArrayList<>(IntStream.range(0, size).mapToObj(i -> "n" + i).toList());
        JsonObject inOrder = HELLO;
        for (String name : names) {
            inOrder = inOrder.with(name, JsonValue.of(name));
        }
        Collections.shuffle(names, random);
        JsonObject shuffled = JsonObject.empty();
        for (String name : names) {
            shuffled = shuffled.with(name, JsonValue.of(name));
        }
        for (var member : HELLO.members().entrySet()) {
            shuffled = shuffled.with(member.getKey(), member.getValue());
        }
        assertThat(key(shuffled)).isEqualTo(key(inOrder));
        if (size > 1) {
            assertThat(key(shuffled.with("n0", JsonValue.of("n1")))).isNotEqualTo(key(inOrder));
        }
    }

    @Test
    void howTheAnswerTravelsIsNeutralInTheChatForms() {
        JsonObject streamed = HELLO.with("stream", JsonValue.of(true))
                .with("stream_options", JsonObject.of("include_usage", JsonValue.of(true)));
        assertThat(key(streamed)).isEqualTo(key(HELLO));
        assertThat(keyOf(ModelRequest.opaque("/responses", "m", streamed)))
                .isNotEqualTo(keyOf(ModelRequest.opaque("/responses", "m", HELLO)));
    }

    @Test
    void nullAtTheTopMeansMissingInTheChatFormsOnly() {
        JsonObject withNull = HELLO.with("stop", JsonNull.NULL);
        for (Form form : List.of(Form.OPENAI_CHAT, Form.ANTHROPIC_MESSAGES, Form.GEMINI_CONTENT)) {
            assertThat(keyOf(ModelRequest.of(form, "m", withNull)))
                    .as("%s", form)
                    .isEqualTo(keyOf(ModelRequest.of(form, "m", HELLO)));
        }
        assertThat(keyOf(ModelRequest.opaque("/responses", "m", withNull)))
                .isNotEqualTo(keyOf(ModelRequest.opaque("/responses", "m", HELLO)));
    }

    @Test
    void onlyTheTopOfADocumentHasNeutralMembers() {
        JsonObject nested = HELLO.with("tool", JsonObject.of("stream", JsonValue.of(true)));
        assertThat(key(nested)).isNotEqualTo(key(HELLO.with("tool", JsonObject.empty())));
        assertThat(key(HELLO.with("tool", JsonObject.of("default", JsonNull.NULL))))
                .isNotEqualTo(key(HELLO.with("tool", JsonObject.empty())));
    }

    @Test
    void formModelAndPathCountBesideTheDocument() {
        List<CacheKey> keys = List.of(
                keyOf(ModelRequest.of(Form.OPENAI_CHAT, "m", HELLO)),
                keyOf(ModelRequest.of(Form.OPENAI_CHAT, "n", HELLO)),
                keyOf(ModelRequest.of(Form.ANTHROPIC_MESSAGES, "m", HELLO)),
                keyOf(ModelRequest.of(Form.GEMINI_CONTENT, "m", HELLO)),
                keyOf(ModelRequest.opaque("/embeddings", "m", HELLO)),
                keyOf(ModelRequest.opaque("/responses", "m", HELLO)));
        assertThat(keys).doesNotHaveDuplicates();
    }

    @Test
    void scopeFamilyAndWhoAnswersCount() {
        var request = CanonicalRequest.of(request(HELLO));
        CallOptions none = CallOptions.none();
        List<CacheKey> keys = List.of(
                request.key(none, "f"),
                request.key(none, "g"),
                request.key(none.withTenant("f"), ""),
                request.key(none.withTenant("a"), "f"),
                request.key(none.withTenant("b"), "f"),
                request.key(none.withRoute(List.of("m", "n")), "f"),
                request.key(none.withRoute(List.of("m,n")), "f"),
                request.key(none.withAllow(new AllowList(Set.of("eu"), Set.of(), Set.of())), "f"),
                request.key(none.withAllow(new AllowList(Set.of(), Set.of("eu"), Set.of())), "f"),
                request.key(none.withCredential(Credential.of("key-of-one")), "f"),
                request.key(none.withCredential(Credential.of("key-of-another")), "f"));
        assertThat(keys).doesNotHaveDuplicates();
        assertThat(keys.stream().map(CacheKey::digest)).doesNotHaveDuplicates();
    }

    @Test
    void whatDoesNotDecideTheAnswerDoesNotCount() {
        var request = CanonicalRequest.of(request(HELLO));
        CallOptions options = CallOptions.none()
                .withTag("request", "r2")
                .withDeadline(Duration.ofSeconds(3))
                .withIdempotencyKey("k");
        assertThat(request.key(options, "f")).isEqualTo(request.key(CallOptions.none(), "f"));
    }

    @Test
    void aKeyIsHexadecimalAndShort() {
        assertThat(key(HELLO).digest()).matches("[0-9a-f]{64}");
    }

    @Test
    void nothingOfTheContentIsPrinted() {
        JsonObject secret = HELLO.with("user", JsonValue.of("a very private name"));
        var request = CanonicalRequest.of(request(secret));
        CacheKey key = request.key(CallOptions.none().withCredential(Credential.of("sk-very-private")), "f");
        assertThat(request + " " + key).doesNotContain("private").contains("model=m");
    }

    @Provide
    Arbitrary<JsonObject> documents() {
        return Arbitraries.randomValue(random -> randomObject(random, 3));
    }

    @Provide
    Arbitrary<JsonValue> values() {
        return Arbitraries.randomValue(random -> randomValue(random, 3));
    }

    @Provide
    Arbitrary<JsonNumber> numbers() {
        return Arbitraries.of(NUMBERS).map(JsonNumber::new);
    }

    private static JsonObject randomObject(Random random, int depth) {
        var members = new LinkedHashMap<String, JsonValue>();
        IntStream.range(0, random.nextInt(3))
                .forEach(i -> members.put(oneOf(random, NAMES), randomValue(random, depth - 1)));
        return new JsonObject(members);
    }

    private static JsonValue randomValue(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 6 : 4)) {
            case 0 -> JsonValue.of(oneOf(random, TEXTS));
            case 1, 2 -> new JsonNumber(oneOf(random, NUMBERS));
            case 3 -> oneOf(random, List.of(JsonNull.NULL, JsonValue.of(true), JsonValue.of(false)));
            case 4 -> randomObject(random, depth);
            default ->
                new JsonArray(IntStream.range(0, random.nextInt(3))
                        .mapToObj(i -> randomValue(random, depth - 1))
                        .toList());
        };
    }

    private static <T> T oneOf(Random random, List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** An independent notion of what a document means: plain Java collections and exact decimals. */
    private static Object meaning(JsonObject document) {
        var members = new LinkedHashMap<String, Object>();
        document.members().forEach((name, value) -> {
            if (!value.isNull() && !name.equals("stream")) {
                members.put(name, inner(value));
            }
        });
        return members;
    }

    private static Object inner(JsonValue value) {
        return switch (value) {
            case JsonObject object -> {
                Map<String, Object> members = new TreeMap<>();
                object.members().forEach((name, member) -> members.put(name, inner(member)));
                yield members;
            }
            case JsonArray array ->
                array.elements().stream().map(CanonicalRequestTest::inner).toList();
            case JsonNumber number ->
                number.decimal().signum() == 0
                        ? BigDecimal.ZERO
                        : number.decimal().stripTrailingZeros();
            case JsonValue other -> other;
        };
    }

    private static JsonValue rewritten(JsonValue value, Random random) {
        return switch (value) {
            case JsonObject object -> {
                var names = new ArrayList<>(object.members().keySet());
                Collections.shuffle(names, random);
                var members = new LinkedHashMap<String, JsonValue>();
                names.forEach(
                        name -> members.put(name, rewritten(object.get(name).orElseThrow(), random)));
                yield new JsonObject(members);
            }
            case JsonArray array ->
                new JsonArray(array.elements().stream()
                        .map(element -> rewritten(element, random))
                        .toList());
            case JsonNumber number -> respelled(number, random);
            case JsonValue other -> other;
        };
    }

    private static JsonNumber respelled(JsonNumber number, Random random) {
        BigDecimal decimal = number.decimal();
        return new JsonNumber(
                switch (random.nextInt(3)) {
                    case 0 -> decimal.toPlainString();
                    case 1 -> decimal.setScale(decimal.scale() + 3).toString();
                    default -> decimal.unscaledValue() + "E" + -decimal.scale();
                });
    }

    private static CacheKey keyWith(String number) {
        return key(HELLO.with("x", new JsonNumber(number)));
    }

    private static CacheKey key(JsonObject document) {
        return keyOf(request(document));
    }

    private static CacheKey keyOf(ModelRequest request) {
        return CanonicalRequest.of(request).key(CallOptions.none(), "f");
    }

    private static ModelRequest request(JsonObject document) {
        return ModelRequest.of(Form.OPENAI_CHAT, "m", document);
    }
}
