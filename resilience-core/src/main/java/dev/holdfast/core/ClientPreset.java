package dev.holdfast.core;

import dev.holdfast.CallException;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.FailureKind;
import dev.holdfast.FinishReason;
import dev.holdfast.Form;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.RouteOrder;
import dev.holdfast.Secret;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Clients as articles on the matter have them, ready-made: models, their order, timeouts, attempts and breakers. A preset names
 * models, which nothing else in Holdfast does; take its {@link #builder}, add endpoints, and change what you like.
 *
 * <pre>{@code
 * ResilientClient client = ClientPreset.workflow().builder().endpoint(endpoint).build();
 * }</pre>
 *
 * <p>Context windows and the largest outputs are the vendors' of January 2026. Immutable.
 */
public final class ClientPreset {
    /** What {@link #degradation()} calls the model that answers when none did. */
    public static final String INTERNAL_FALLBACK = "internal_fallback";

    private static final String APOLOGY = "The service cannot answer at the moment. Please try again later.";
    /** A caller who gave up, or whose request is wrong, is told so. */
    private static final Set<FailureKind> NOT_EXCUSED = Set.of(FailureKind.CANCELLED, FailureKind.INVALID_REQUEST);

    private final List<ModelSettings> models;
    private final List<String> fast;
    private final Kind kind;

    private ClientPreset(Kind kind, List<ModelSettings> models, List<String> fast) {
        this.kind = kind;
        this.models = models;
        this.fast = fast;
    }

    private enum Kind {
        WORKFLOW,
        DEGRADATION,
        FAILOVER
    }

    /**
     * {@return the workflow: gpt-4.1 (30 s), claude-sonnet-4.5 (35 s) and gemini-2.5-flash (20 s), each with the breaker of its name
     * in {@link BreakerPolicy#presets()}; 4 attempts after 2 s, doubling to 45 s, ±50 %}
     *
     * <p>Thorough: gpt-4.1, claude-sonnet-4.5, gemini-2.5-flash. Fast, by {@link #route}: gemini-2.5-flash, gpt-4.1,
     * claude-sonnet-4.5.
     */
    public static ClientPreset workflow() {
        return new ClientPreset(
                Kind.WORKFLOW,
                Stream.of(gpt("gpt-4.1", 30), claude("claude-sonnet-4.5", 35), gemini("gemini-2.5-flash", 20))
                        .map(model -> model.withBreaker(named(BreakerPolicy.presets(), model.name())))
                        .toList(),
                List.of("gemini-2.5-flash", "gpt-4.1", "claude-sonnet-4.5"));
    }

    /**
     * {@return the chain of degradation: gpt-4.1 (30 s, 3 attempts), claude-sonnet-4-5 (35 s, 3), gemini-2.5-flash (20 s, 4),
     * deepseek-v3 (25 s, 4), at most 14 attempts in all; a breaker of 5 failures, 60 s and 3 successes each; when all fail, an
     * apology as the answer of a model called {@link #INTERNAL_FALLBACK}}
     *
     * <p>The apology does not repeat the prompt. Cancelled calls and wrong requests fail all the same.
     */
    public static ClientPreset degradation() {
        List<ModelSettings> chain = List.of(
                gpt("gpt-4.1", 30).withMaxAttempts(3),
                claude("claude-sonnet-4-5", 35).withMaxAttempts(3),
                gemini("gemini-2.5-flash", 20).withMaxAttempts(4),
                deepseek("deepseek-v3", 25).withMaxAttempts(4));
        return new ClientPreset(
                Kind.DEGRADATION, chain, List.of("gemini-2.5-flash", "deepseek-v3", "gpt-4.1", "claude-sonnet-4-5"));
    }

    /**
     * {@return failover: gpt-4.1 and claude-sonnet-4.5 (60 s), gemini-2.5-flash (15 s), deepseek-v3.2 (30 s), other models 30 s;
     * gpt-4.1 falls back to gemini-2.5-flash; endpoints by health, then by latency, and unhealthy at the first failed connection;
     * 3 attempts after 1 and 2 s}
     *
     * <p>A call goes to the model it asks for.
     */
    public static ClientPreset failover() {
        List<ModelSettings> models = List.of(
                gpt("gpt-4.1", 60).withFallbacks("gemini-2.5-flash"),
                claude("claude-sonnet-4.5", 60),
                gemini("gemini-2.5-flash", 15),
                deepseek("deepseek-v3.2", 30));
        return new ClientPreset(
                Kind.FAILOVER, models, List.of("gemini-2.5-flash", "deepseek-v3.2", "gpt-4.1", "claude-sonnet-4.5"));
    }

    /**
     * {@return four endpoints of one provider under one key, in the order main, ap, eu, us; each names its region but the first}
     *
     * @param key the key of all four
     */
    public static List<Endpoint> holysheep(Secret key) {
        return List.of(
                region("holysheep", "api", key).build(),
                region("holysheep-ap", "ap", key).region("ap").build(),
                region("holysheep-eu", "eu", key).region("eu").build(),
                region("holysheep-us", "us", key).region("us").build());
    }

    private static Endpoint.Builder region(String name, String host, Secret key) {
        return Endpoint.builder(name, URI.create("https://" + host + ".holysheep.ai/v1"))
                .vendor("holysheep")
                .credential(new Credential("holysheep", key));
    }

    /** {@return what the preset says of its models, best first} */
    public List<ModelSettings> models() {
        return models;
    }

    /**
     * {@return the preset's models in an order; for {@link dev.holdfast.CallOptions#withRoute}}
     *
     * @param order fast or best first
     */
    public List<String> route(RouteOrder order) {
        return order == RouteOrder.FAST_FIRST
                ? fast
                : models.stream().map(ModelSettings::name).toList();
    }

    /** {@return a new builder with everything of the preset; it needs an endpoint yet} */
    public ClientBuilder builder() {
        ClientBuilder builder = ResilientClient.builder();
        models.forEach(builder::model);
        String[] chain = route(RouteOrder.QUALITY_FIRST).toArray(String[]::new);
        return switch (kind) {
            case WORKFLOW ->
                builder.route(chain)
                        .retry(named(RetryPolicy.presets(), "workflow").withMaxAttemptsPerCall(12));
            case DEGRADATION ->
                builder.route(chain)
                        .retry(named(RetryPolicy.presets(), "degradation").withMaxAttemptsPerCall(14))
                        .breaker(named(BreakerPolicy.presets(), "degradation"))
                        .degradedReply(ClientPreset::apology);
            case FAILOVER ->
                builder.timeout(Duration.ofSeconds(30))
                        .retry(named(RetryPolicy.presets(), "endpoints"))
                        .endpointPolicy(EndpointPolicy.failover().withOrder(EndpointOrder.FASTEST))
                        .healthPolicy(HealthPolicy.defaults().withUnreachableAtOnce(true));
        };
    }

    private static <P> P named(Map<String, P> presets, String name) {
        return Objects.requireNonNull(presets.get(name));
    }

    private static Optional<ModelAnswer> apology(CallException error) {
        return NOT_EXCUSED.contains(error.kind())
                ? Optional.empty()
                : Optional.of(new ModelAnswer(
                        Form.OPENAI_CHAT,
                        JsonObject.empty(),
                        Optional.of(INTERNAL_FALLBACK),
                        Optional.of(APOLOGY),
                        List.of(),
                        Optional.of(FinishReason.STOP),
                        Optional.empty()));
    }

    private static ModelSettings gpt(String name, int seconds) {
        return model(name, seconds, 1_047_576, 32_768);
    }

    private static ModelSettings claude(String name, int seconds) {
        return model(name, seconds, 200_000, 64_000);
    }

    private static ModelSettings gemini(String name, int seconds) {
        return model(name, seconds, 1_048_576, 65_535);
    }

    private static ModelSettings deepseek(String name, int seconds) {
        return model(name, seconds, 131_072, 8_192);
    }

    private static ModelSettings model(String name, int seconds, long window, long output) {
        return ModelSettings.of(name)
                .withTimeout(Duration.ofSeconds(seconds))
                .withContextWindow(window)
                .withMaxOutput(output);
    }
}
