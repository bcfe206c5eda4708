package dev.holdfast.gateway;

import dev.holdfast.core.config.Configuration;
import dev.holdfast.core.config.Variables;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import java.time.Duration;
import java.util.SplittableRandom;

/** What stands behind a gateway without a configuration: a provider of this process that fails three times in ten. */
final class TrialProvider implements AutoCloseable {
    private final FaultyProvider provider;

    private TrialProvider(FaultyProvider provider) {
        this.provider = provider;
    }

    static TrialProvider start() {
        return new TrialProvider(FaultyProvider.start(FaultScript.answering(TrialProvider::reply)));
    }

    /** The same for the same number, so that a run can be repeated. */
    private static Reply reply(ProviderRequest request) {
        var random = new SplittableRandom(request.number());
        return switch (random.nextInt(20)) {
            case 0, 1, 2 -> Reply.status(503);
            case 3, 4 -> Reply.rateLimited(Duration.ofMillis(200));
            case 5 -> Reply.reset();
            default -> FaultScript.healthy().reply(request).withDelay(Duration.ofMillis(random.nextInt(20, 80)));
        };
    }

    GatewaySettings settings() {
        return settings("127.0.0.1:8080");
    }

    GatewaySettings settings(String listen) {
        String text = text(listen);
        return GatewaySettings.of(Configuration.ofJson("the built-in configuration", text, Variables.ofProcess()));
    }

    /** {@return how many requests it has had} */
    int requests() {
        return provider.requests().size();
    }

    private String text(String listen) {
        return """
                {
                  "listen": "%2$s",
                  "endpoints": [
                    {"name": "first", "base-url": "%1$s"},
                    {"name": "second", "base-url": "%1$s"}
                  ],
                  "models": {
                    "gpt-4.1": {"price": {"input": 2.00, "cached-input": 0.50, "output": 8.00}, "fallbacks": ["gpt-4.1-mini"]},
                    "gpt-4.1-mini": {"price": {"input": 0.40, "cached-input": 0.10, "output": 1.60}}
                  },
                  "retry": {"backoff": "exponential(100ms, x2, max 2s, jitter 0.5)"},
                  "stop": {"wait": "0s"},
                  "cache": {}
                }
                """.formatted(provider.baseUrl(), listen);
    }

    @Override
    public void close() {
        provider.close();
    }
}
