package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.ModelResponse;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import dev.holdfast.transport.JdkTransport;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What only real sockets and real threads can show. Nothing here measures how long something takes. */
class RealTimeTest {
    @Test
    void aFutureThatTimesOutEndsTheExchange() throws InterruptedException {
        try (FaultyProvider provider = FaultyProvider.start(FaultScript.always(Reply.hang()));
                ResilientClient client = client(provider)) {
            CompletableFuture<ModelResponse> future = client.callAsync(World.request());
            await(() -> provider.requests().size() == 1);
            future.orTimeout(1, TimeUnit.MILLISECONDS);

            await(() -> provider.connectionsOpen() == 0);
            assertThat(future).isCompletedExceptionally();
            assertThat(provider.requests()).hasSize(1);
        }
    }

    @Test
    void aFutureThatIsCancelledEndsTheExchange() throws InterruptedException {
        try (FaultyProvider provider = FaultyProvider.start(FaultScript.always(Reply.hang()));
                ResilientClient client = client(provider)) {
            CompletableFuture<ModelResponse> future = client.callAsync(World.request());
            await(() -> provider.requests().size() == 1);
            future.cancel(false);

            await(() -> provider.connectionsOpen() == 0);
            assertThat(provider.requests()).hasSize(1);
        }
    }

    @Test
    void aClosedClientLeavesNoThreadAndNoConnection() throws InterruptedException {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        try (FaultyProvider provider = FaultyProvider.start(FaultScript.always(Reply.hang()))) {
            ResilientClient client = client(provider);
            CompletableFuture<ModelResponse> future = client.callAsync(World.request());
            await(() -> provider.requests().size() == 1);
            client.close();

            await(future::isDone);
            await(() -> provider.connectionsOpen() == 0);
        }
        await(() -> ours(before).isEmpty());
    }

    @Test
    void aConnectionIsUsedAgain() {
        try (FaultyProvider provider = FaultyProvider.start(
                        FaultScript.of(Reply.status(503).withRetryAfter(Duration.ZERO, Reply.RetryAfterForm.SECONDS)));
                ResilientClient client = client(provider)) {
            client.call(World.request());
            client.call(World.request());

            assertThat(provider.requests()).hasSize(3);
            assertThat(provider.connectionsOpened()).isEqualTo(1);
        }
    }

    private static Set<String> ours(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .filter(name -> name.startsWith("holdfast-") || name.startsWith("HttpClient-"))
                .collect(Collectors.toSet());
    }

    private static ResilientClient client(FaultyProvider provider) {
        URI base = provider.baseUrl();
        return ResilientClient.builder()
                .endpoint(Endpoint.builder("p1", base)
                        .credential(Credential.of("sk-test"))
                        .build())
                .transport(new JdkTransport())
                .closeGrace(Duration.ofMillis(50))
                .discovery(false)
                .build();
    }

    /** Waits for something that must happen, however long the machine takes for it. */
    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 10_000 && !condition.getAsBoolean(); i++) {
            Thread.sleep(10);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }
}
