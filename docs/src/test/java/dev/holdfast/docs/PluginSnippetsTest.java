package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Endpoint;
import dev.holdfast.Route;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.spi.BackoffStrategy;
import dev.holdfast.spi.Interceptor;
import dev.holdfast.spi.ModelRouter;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.testkit.BackoffContract;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The snippets of docs/plugins.md. */
class PluginSnippetsTest {
    @Test
    void partsOfOnesOwn() {
        try (FaultyProvider provider = FaultyProvider.start(FaultScript.of(Local.soon(503)))) {
            Endpoint endpoint = Local.endpoint(provider);
            LongAdder heard = new LongAdder();
            // snippet: plugins
            BackoffStrategy steady = request -> Duration.ofMillis(250L * Math.min(request.retry(), 8));
            ModelRouter longOnes =
                    request -> request.request().maxOutputTokens().orElse(0) > 2_000
                            ? Route.of("long answers", "gpt-4.1")
                            : Route.of("short answers", "gpt-4.1-mini", "gpt-4.1");
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .retry(RetryPolicy.standard().withBackoff(steady))
                    .router(longOnes)
                    .interceptor(new Tracing())
                    .listener(event -> heard.increment())
                    .build();
            // end
            assertThat(client.call(Local.request()).model()).hasValue("gpt-4.1-mini");
            assertThat(provider.requests().getFirst().headers().first("traceparent"))
                    .isPresent();
            assertThat(heard.sum()).isPositive();
            client.close();
        }
    }

    // snippet: plugins-interceptor
    static final class Tracing implements Interceptor {
        @Override
        public TransportReply aroundAttempt(AttemptCall attempt, AttemptChain chain)
                throws TransportException, InterruptedException {
            return chain.proceed(
                    attempt.withHeader("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
        }
    }
    // end

    @Nested
    // snippet: plugins-contract
    class SteadyBackoffTest extends BackoffContract {
        @Override
        protected BackoffStrategy strategy() {
            return request -> Duration.ofMillis(250L * Math.min(request.retry(), 8));
        }

        @Override
        protected Duration cap() {
            return Duration.ofSeconds(2);
        }
    }
    // end
}
