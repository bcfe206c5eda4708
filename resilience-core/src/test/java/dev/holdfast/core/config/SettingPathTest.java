package dev.holdfast.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.HedgePolicy;
import dev.holdfast.core.ResilientClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingPathTest {
    private static Configuration of(String json) {
        return Configuration.ofJson("c.json", json, Variables.ofProcess());
    }

    private static ClientSettings with(String json, String... pathsAndValues) {
        Configuration changed = of(json);
        for (int i = 0; i < pathsAndValues.length; i += 2) {
            changed = changed.with(ClientSettings.SCHEMA, pathsAndValues[i], pathsAndValues[i + 1], "given");
        }
        return ClientSettings.of(changed.root(ClientSettings.SCHEMA));
    }

    private static String chain(ClientSettings settings) {
        String base = "{\"endpoints\": [{\"name\": \"e\", \"base-url\": \"http://localhost/v1\"}]}";
        ClientSettings endpoints = ClientSettings.of(of(base).root(ClientSettings.SCHEMA));
        try (ResilientClient client = settings.withEndpoints(endpoints.endpoints())
                .applyTo(ResilientClient.builder().discovery(false).transport(call -> {
                    throw new AssertionError("nothing is sent");
                }))
                .build()) {
            return client.toString();
        }
    }

    @Test
    void aValueIsSetWhereTheFileHasAnotherOneOrNone() {
        String file = "{\"retry\": {\"max-attempts\": 2, \"cooldowns\": false}}";

        assertThat(chain(with(file, "retry.max-attempts", "5")))
                .isEqualTo(chain(with("{\"retry\": {\"max-attempts\": 5, \"cooldowns\": false}}")));
        assertThat(chain(with(file, "breaker.open-for", "2s", "deadline", "9s")))
                .isEqualTo(chain(with("{\"retry\": {\"max-attempts\": 2, \"cooldowns\": false},"
                        + " \"breaker\": {\"open-for\": \"2s\"}, \"deadline\": \"9s\"}")));
    }

    @Test
    void aSingleValueInPlaceOfASectionStaysItsBase() {
        assertThat(chain(with("{\"retry\": \"adaptive\"}", "retry.max-attempts", "3")))
                .isEqualTo(chain(with("{\"retry\": {\"preset\": \"adaptive\", \"max-attempts\": 3}}")));
    }

    @Test
    void aWholeSectionIsReplacedByItsName() {
        assertThat(chain(with("{\"retry\": {\"max-attempts\": 2}}", "retry", "batch")))
                .isEqualTo(chain(with("{\"retry\": \"batch\"}")));
    }

    @Test
    void namesOfModelsMayHaveDots() {
        ClientSettings settings = with(
                "{\"models\": {\"gpt-4.1\": {}}}",
                "models.gpt-4.1.timeout",
                "7s",
                "models.gpt-4.1.limits.concurrency",
                "3",
                "models.claude-sonnet-4.5.max-attempts",
                "2");

        assertThat(settings.models()).hasSize(2);
        assertThat(settings.models().getFirst().name()).isEqualTo("gpt-4.1");
        assertThat(settings.models().getFirst().timeout()).contains(Duration.ofSeconds(7));
        assertThat(settings.models().getLast().name()).isEqualTo("claude-sonnet-4.5");
    }

    @Test
    void listsAndSectionsAreWrittenAsJson() {
        ClientSettings settings = with(
                "{\"models\": {\"a\": {}, \"b\": {}}}",
                "models.a.fallbacks",
                "[\"b\"]",
                "hedge",
                "{\"after\": \"p90\"}");

        assertThat(settings.models().getFirst().fallbacks()).isEqualTo(List.of("b"));
        assertThat(chain(settings)).contains("hedge(" + HedgePolicy.afterPercentile(90) + ")");
    }

    @Test
    void theConfigurationItselfIsAsItWas() {
        Configuration file = of("{\"retry\": {\"max-attempts\": 2}}");
        String before = chain(ClientSettings.of(file.unread().root(ClientSettings.SCHEMA)));

        file.with(ClientSettings.SCHEMA, "retry.max-attempts", "5", "given");

        assertThat(chain(ClientSettings.of(file.root(ClientSettings.SCHEMA)))).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "retry.max-attempt | 2 | given:1: retry.max-attempt: unknown key max-attempt (expected: perhaps max-attempts",
                "retries.max | 2 | given:1: retries.max: unknown key retries (expected: ",
                "deadline.max | 2s | given:1: deadline.max: deadline has no keys of its own (expected: deadline itself",
                "models.gpt-4.1 | x | given:1: models.gpt-4.1: no key of a model after its name",
                "endpoints.name | x | given:1: endpoints.name: endpoints has no keys of its own",
                "retry.max-attempts | many | given:1: retry.max-attempts: many (expected: a whole number, 1 to 1000)",
                "retry.fallback-on | [x | given:1: cannot be read",
            })
    void whatCannotBeSetIsToldWithTheWayToIt(String path, String value, String message) {
        assertThatThrownBy(() -> with("{}", path, value))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void aHedgeIsASectionOrATextOrOff() {
        String all = "{\"after\": \"300ms\", \"floor\": \"10ms\", \"samples\": 5, \"budget\": 0.1, \"reserve\": 3}";

        assertThat(chain(with("{\"hedge\": " + all + "}")))
                .isEqualTo(
                        chain(with("{\"hedge\": \"after: 300ms, floor: 10ms, samples: 5, budget: 0.1, reserve: 3\"}")));
        assertThat(chain(with("{\"hedge\": \"after: p99, budget: 0.1\"}", "hedge.after", "p90")))
                .contains("hedge(" + HedgePolicy.afterPercentile(90).withBudget(0.1, 10) + ")");
        assertThat(chain(with("{\"hedge\": " + all + "}", "hedge.after", "off")))
                .isEqualTo(chain(with("{\"hedge\": \"off\"}")))
                .isEqualTo(chain(with("{}")));
        assertThatThrownBy(() -> with("{\"hedge\": {\"budget\": 0.1}}"))
                .hasMessage("c.json:1: hedge.budget: without after (expected: after beside it)");
    }
}
