package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.config.ConfigException;
import dev.holdfast.core.config.Configuration;
import dev.holdfast.core.config.Effective;
import dev.holdfast.core.config.Variables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told of a configuration that cannot be used: all of it, with line and fix, and no key that stands in it. */
class SettingsErrorsTest {
    @TempDir
    private Path directory;

    /** Every section there is; each {@code §} is a place where someone may put a key by mistake. */
    private static final String WHOLE = """
            listen: §127.0.0.1:0
            admin: §127.0.0.1:0
            hosts: [§holdfast.internal]
            api-keys:
              - {sha256: "§5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8", name: §web, models: [§m], rpm: §300}
            endpoints:
              - {name: §up, base-url: "§https://up.example/v1", api-key: "k", dialect: §openai, weight: §1, headers: {x-team: §a}}
            models:
              m:
                endpoints: [§up]
                upstream-name: §real
                timeout: §30s
                price: {input: §2.00, output: §8.00}
                limits: {rpm: §500, concurrency: §64}
                breaker: {consecutive-failures: §5, open-for: §60s}
                fallbacks: [§n]
              n: {}
            retry: {max-attempts: §4, backoff: "§exponential(1s, x2, max 60s, jitter 0.5)", budget: {ratio: §0.2}}
            deadline: §2m
            failover: §failover
            health: {interval: §30s, failures: §3, degraded-above: §500ms}
            stream: {idle: §30s}
            cache: {mode: §all, ttl: §5m, max-bytes: §1MiB}
            idempotency: {in-flight: §wait}
            expose-attempts: §true
            log-prompts: §false
            max-body: §1MiB
            """;

    private static GatewaySettings settings(String yaml) {
        return GatewaySettings.of(Configuration.ofYaml("g.yaml", yaml, new Variables() {
            @Override
            public Optional<String> environment(String name) {
                return Optional.empty();
            }

            @Override
            public String file(String path) throws IOException {
                throw new IOException("no files here");
            }
        }));
    }

    @Test
    void theWholeIsFine() {
        assertThat(settings(WHOLE.replace("§", "")).client().models()).hasSize(2);
    }

    @Test
    void everyMistakeIsToldAtOnceInTheOrderOfTheFile() {
        assertThatThrownBy(() -> settings("""
                        lisen: 127.0.0.1:0
                        endpoints:
                          - {name: up, base-url: "https://up.example/v1", wieght: 2}
                          - {name: other, base-url: nowhere}
                        models:
                          m: {endpoints: [gone, other], timeout: soon, fallbacks: [away]}
                          n: {price: {input: 1}}
                        cache: {ttl: 0s, mode: sometimes}
                        max-body: lots
                        api-keys: [{name: web}, {sha256: abc, name: app}]
                        """))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.problems())
                                .extracting(problem -> problem.split(" ")[0] + " " + problem.split(" ")[1])
                                .containsExactly(
                                        "g.yaml:1: lisen:",
                                        "g.yaml:3: endpoints[0].wieght:",
                                        "g.yaml:4: endpoints[1].base-url:",
                                        "g.yaml:6: models.m.timeout:",
                                        "g.yaml:6: models.m.endpoints:",
                                        "g.yaml:6: models.m.fallbacks:",
                                        "g.yaml:7: models.n.price:",
                                        "g.yaml:8: cache.mode:",
                                        "g.yaml:8: cache.ttl:",
                                        "g.yaml:9: max-body:",
                                        "g.yaml:10: api-keys[1].sha256:",
                                        "g.yaml:10: api-keys[0]:"));
    }

    /** A key in place of any value, before it, or as a key of any section: whatever comes of it, it is not told. */
    @Property(tries = 400)
    void aKeyInAWrongPlaceIsNeverTold(
            @ForAll("secrets") String secret, @ForAll("places") int place, @ForAll("ways") int way) {
        String text = planted(secret, place, way);
        try {
            GatewaySettings read = settings(text);
            assertThat(read.toString()).doesNotContain(secret);
            if (secret.startsWith("sk-")) {
                assertThat(read.effective().toString()).doesNotContain(secret);
            }
        } catch (ConfigException | IllegalStateException e) {
            var told = new ArrayList<String>();
            for (Throwable each = e; each != null; each = each.getCause()) {
                told.add(String.valueOf(each.getMessage()));
            }
            assertThat(told).noneMatch(message -> message.contains(secret));
        }
    }

    private static String planted(String secret, int place, int way) {
        String[] parts = WHOLE.split("§", -1);
        var text = new StringBuilder(parts[0]);
        for (int i = 1; i < parts.length; i++) {
            String rest = parts[i];
            int end = 0;
            while (end < rest.length() && ",}]\"\n ".indexOf(rest.charAt(end)) < 0) {
                end++;
            }
            if (i - 1 != place % (parts.length - 1)) {
                text.append(rest);
            } else {
                switch (way) {
                    case 0 -> text.append(secret).append(rest.substring(end));
                    case 1 -> text.append(secret).append(rest);
                    case 2 ->
                        text.append(rest, 0, end).append(' ').append(secret).append(rest.substring(end));
                    case 3 -> text.append('{').append(secret).append(": 1}").append(rest.substring(end));
                    default -> text.append("${").append(secret).append('}').append(rest.substring(end));
                }
            }
        }
        return text.toString();
    }

    /** Short secrets have letters and digits; what people mistype of a duration or a size has them too, and is told. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "deadline: hunter2a | deadline: a text of 8 characters (expected: a duration",
                "retry: {max-attempts: p4ssw0rd} | retry.max-attempts: a text of 8 characters (expected: a whole number",
                "hedge: passw0rd1 | hedge.preset: hedge: \"(hidden)\" (expected: ",
                "hunter22pass: x | a text of 12 characters: unknown key (expected: one of ",
                "admin-key-sha265: x | admin-key-sha265: unknown key (expected: perhaps admin-key-sha256; one of ",
                "deadline: 30seconds | deadline: 30seconds (expected: a duration",
                "max-body: 10.5MB | max-body: 10.5MB (expected: a number of bytes",
                "failover: fail-over | failover.strategy: fail-over (expected: one of primary-only",
            })
    void whatMayBeAShortSecretIsToldByItsLength(String line, String told) {
        String text = WHOLE.replace("§", "")
                .lines()
                .filter(each -> !each.startsWith(line.substring(0, line.indexOf(':') + 1)))
                .collect(Collectors.joining("\n", "", "\n"));
        assertThatThrownBy(() -> settings(text + line + "\n")).hasMessageContaining(": " + told);
    }

    @Test
    void theNamesThatAreExpectedAreToldWhole() {
        assertThatThrownBy(() -> settings("lisen: 1\n"))
                .hasMessageContaining(", admin, admin-key-sha256, hosts, api-keys, ")
                .hasMessageNotContaining("(hidden)");
    }

    @Test
    void headerFieldsAreInNoReport() {
        GatewaySettings read = settings(WHOLE.replace("§", "").replace("{x-team: a}", "{x-team: tea-for-2}"));
        assertThat(read.effective().toString())
                .contains("endpoints[0].headers = (hidden)")
                .doesNotContain("tea-for-2");
    }

    @Test
    void whatAPresetSaysIsNotToldAsTheUsualValue() {
        GatewaySettings read =
                settings(WHOLE.replace("§", "").replace("retry: {max-attempts: 4, ", "retry: {preset: none, "));
        assertThat(read.effective())
                .extracting(Effective::path)
                .contains("retry.preset", "retry.backoff", "retry.budget.ratio")
                .doesNotContain("retry.max-attempts", "retry.cooldowns");
        assertThat(settings(WHOLE.replace("§", "")).effective())
                .extracting(Effective::path)
                .contains("retry.max-attempts", "retry.cooldowns", "failover.order");
    }

    @Provide
    Arbitrary<String> secrets() {
        Arbitrary<String> random = Arbitraries.strings()
                .withCharRange('a', 'z')
                .withCharRange('A', 'Z')
                .withCharRange('0', '9')
                .ofMinLength(32)
                .ofMaxLength(48)
                .filter(text -> text.chars().anyMatch(Character::isDigit)
                        && text.chars().anyMatch(Character::isLetter));
        return Arbitraries.oneOf(
                random,
                random.map(text -> "sk-" + text),
                random.map(text -> "sk-proj-" + text),
                random.map(text -> "AIza" + text));
    }

    @Provide
    Arbitrary<Integer> places() {
        return Arbitraries.integers().between(0, 200);
    }

    @Provide
    Arbitrary<Integer> ways() {
        return Arbitraries.integers().between(0, 4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | g.yaml:1: without endpoints and models (expected",
                "'# nothing but words' | g.yaml:1: without endpoints and models",
                "hello | g.yaml:1: a text (expected: a section of endpoints",
                "'[1, 2]' | g.yaml:1: a list (expected: a section of endpoints",
                "'endpoints: [{name: a' | cannot be read: ",
                "'a: b: c' | g.yaml:1: cannot be read: ",
                "'endpoints: {a: 1}' | g.yaml:1: endpoints: a section (expected: a list",
            })
    void aBrokenFileIsToldInClearWords(String text, String told) {
        assertThatThrownBy(() -> settings(text))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(told)
                .hasMessageContaining("(expected: ");
    }

    @Test
    void brokenJsonIsToldWithItsLine() {
        assertThatThrownBy(() -> Configuration.ofJson("g.json", "{\n  \"endpoints\": [,\n}", Variables.ofProcess()))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("g.json:2: cannot be read: ")
                .hasMessageContaining("(expected: JSON");
    }

    @Test
    void aFileThatCannotBeReadSaysWhy() throws IOException {
        Path gone = directory.resolve("gone.yaml");
        assertThatThrownBy(() -> GatewaySettings.read(gone))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("gone.yaml: cannot be read, there is no such file (expected: ");
        Path folder = Files.createDirectory(directory.resolve("folder.yaml"));
        assertThatThrownBy(() -> GatewaySettings.read(folder)).hasMessageContaining("it is a directory");
        Path latin = directory.resolve("latin.yaml");
        Files.write(latin, "name: caf\u00e9".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> GatewaySettings.read(latin)).hasMessageContaining("it is no UTF-8");
    }

    @Test
    void problemsAreOneForEachMistake() {
        assertThatThrownBy(() -> settings("endpoints: 3\nmodels: 4\n"))
                .isInstanceOfSatisfying(ConfigException.class, e -> {
                    assertThat(e.problems()).hasSize(2);
                    assertThat(List.of(String.valueOf(e.getMessage()).split("\n")))
                            .isEqualTo(e.problems());
                });
    }
}
