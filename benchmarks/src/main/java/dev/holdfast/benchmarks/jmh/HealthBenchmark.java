package dev.holdfast.benchmarks.jmh;

import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.HealthReport;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.EndpointPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.SimulatedTransport;
import dev.holdfast.simulation.Weather;
import dev.holdfast.spi.Timekeeper;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a report of health costs, over ten targets (two models on five endpoints) that have all been called: the report, and the
 * report as text and as JSON. {@code ./holdfast jmh HealthBenchmark}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HealthBenchmark {
    private static final int ENDPOINTS = 5;
    private static final int CALLS = 500;

    private ResilientClient client = client();

    @Setup
    public void open() {
        client = client();
        for (int i = 0; i < CALLS; i++) {
            String model = i % 2 == 0 ? "gpt-4.1" : "gpt-4.1-mini";
            client.call(ModelRequest.chat(model).user("Name three rivers.").build());
        }
    }

    @TearDown
    public void close() {
        client.close();
    }

    @Benchmark
    public HealthReport report() {
        return client.health();
    }

    @Benchmark
    public String text() {
        return client.health().toString();
    }

    @Benchmark
    public String json() {
        return client.health().document().toJson();
    }

    private static ResilientClient client() {
        var builder = ResilientClient.builder()
                .transport(new SimulatedTransport(Timekeeper.system(), Weather.of(FaultScript.healthy())))
                .endpointPolicy(EndpointPolicy.loadBalanced())
                .model(ModelSettings.of("gpt-4.1"))
                .model(ModelSettings.of("gpt-4.1-mini"))
                .discovery(false)
                .logging(false);
        for (int i = 0; i < ENDPOINTS; i++) {
            builder.endpoint(Endpoint.builder("e" + i, URI.create("https://e" + i + ".test/v1"))
                    .credential(Credential.of("sk-test"))
                    .build());
        }
        return builder.build();
    }
}
