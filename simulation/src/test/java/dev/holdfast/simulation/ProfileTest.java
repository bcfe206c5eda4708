package dev.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.simulation.Arrivals.ArrivalProcess;
import dev.holdfast.simulation.ModelProfile.FaultKind;
import dev.holdfast.simulation.ModelProfile.Hint;
import dev.holdfast.simulation.OutageProfile.Alternating;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileTest {
    private static final String WHOLE = """
        // a comment
        {
          "about": "all of it",  // and another
          "arrivals": {"process": "bursts", "rate": "600/min", "size": 5,
                       "surges": [{"from": "1m", "length": "30s", "times": 4}]},
          "places": 7,
          "timeout": "1.5s",
          "streamed": 0.25,
          "refused": 0.125,
          "regions": [{"name": "eu", "outages": [{"up": "1h", "down": "250ms"}]}, {"name": "us"}],
          "models": [
            {
              "name": "m",
              "price": 2,
              "answer": {"mean": "1s", "sigma": 0.5, "slow": {"share": 0.1, "times": 3}},
              "refused": 0.01,
              "outages": [
                {"every": "10s", "length": "1s", "spread": 0.1, "from": 0.25, "width": 0.5, "least": 2,
                 "share": 0.5, "status": 529, "recovery": "5s", "drops": false, "retryAfter": "3s"}
              ],
              "limit": {"rate": "10/s", "burst": 3, "retryAfter": "milliseconds"},
              "load": {"free": 4, "slowdown": 0.5, "most": 9, "status": 503},
              "faults": [{"kind": "status", "status": 502, "share": 0.1}, {"kind": "error-in-200", "share": 0.2}]
            }
          ]
        }
        """;

    @TempDir
    private Path directory;

    @Test
    void everyKeyIsRead() {
        Profile profile = Profile.parse("mine", WHOLE);

        assertThat(profile.name()).isEqualTo("mine");
        assertThat(profile.about()).isEqualTo("all of it");
        assertThat(profile.arrivals().process()).isEqualTo(ArrivalProcess.BURSTS);
        assertThat(profile.arrivals().perSecond()).isEqualTo(10);
        assertThat(profile.arrivals().surges())
                .containsExactly(new Arrivals.Surge(Duration.ofMinutes(1), Duration.ofSeconds(30), 4));
        assertThat(profile.places()).hasValue(7);
        assertThat(profile.timeout()).isEqualTo(Duration.ofMillis(1500));
        assertThat(profile.streamed()).isEqualTo(0.25);
        assertThat(profile.refused()).isEqualTo(0.125);
        assertThat(profile.regions()).extracting(Profile.Region::name).containsExactly("eu", "us");
        assertThat(profile.regions().getFirst().outages().getFirst().timing())
                .isEqualTo(new Alternating(Duration.ofHours(1), Duration.ofMillis(250)));
        ModelProfile model = profile.models().getFirst();
        assertThat(model.answer()).isEqualTo(new ModelProfile.AnswerTime(Duration.ofSeconds(1), 0.5, 0.1, 3));
        assertThat(model.limit()).hasValue(new ModelProfile.RequestLimit(10, 3, Hint.MILLISECONDS));
        assertThat(model.load().orElseThrow().most()).hasValue(9);
        assertThat(model.outages().getFirst().retryAfter()).hasValue(Duration.ofSeconds(3));
        assertThat(model.faults())
                .containsExactly(
                        new ModelProfile.Fault(FaultKind.STATUS, 0.1, 502),
                        new ModelProfile.Fault(FaultKind.ERROR_IN_OK, 0.2, 500));
    }

    static Iterable<String> names() {
        return Profile.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void aProfileThatComesAlongReadsTheSameFromACopy(String name) throws Exception {
        Path copy = Files.writeString(directory.resolve(name + ".json"), Profile.source(name));

        assertThat(Profile.read(copy)).isEqualTo(Profile.named(name));
        assertThat(Profile.named(name).about()).isNotBlank();
    }

    /** What is changed in the whole profile, the line, and what the message says of it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"streamed\": 0.25|\"streamd\": 0.25|8: unknown key \"streamd\" (expected: one of about, arrivals",
                "\"refused\": 0.01|\"refused\": 1.5|16: models[0].refused: 1.5 (expected: 0 to 1)",
                "\"refused\": 0.01|\"refused\": -0.1|16: models[0].refused: -0.1 (expected: 0 to 1)",
                "\"refused\": 0.01|\"refused\": \"a lot\"|16: models[0].refused: \"a lot\" (expected: a number from 0"
                        + " to 1)",
                "\"share\": 0.2}|\"share\": 1}|12: models[0]: faults: shares sum to 1.1 (expected: at most 1)",
                "\"kind\": \"error-in-200\"|\"kind\": \"explodes\"|23: models[0].faults[1].kind: \"explodes\""
                        + " (expected: one of status",
                "\"kind\": \"error-in-200\"|\"kind\": \"empty\", \"status\": 500|23: models[0].faults[1].status: does"
                        + " not fit here",
                "\"rate\": \"10/s\"|\"rate\": 10|21: models[0].limit.rate: 10 (expected: a text in double quotes)",
                "\"rate\": \"10/s\"|\"rate\": \"10\"|21: models[0].limit.rate: \"10\" (expected: a number above 0 and"
                        + " /s",
                "\"rate\": \"10/s\"|\"rate\": \"0/s\"|21: models[0].limit.rate: \"0/s\" (expected: a number above 0",
                "\"timeout\": \"1.5s\"|\"timeout\": \"soon\"|7: timeout: \"soon\" (expected: a number and ms, s, m or"
                        + " h",
                "\"timeout\": \"1.5s\"|\"timeout\": \"0s\"|7: timeout: \"0s\" (expected: longer than 0)",
                "\"places\": 7|\"places\": 7.5|6: places: 7.5 (expected: a whole number)",
                "\"places\": 7|\"places\": 0|6: places: 0 (expected: 1 to 1000000)",
                "\"places\": 7,|\"places\": 7|7: '\"' (expected: ',' or '}')",
                "\"places\": 7,|\"places\": seven,|6: 'seven' (expected: a value of JSON",
                "\"places\": 7,|\"places\": null,|6: null (expected: a value; leave the key out",
                "\"places\": 7,|\"places\": 7, \"places\": 8,|6: \"places\" twice (expected: every key once)",
                "\"mean\": \"1s\", |''|15: models[0].answer.mean: missing (expected: a text)",
                "\"every\": \"10s\", |\"up\": \"1s\", |18: models[0].outages[0].length: does not fit here",
                "\"least\": 2|\"least\": 2, \"up\": \"1s\"|18: models[0].outages[0].up: does not fit here",
                "\"process\": \"bursts\"|\"process\": \"poisson\"|4: arrivals.size: does not fit here",
                "\"process\": \"bursts\"|\"process\": \"chaos\"|4: arrivals.process: \"chaos\" (expected: one of"
                        + " poisson",
                "\"from\": \"1m\"|\"from\": 60|5: arrivals.surges[0].from: 60 (expected: a text",
                "\"name\": \"us\"|\"name\": \"eu\"|2: regions: 'eu' twice (expected: names that differ)",
                "\"name\": \"us\"|\"name\": \"U S\"|10: regions[1]: name: 'U S' (expected: lower-case",
                "\"status\": 529|\"status\": 404|19: models[0].outages[0].status: 404 (expected: 500 to 599)",
                "\"drops\": false|\"drops\": \"no\"|19: models[0].outages[0].drops: \"no\" (expected: true or false)",
                "{\"name\": \"us\"}|{\"name\": \"us\"},|10: ',' before ']' (expected: no comma after the last one)",
            })
    void whatIsWrongIsNamedByFileLineAndFix(String right, String wrong, String message) throws Exception {
        String text = WHOLE.replace(right, wrong.equals("''") ? "" : wrong);
        assertThat(text).isNotEqualTo(WHOLE);
        Path file = Files.writeString(directory.resolve("mine.json"), text);

        assertThatThrownBy(() -> Profile.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .startsWith(file + ":" + message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{}",
                "{\"models\": []}",
                "nonsense",
                "{\"about\": \"a\\qb\"}",
                "{\"about\": \"a",
                "{} {}",
                "/* no */ {}"
            })
    void whatIsNoProfileIsRefusedWithItsLine(String text) {
        assertThatThrownBy(() -> Profile.parse("x", text))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .matches("(?s)x:1: .*\\(expected: .*\\)");
    }

    @Test
    void bytesThatAreNoTextAreRefused() throws Exception {
        Path file = Files.write(directory.resolve("x.json"), new byte[] {(byte) 0xff, (byte) 0xfe});

        assertThatThrownBy(() -> Profile.read(file))
                .hasMessage(file + ":1: not text in UTF-8 (expected: a profile in JSON)");
    }

    @Test
    void aTraceIsLookedForBesideTheFile() throws Exception {
        Files.writeString(
                directory.resolve("t.csv"),
                "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03,1,2\n2023-11-16 18:17:05,1,4\n");
        String text = WHOLE.replaceFirst(
                "(?s)\"arrivals\": \\{.*?\\}\\]\\}", "\"arrivals\": {\"process\": \"trace\", \"trace\": \"t.csv\"}");
        Profile profile = Profile.read(Files.writeString(directory.resolve("mine.json"), text));

        assertThat(profile.weather(1, 2).arrival(1)).isEqualTo(Duration.ofSeconds(2));
        assertThatThrownBy(() -> profile.weather(1, 3))
                .hasMessage("requests: 3: the trace has fewer (expected: 1 to 2)");
    }

    @Test
    void aMalformedTraceIsNamedWithItsOwnLineToo() throws Exception {
        Files.write(
                directory.resolve("t.csv"),
                "TIMESTAMP,ContextTokens,GeneratedTokens\nrubbish\n".getBytes(StandardCharsets.UTF_8));
        String text = WHOLE.replaceFirst(
                "(?s)\"arrivals\": \\{.*?\\}\\]\\}", "\"arrivals\": {\"process\": \"trace\", \"trace\": \"t.csv\"}");
        Path file = Files.writeString(directory.resolve("mine.json"), text);

        assertThatThrownBy(() -> Profile.read(file))
                .hasMessageStartingWith(file + ":4: arrivals.trace: \"t.csv\", line 2: 1 fields (expected: 3");
    }

    @Test
    void aNameThatDoesNotExistIsToldWithThoseThatDo() {
        assertThatThrownBy(() -> Profile.named("storm"))
                .hasMessageStartingWith("no profile 'storm' (expected: one of published, flaky");
    }
}
