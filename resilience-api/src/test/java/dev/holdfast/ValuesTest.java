package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.RateLimitSnapshot.Dimension;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ValuesTest {
    @Test
    void theLargerCapCountsWhereARequestHasTwo() {
        assertThat(capped("max_tokens", 1, "max_completion_tokens", 738).maxOutputTokens())
                .hasValue(738);
        assertThat(capped("max_tokens", 500, "n", 4).maxOutputTokens()).hasValue(500);
        assertThat(ModelRequest.chat("m").user("x").build().maxOutputTokens()).isEmpty();
    }

    @Test
    void anotherModelChangesTheDocumentOnlyWhereItNamesOne() {
        ModelRequest request = ModelRequest.chat("big").user("x").maxTokens(5).build();
        assertThat(request.withModel("small").document().text("model")).hasValue("small");
        ModelRequest gemini = ModelRequest.of(Form.GEMINI_CONTENT, "flash", JsonObject.empty());
        assertThat(gemini.withModel("pro").document()).isEqualTo(JsonObject.empty());
    }

    @Test
    void aRequestWithoutMessagesOrModelIsRefusedWithTheFix() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ModelRequest.chat("m").build())
                .withMessageStartingWith("messages: none");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ModelRequest.of(Form.OPENAI_CHAT, JsonObject.empty()))
                .withMessageStartingWith("/model: missing");
    }

    @Test
    void optionsThatNoCallCouldMeetAreRefusedWithTheFix() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CallOptions.none().withRoute(List.of()))
                .withMessage("route: no model (expected: at least one)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CallOptions.none().withMaxCostUsd(new BigDecimal("-0.01")))
                .withMessage("maxCostUsd: -0.01 (expected: >= 0)");
        assertThat(CallOptions.none().withMaxCostUsd(BigDecimal.ZERO).maxCostUsd())
                .contains(BigDecimal.ZERO);
    }

    @Test
    void pricesAreExact() {
        Price price = Price.blended(new BigDecimal("0.42"));
        assertThat(price.of(Usage.of(100, 400))).isEqualTo(new Cost(new BigDecimal("0.00021")));
        assertThat(price.of(Usage.of(100, 400))).hasToString("$0.00021");
    }

    @Property
    void noTokenIsPricedTwice(
            @ForAll @LongRange(min = 0, max = 1_000_000) long input,
            @ForAll @LongRange(min = 0, max = 1_000_000) long cached,
            @ForAll @LongRange(min = 0, max = 1_000_000) long written,
            @ForAll @LongRange(min = 0, max = 1_000_000) long output) {
        var usage = new Usage(input, cached, written, output, 0);
        BigDecimal million = BigDecimal.valueOf(1_000_000);
        assertThat(Price.blended(million).of(usage).usd()).isEqualByComparingTo(BigDecimal.valueOf(usage.total()));
        assertThat(usage.plus(Usage.NONE)).isEqualTo(usage);
    }

    @Test
    void anEndpointSpeaksHttpTwoOverTlsAlone() {
        Endpoint.Builder plain = Endpoint.builder("local", java.net.URI.create("http://localhost:8000/v1"))
                .httpVersion(HttpVersion.HTTP_2);
        assertThatIllegalArgumentException()
                .isThrownBy(plain::build)
                .withMessageContaining("local")
                .withMessageContaining("HTTP_2")
                .withMessageContaining("https");
        Endpoint secure = Endpoint.builder("far", java.net.URI.create("https://api.example.com/v1"))
                .httpVersion(HttpVersion.HTTP_2)
                .build();
        assertThat(secure.httpVersion()).isEqualTo(HttpVersion.HTTP_2);
    }

    @Test
    void aRouteTriesEachModelOnce() {
        assertThat(Route.of("why", "a", "b", "a").models()).containsExactly("a", "b");
        assertThatIllegalArgumentException().isThrownBy(() -> new Route(List.of(), "why"));
    }

    @Test
    void optionsOfTheCallComeBeforeThoseOfTheClient() {
        CallOptions defaults = CallOptions.none()
                .withDeadline(Duration.ofSeconds(30))
                .withTenant("acme")
                .withTag("team", "search");
        CallOptions own = CallOptions.none().withDeadline(Duration.ofSeconds(5)).withTag("job", "nightly");
        CallOptions both = own.orElse(defaults);
        assertThat(both.deadline()).hasValue(Duration.ofSeconds(5));
        assertThat(both.tenant()).hasValue("acme");
        assertThat(both.tags()).containsOnly(Map.entry("team", "search"), Map.entry("job", "nightly"));
        assertThat(own.tenant()).isEmpty();
        assertThat(CallOptions.none().orElse(defaults)).isSameAs(defaults);
    }

    @Test
    void anAllowListThatNamesSomethingShutsOutWhoDoesNotSay() {
        Endpoint eu = endpoint().region("eu").vendor("acme").build();
        Endpoint silent = endpoint().build();
        var onlyEu = new AllowList(Set.of("eu"), Set.of(), Set.of());
        assertThat(onlyEu.allows(eu)).isTrue();
        assertThat(onlyEu.allows(silent)).isFalse();
        assertThat(AllowList.ANY.allows(silent)).isTrue();
    }

    @Test
    void theWaitIsThatOfTheDimensionThatIsUsedUp() {
        Dimension requests = dimension(0, Optional.of(Duration.ofSeconds(3)));
        Dimension tokens = dimension(50, Optional.of(Duration.ofMinutes(1)));
        assertThat(snapshot(Map.of("requests", requests, "tokens", tokens)).waitTime())
                .hasValue(Duration.ofSeconds(3));
        assertThat(snapshot(Map.of("tokens", tokens)).waitTime()).hasValue(Duration.ZERO);
        assertThat(snapshot(Map.of("requests", dimension(0, Optional.empty()))).waitTime())
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void everyKindHasAWordOfItsOwn(FailureKind kind) {
        assertThat(kind.wireName())
                .matches("[a-z]+(_[a-z]+)*")
                .isEqualTo(kind.name().toLowerCase(java.util.Locale.ROOT));
    }

    @Test
    void anErrorTellsEveryTargetItTriedAndWhenTheEarliestIsFree() {
        var target = new Target("big", "east");
        Failure failure = Failure.of(FailureKind.CONNECTION, FailureScope.ENDPOINT, Delivery.AMBIGUOUS, "reset");
        var attempt = new Attempt(
                1,
                AttemptReason.FIRST,
                target,
                Optional.empty(),
                Instant.EPOCH,
                Duration.ZERO,
                Duration.ofMillis(7),
                Optional.of(failure),
                Optional.empty());
        var rejection =
                new Rejection(new Target("big", "west"), FailureKind.CIRCUIT_OPEN, Optional.of(Duration.ofSeconds(9)));
        var trail = new CallTrail("c1", List.of(attempt), List.of(rejection));
        var exception = new AttemptsExhaustedException("gone", failure, trail, null);
        assertThat(exception)
                .hasMessage("gone [#1 first big@east: connection: reset (7 ms); big@west circuit_open for 9000 ms;"
                        + " the first is free in 9000 ms]");
        assertThat(exception.kind()).isEqualTo(FailureKind.CONNECTION);
        assertThat(exception.mayHaveBeenBilled()).isTrue();
        assertThat(exception.retryAfter()).hasValue(Duration.ofSeconds(9));
        assertThat(exception.callId()).isEqualTo("c1");
    }

    private static ModelRequest capped(String one, long first, String two, long second) {
        return ModelRequest.chat("m")
                .user("x")
                .with(one, JsonValue.of(first))
                .with(two, JsonValue.of(second))
                .build();
    }

    private static Endpoint.Builder endpoint() {
        return Endpoint.builder("e", java.net.URI.create("https://example.test"));
    }

    private static Dimension dimension(long remaining, Optional<Duration> resetIn) {
        return new Dimension(OptionalLong.of(100), OptionalLong.of(remaining), resetIn);
    }

    private static RateLimitSnapshot snapshot(Map<String, Dimension> dimensions) {
        return new RateLimitSnapshot(Instant.EPOCH, dimensions);
    }
}
