package dev.holdfast.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Secret;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationTest {
    private static final Key<Integer> COUNT =
            Key.of("max-attempts", Kinds.count(1, 10), "a count").usually("4");
    private static final Key<Duration> WAIT = Key.of("wait", Kinds.DURATION, "a wait");
    private static final Key<Secret> KEY = Key.of("api-key", Kinds.SECRET, "a key");
    private static final Key<String> TEXT = Key.of("text", Kinds.TEXT, "a text");
    private static final Key<List<String>> LIST = Key.of("list", Kinds.list(Kinds.TEXT), "texts");
    private static final Schema INNER = Schema.of("an inner part", COUNT, WAIT).withShorthand(COUNT);
    private static final Key<Section> PART = Key.of("part", Kinds.section(INNER), "a part");
    private static final Key<Map<String, Section>> PARTS = Key.of("parts", Kinds.byName(Kinds.section(INNER)), "parts");
    private static final Schema SCHEMA = Schema.of("a test", COUNT, WAIT, KEY, TEXT, LIST, PART, PARTS);

    private static final Variables VARIABLES = new Variables() {
        @Override
        public Optional<String> environment(String name) {
            return Optional.ofNullable(
                    Map.of("SET", "value", "EMPTY", "", "NESTED", "${SET}").get(name));
        }

        @Override
        public String file(String path) throws IOException {
            if (path.equals("/secret")) {
                return "of-a-file\n";
            }
            throw new FileNotFoundException(path);
        }
    };

    private static Section json(String text) {
        return Configuration.ofJson("c.json", text, VARIABLES).root(SCHEMA);
    }

    private static Section yaml(String text) {
        return Configuration.ofYaml("c.yaml", text, VARIABLES).root(SCHEMA);
    }

    @Test
    void jsonAndYamlSayTheSame() {
        Section json = json(
                "{\"max-attempts\": 3, \"wait\": \"1.5s\", \"list\": [\"a\", \"b\"], \"part\": {\"wait\": \"2m\"}}");
        Section yaml = yaml("max-attempts: 3\nwait: 1.5s\nlist: [a, b]\npart: {wait: 2m}\n");
        for (Section section : List.of(json, yaml)) {
            assertThat(section.get(COUNT)).contains(3);
            assertThat(section.get(WAIT)).contains(Duration.ofMillis(1500));
            assertThat(section.get(LIST)).contains(List.of("a", "b"));
            assertThat(section.require(PART).get(WAIT)).contains(Duration.ofMinutes(2));
        }
    }

    @Test
    void jsonMayHaveCommentsAndTrailingCommas() {
        assertThat(json("// why\n{\"max-attempts\": 3, /* so */\n}").get(COUNT)).contains(3);
    }

    @Test
    void anEmptyFileSetsNothing() {
        assertThat(yaml("").get(COUNT)).isEmpty();
        assertThat(yaml("# only a comment\n").get(COUNT)).isEmpty();
        assertThat(json("").get(COUNT)).isEmpty();
    }

    @Test
    void anUnknownKeyIsRefusedWithItsLineAndTheLikelyName() {
        assertThatThrownBy(() -> yaml("wait: 1s\nmax_attempts: 3\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessage("c.yaml:2: max_attempts: unknown key (expected: perhaps max-attempts; one of max-attempts,"
                        + " wait, api-key, text, list, part, parts)");
        assertThatThrownBy(() -> json("{\n \"part\": {\n \"colour\": 1}}").get(PART))
                .hasMessage("c.json:3: part.colour: unknown key (expected: one of max-attempts, wait)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "max-attempts: 0 | c.yaml:1: max-attempts: 0 (expected: a whole number, 1 to 10)",
                "max-attempts: 2.5 | c.yaml:1: max-attempts: 2.5 (expected: a whole number, 1 to 10)",
                "max-attempts: many | c.yaml:1: max-attempts: many (expected: a whole number, 1 to 10)",
                "max-attempts: [3] | c.yaml:1: max-attempts: a list (expected: a whole number, 1 to 10)",
                "max-attempts: | c.yaml:1: max-attempts: nothing (expected: a whole number, 1 to 10)",
                "wait: 3 | c.yaml:1: wait: 3 (expected: a duration, as in 1.5s (units: ms, s, m, h, d))",
                "list: {a: b} | c.yaml:1: list: a section (expected: a list, each a text)",
                "part: [1] | c.yaml:1: part: a list (expected: a name or a section of max-attempts, wait)",
                "parts: {x: {wait: no}} | c.yaml:1: parts.x.wait: no (expected: a duration, as in 1.5s (units: ms, s,"
                        + " m, h, d))",
                "text: '  ' | c.yaml:1: text:    (expected: a text)",
            })
    void aValueThatDoesNotFitIsRefusedWithLineKeyAndFix(String text, String message) {
        Section section = yaml(text + "\n");
        assertThatThrownBy(() -> List.of(
                        section.get(COUNT),
                        section.get(WAIT),
                        section.get(LIST),
                        section.get(TEXT),
                        section.get(PART),
                        section.get(PARTS).map(parts -> parts.get("x").get(WAIT))))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message);
    }

    @Test
    void aMemberThatOccursTwiceIsRefused() {
        assertThatThrownBy(() -> json("{\"wait\": \"1s\",\n\"wait\": \"2s\"}"))
                .hasMessage("c.json:2: wait: for the second time (the first is in line 1)");
        assertThatThrownBy(() -> yaml("wait: 1s\nwait: 2s\n")).isInstanceOf(ConfigException.class);
    }

    @Test
    void aSingleValueStandsForASectionWithItsShorthand() {
        Section section = yaml("part: 7\nparts: {x: 8}\n");
        assertThat(section.require(PART).get(COUNT)).contains(7);
        assertThat(section.require(PARTS).get("x").get(COUNT)).contains(8);
    }

    @Test
    void variablesAreFilledInOnce() {
        assertThat(yaml("text: a-${SET}-b\n").get(TEXT)).contains("a-value-b");
        assertThat(yaml("text: ${NESTED}\n").get(TEXT)).contains("${SET}");
        assertThat(yaml("text: ${MISSING:-other}\n").get(TEXT)).contains("other");
        assertThat(yaml("text: ${EMPTY:-other}\n").get(TEXT)).contains("other");
        assertThat(yaml("text: ${file:/secret}\n").get(TEXT)).contains("of-a-file");
    }

    @Test
    void aVariableThatIsMissingIsRefusedWithItsNameAndTheFix() {
        assertThatThrownBy(() -> yaml("wait: 1s\ntext: ${MISSING}\n").get(TEXT))
                .hasMessage("c.yaml:2: text: MISSING is not set (expected: set it in the environment, or write"
                        + " ${MISSING:-otherwise})");
        assertThatThrownBy(() -> yaml("text: ${file:/nowhere}\n").get(TEXT))
                .hasMessage("c.yaml:1: text: /nowhere cannot be read (expected: a file that this process may read)");
        assertThatThrownBy(() -> yaml("text: ${a b}\n").get(TEXT))
                .hasMessageContaining("expected: ${VARIABLE}, ${VARIABLE:-otherwise} or ${file:/path}");
    }

    @Test
    void whatAVariableBringsIsNeverQuoted() {
        assertThatThrownBy(() -> yaml("wait: ${SET}\n").get(WAIT))
                .hasMessageStartingWith("c.yaml:1: wait: what ${SET} stands for (expected: a duration");
        assertThatThrownBy(() -> yaml("api-key: \"sk-café\"\n").get(KEY))
                .hasMessageStartingWith("c.yaml:1: api-key: ")
                .hasMessageNotContaining("sk-caf");
    }

    @Test
    void theReportSaysWhatHoldsAndWhereItWasSet() {
        Configuration configuration = Configuration.ofYaml("c.yaml", "wait: ${MISSING:-3s}\napi-key: abc\n", VARIABLES);
        Section root = configuration.root(SCHEMA);
        root.get(COUNT);
        root.get(WAIT);
        root.get(KEY);
        assertThat(configuration.effective())
                .map(Effective::toString)
                .containsExactly(
                        "max-attempts = 4  (default)",
                        "wait = ${MISSING:-3s}  (c.yaml:1)",
                        "api-key = (hidden)  (c.yaml:2)");
    }

    @Test
    void whatIsNeitherJsonNorYamlIsRefusedWithItsLine() {
        assertThatThrownBy(() -> json("{\n\"wait\": 1s}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("c.json:2:");
        assertThatThrownBy(() -> json("[1")).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> yaml("wait: [\n")).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> yaml("a: 1\n---\nb: 2\n")).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> json("[]")).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> yaml("text: &a x\nlist: [*a]\n").get(LIST))
                .hasMessage("c.yaml:2: an alias (expected: the value itself)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "NaN", "Infinity", "0x10", "1e999", "1d"})
    void aNumberIsADecimalAndNothingElse(String text) {
        Key<BigDecimal> amount = Key.of("a", Kinds.AMOUNT, "an amount");
        Key<Double> share = Key.of("b", Kinds.SHARE, "a share");
        Schema schema = Schema.of("numbers", amount, share);
        Section section = Configuration.ofJson("c", "{\"a\": \"" + text + "\", \"b\": \"" + text + "\"}", VARIABLES)
                .root(schema);
        assertThatThrownBy(() -> section.get(amount)).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> section.get(share)).isInstanceOf(ConfigException.class);
    }

    @ParameterizedTest
    @CsvSource({"4096,4096", "64KiB,65536", "256MiB,268435456", "1GiB,1073741824", "1 GiB,1073741824"})
    void bytesHaveBinaryUnits(String text, long bytes) {
        Key<Long> key = Key.of("a", Kinds.BYTES, "bytes");
        assertThat(Configuration.ofYaml("c", "a: " + text, VARIABLES)
                        .root(Schema.of("bytes", key))
                        .get(key))
                .contains(bytes);
    }

    /** Whatever stands there, the answer is a value or an error with a place. */
    @Property
    void anyTextIsReadOrRefusedWithAPlace(@ForAll @StringLength(max = 60) String text) {
        for (String source : List.of("c.json", "c.yaml")) {
            try {
                Configuration configuration = source.endsWith("json")
                        ? Configuration.ofJson(source, text, VARIABLES)
                        : Configuration.ofYaml(source, text, VARIABLES);
                configuration.root(SCHEMA).get(TEXT);
            } catch (ConfigException e) {
                assertThat(e.getMessage()).startsWith(source + ":");
                assertThat(e.place().line()).isPositive();
            }
        }
    }

    @Test
    void theJsonSchemaHasEveryKeyWithItsMeaning() {
        String schema = SCHEMA.toJsonSchema().toJson();
        SCHEMA.keys().forEach(key -> assertThat(schema).contains("\"" + key.name() + "\"", key.meaning()));
        assertThat(schema).contains("\"additionalProperties\":false");
    }

    @Test
    void aSchemaHasNoKeyTwice() {
        assertThatThrownBy(() -> Schema.of("a test", COUNT, COUNT)).hasMessageContaining("key max-attempts: twice");
    }

    /** So that nobody has to guess: a name one letter off is told. */
    @Test
    void similarNamesAreFound() {
        Set<String> names = new TreeMap<>(Map.of("base-url", 1, "api-key", 2, "weight", 3)).keySet();
        assertThat(Similar.nearest("baseUrl", names)).contains("base-url");
        assertThat(Similar.nearest("wieght", names)).contains("weight");
        assertThat(Similar.nearest("colour", names)).isEmpty();
    }
}
