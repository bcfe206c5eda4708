package dev.holdfast.tests.cases;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.CallOptions;
import dev.holdfast.Endpoint;
import dev.holdfast.StreamTimeouts;
import dev.holdfast.core.Backoff;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.tests.behaviour.World;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The world and the client that a case describes. A setting it does not know fails the case rather than being passed over. */
final class Setting {
    private static final Set<String> KNOWN = Set.of(
            "max_retries",
            "max_server_wait_ms",
            "base_backoff_ms",
            "deadline_ms",
            "attempt_timeout_ms",
            "breaker",
            "providers",
            "deployments",
            "structured_output",
            "idempotency",
            "provider_supports_idempotency",
            "retry_on_read_timeout",
            "max_connections_per_host",
            "stream_idle_timeout_ms",
            "stream_progress_timeout_ms");

    private Setting() {}

    static World world(Case played) {
        return world(played, Duration.ZERO);
    }

    /** A world whose providers take that much longer than the case says. */
    static World world(Case played, Duration latency) {
        World world = new World(played.now());
        boolean honours = played.config().path("provider_supports_idempotency").asBoolean();
        UnaryOperator<Endpoint.Builder> endpoint = builder -> builder.honoursIdempotencyKey(honours);
        for (String name : names(played)) {
            world.provider(name, script(played.given().path("server"), name, latency), endpoint);
        }
        return world;
    }

    private static FaultScript script(JsonNode server, String name, Duration latency) {
        JsonNode replies = server.isArray() ? server : server.path(server.has("any") ? "any" : name);
        return Replies.script(replies, latency);
    }

    static List<String> names(Case played) {
        for (String list : List.of("providers", "deployments")) {
            if (played.config().has(list)) {
                return Case.elements(played.config().path(list))
                        .map(JsonNode::asText)
                        .toList();
            }
        }
        return List.of("p1");
    }

    static ClientBuilder client(Case played, World world) {
        JsonNode config = played.config();
        config.fieldNames().forEachRemaining(name -> {
            if (!KNOWN.contains(name)) {
                throw new AssertionError("an unknown setting: " + name);
            }
        });
        ClientBuilder builder =
                world.builder().retry(policy(config)).defaults(options(config)).streamTimeouts(streamTimeouts(config));
        return builder.breaker(config.has("breaker") ? breaker(config.path("breaker")) : BreakerPolicy.defaults());
    }

    static RetryPolicy policy(JsonNode config) {
        RetryPolicy policy = RetryPolicy.standard()
                .withMaxAttempts(1 + config.path("max_retries").asInt(3));
        if (config.has("max_server_wait_ms")) {
            policy = policy.withMaxSuggestedDelay(millis(config, "max_server_wait_ms"));
        }
        if (config.has("base_backoff_ms")) {
            policy = policy.withBackoff(Backoff.exponential(millis(config, "base_backoff_ms")));
        }
        if (config.has("deadline_ms")) {
            policy = policy.withDeadline(millis(config, "deadline_ms"));
        }
        return policy.withOnlyIfIdempotent(
                config.path("retry_on_read_timeout").asText().equals("only_if_idempotent"));
    }

    private static CallOptions options(JsonNode config) {
        return config.has("attempt_timeout_ms")
                ? CallOptions.none().withTimeout(millis(config, "attempt_timeout_ms"))
                : CallOptions.none();
    }

    /** Progress is a meaningful event, the first one too. */
    private static StreamTimeouts streamTimeouts(JsonNode config) {
        StreamTimeouts timeouts = StreamTimeouts.defaults();
        if (config.has("stream_idle_timeout_ms")) {
            timeouts = timeouts.withIdle(millis(config, "stream_idle_timeout_ms"));
        }
        if (config.has("stream_progress_timeout_ms")) {
            Duration progress = millis(config, "stream_progress_timeout_ms");
            timeouts = timeouts.withFirstToken(progress).withMeaningfulIdle(progress);
        }
        return timeouts;
    }

    private static BreakerPolicy breaker(JsonNode breaker) {
        return BreakerPolicy.defaults()
                .withFailureThreshold(breaker.path("failure_threshold").asInt())
                .withOpenTime(millis(breaker, "open_ms"))
                .withProbes(breaker.path("half_open_permits").asInt(), 1);
    }

    private static Duration millis(JsonNode parent, String name) {
        return Duration.ofMillis(parent.path(name).asLong());
    }
}
