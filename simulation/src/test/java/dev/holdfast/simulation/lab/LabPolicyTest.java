package dev.holdfast.simulation.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CallException;
import dev.holdfast.Endpoint;
import dev.holdfast.FailureKind;
import dev.holdfast.JsonValue;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.Backoff;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.Jitter;
import dev.holdfast.core.Policies;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.core.config.ClientSettings;
import dev.holdfast.core.config.ConfigException;
import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.ProfileWeather;
import dev.holdfast.simulation.SimulatedTransport;
import dev.holdfast.simulation.VirtualTime;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LabPolicyTest {
    private static final URI ROOT = URI.create("http://localhost/");
    private static final Profile PUBLISHED = Profile.named("published");

    @TempDir
    private Path directory;

    private static String chain(ClientBuilder builder, Profile profile) {
        var time = new VirtualTime();
        try (ResilientClient client = builder.transport(new SimulatedTransport(time, profile.weather(1, 1)))
                .timekeeper(time)
                .discovery(false)
                .build()) {
            return client.toString();
        }
    }

    static Map<String, Policies> inCode() {
        RetryPolicy bare =
                RetryPolicy.standard().withoutDeadline().withoutBudget().withoutCooldowns();
        Backoff doubling = Backoff.exponential(Duration.ofSeconds(1));
        return Map.of(
                "defaults",
                Policies.standard(),
                "adaptive",
                Policies.adaptive().withRetry(Policies.adaptive().retry().withFallbackOn(FailureKind.CONTENT_POLICY)),
                "fixed",
                off(bare.withMaxAttempts(4).withBackoff(Backoff.fixed(Duration.ofSeconds(1)))),
                "exponential",
                off(bare.withMaxAttempts(4).withBackoff(doubling)),
                "exponential-jitter",
                off(bare.withMaxAttempts(4).withBackoff(doubling.withJitter(Jitter.proportional(0.5)))),
                "none",
                off(bare.withMaxAttempts(1).withBackoff(Backoff.immediate())),
                "smart-routing",
                off(bare.withMaxAttempts(1)
                        .withBackoff(Backoff.immediate())
                        .withFallbackOn(FailureKind.CONTENT_POLICY)));
    }

    private static Policies off(RetryPolicy retry) {
        return new Policies(retry, Optional.of(BreakerPolicy.off()));
    }

    @Test
    void theNamedPoliciesAreThoseOfTheCode() {
        inCode().forEach((name, policies) -> {
            ClientSettings settings = LabPolicy.named(name).settings();
            assertThat(settings.retry()).as(name).contains(policies.retry());
            assertThat(settings.breaker()).as(name).isEqualTo(policies.breaker());
        });
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyNamedPolicyCanBeCopied(String name) throws IOException {
        Path copy = Files.writeString(directory.resolve(name + ".json"), LabPolicy.source(name));
        ClientSettings copied = LabPolicy.read(copy).settings();
        ClientSettings settings = LabPolicy.named(name).settings();

        assertThat(copied.retry()).isPresent().isEqualTo(settings.retry());
        assertThat(copied.breaker()).isPresent().isEqualTo(settings.breaker());
    }

    static List<String> names() {
        return LabPolicy.names();
    }

    @Test
    void theVeryFileConfiguresAClientInProduction() throws Exception {
        Path file = Files.writeString(directory.resolve("holdfast.json"), """
                {
                  "endpoints": [{"name": "main", "base-url": "https://api.openai.com/v1", "api-key": "sk-of-nobody-000000000000"}],
                  "models": {"gpt-4.1": {"timeout": "9s", "fallbacks": ["claude-sonnet-4.5"]}, "claude-sonnet-4.5": {}},
                  "retry": {"max-attempts": 3, "backoff": "fixed(200ms)"},
                  "breaker": {"consecutive-failures": 7, "open-for": "2s"},
                  "hedge": {"after": "p95"},
                  "deadline": "40s"
                }
                """);
        var simulated = Endpoint.builder("main", ROOT.resolve("/v1")).build();
        ClientBuilder production = ClientSettings.read(file)
                .withEndpoints(List.of(simulated))
                .applyTo(ResilientClient.builder().timeout(PUBLISHED.timeout()));
        ClientBuilder lab = LabPolicy.read(file).builder(PUBLISHED, ROOT);

        List<String> produced = attempts(production);
        assertThat(produced).anySatisfy(call -> assertThat(call).contains("#3 "));
        assertThat(attempts(lab)).isEqualTo(produced);
        assertThat(chain(ClientSettings.read(file).applyTo(ResilientClient.builder()), PUBLISHED))
                .isEqualTo(chain(LabPolicy.read(file).builder(PUBLISHED, ROOT), PUBLISHED));
    }

    /** What becomes of calls, one after the other, with all their attempts and waits. */
    private static List<String> attempts(ClientBuilder builder) throws InterruptedException {
        ProfileWeather weather = PUBLISHED.weather(2, 600);
        var time = new VirtualTime();
        var seen = new ArrayList<String>();
        time.run(() -> {
            try (ResilientClient client = builder.transport(new SimulatedTransport(time, weather))
                    .timekeeper(time)
                    .random(new Random(1))
                    .discovery(false)
                    .logging(false)
                    .build()) {
                for (int i = 0; i < weather.requests(); i++) {
                    ModelRequest request =
                            ModelRequest.chat("gpt-4.1").user("Go on.").build();
                    var own = request.withDocument(request.document().with("user", JsonValue.of("r" + i)));
                    try {
                        seen.add(client.call(own).attempts().toString());
                    } catch (CallException e) {
                        seen.add(e.attempts().toString());
                    }
                }
            }
        });
        return seen;
    }

    @Test
    void aFileWithFallbacksDecidesTheRouteItselfAndItsKeysStayAtHome() throws Exception {
        Path file = Files.writeString(directory.resolve("p.json"), """
                {"endpoints": [{"name": "main", "base-url": "https://api.openai.com/v1", "api-key": "sk-of-nobody-000000000000"}],
                 "models": {"gpt-4.1": {"upstream-name": "x", "fallbacks": ["gemini-2.5-flash"]}, "gemini-2.5-flash": {}},
                 "retry": "none", "breaker": "off"}
                """);
        Outcome routed = Trial.run(PUBLISHED, LabPolicy.read(file), 1, 2_000);
        Outcome alone = Trial.run(PUBLISHED, LabPolicy.named("none"), 1, 2_000);

        assertThat(routed.successes()).isGreaterThan(alone.successes());
        assertThat(routed.sends()).isEqualTo(routed.attempts());
    }

    @Test
    void aModelThatTheProfileDoesNotHaveIsToldWithTheFix() throws IOException {
        Path file = Files.writeString(directory.resolve("p.json"), "{\"models\": {\"gpt-9\": {}}}");
        LabPolicy policy = LabPolicy.read(file);

        assertThatThrownBy(() -> policy.builder(PUBLISHED, ROOT))
                .hasMessageStartingWith("models.gpt-9: not in the profile published (expected: one of gpt-4.1, ");
    }

    @Test
    void aFaultyFileIsToldWithItsLine() throws IOException {
        Path file = Files.writeString(directory.resolve("p.json"), "{\n  \"retry\": {\n    \"max-attempt\": 3}}");

        assertThatThrownBy(() -> LabPolicy.read(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(file + ":3: retry.max-attempt: unknown key (expected: perhaps max-attempts");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "retry.max-attempt | 3 | retry.max-attempt: unknown key max-attempt (expected: perhaps max-attempts",
                "retry.max-attempts | three | retry.max-attempts: three (expected: a whole number, 1 to 1000)",
                "hedge.after | p200 | hedge.after: after: \"p200\" is no duration (expected: ",
                "breaker.failure-rate | 0.5 | breaker.failure-rate: without a window",
                "breaker.jitter | 1.5 | breaker.jitter: 1.5 (expected: a number, 0 to 1)",
            })
    void aSettingThatCannotBeIsToldWithoutALine(String key, String value, String message) {
        assertThatThrownBy(() -> LabPolicy.named("defaults").with(key, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }
}
