package dev.holdfast.clients;

import dev.holdfast.core.config.Configuration;
import dev.holdfast.core.config.Variables;
import dev.holdfast.gateway.Gateway;
import dev.holdfast.gateway.GatewaySettings;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import java.net.URI;
import java.util.function.Function;

/** A gateway, and behind it three providers that fail on purpose: two of OpenAI's form with the model asked for, one of Anthropic's. */
final class Front implements AutoCloseable {
    /** The model that every client asks for. */
    static final String MODEL = "m";

    final FaultyProvider first;
    private final FaultyProvider second;
    private final FaultyProvider other;
    private final Gateway gateway;

    private Front(FaultyProvider first, FaultyProvider second, FaultyProvider other, String settings) {
        this.first = first;
        this.second = second;
        this.other = other;
        this.gateway = Gateway.start(
                GatewaySettings.of(Configuration.ofYaml("gateway.yaml", settings, Variables.ofProcess())));
    }

    /** The storm: every provider behind it fails three times in ten. */
    static Front inAStorm(long seed) {
        return of(
                request -> Weather.storm(request, seed),
                request -> Weather.storm(request, seed + 1),
                request -> Weather.storm(request, seed + 2));
    }

    private static Front of(
            Function<ProviderRequest, Reply> first,
            Function<ProviderRequest, Reply> second,
            Function<ProviderRequest, Reply> other) {
        FaultyProvider one = FaultyProvider.start(FaultScript.answering(first));
        FaultyProvider two = FaultyProvider.start(FaultScript.answering(second));
        FaultyProvider three = FaultyProvider.start(FaultScript.answering(other));
        return new Front(one, two, three, """
                listen: 127.0.0.1:0
                endpoints:
                  - {name: first, base-url: "%s", api-key: "one"}
                  - {name: second, base-url: "%s", api-key: "two"}
                  - {name: other, dialect: anthropic, base-url: "%s", api-key: "three"}
                models:
                  m: {endpoints: [first, second], timeout: 2s, fallbacks: [c], price: {input: 2.00, output: 8.00}}
                  c: {endpoints: [other], timeout: 2s, price: {input: 3.00, output: 15.00}}
                retry: {backoff: "exponential(50ms, x2, max 2s, jitter 0.5)"}
                deadline: 30s
                close-grace: 100ms
                stop: {wait: 0s}
                """.formatted(one.baseUrl(), two.baseUrl(), three.uri()));
    }

    /** One provider of OpenAI's form, and nowhere else to go; only a machine that stands still runs into its timeout. */
    static Front alone(FaultyProvider provider, String endpoint, String more) {
        FaultyProvider unused = FaultyProvider.start();
        return new Front(provider, unused, unused, """
                listen: 127.0.0.1:0
                endpoints:
                  - {name: first, base-url: "%s", api-key: "one"%s}
                models:
                  m: {endpoints: [first], timeout: 60s}
                retry: {backoff: "exponential(20ms, x2, max 1s, jitter 0.5)"}
                close-grace: 100ms
                stop: {wait: 0s}
                %s
                """.formatted(provider.baseUrl(), endpoint, more));
    }

    /** The gateway's own address. */
    URI uri() {
        return gateway.uri();
    }

    @Override
    public void close() {
        gateway.close();
        first.close();
        second.close();
        other.close();
    }
}
