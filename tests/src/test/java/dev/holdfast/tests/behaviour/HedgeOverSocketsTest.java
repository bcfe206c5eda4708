package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttemptReason;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.HedgeStep;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.HttpVersion;
import dev.holdfast.ModelResponse;
import dev.holdfast.ModelStream;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.HedgePolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import dev.holdfast.transport.JdkTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a provider sees of a hedge on real sockets: that the loser's exchange is ended, and that nothing is left behind. */
class HedgeOverSocketsTest {
    private static final HedgePolicy SOON =
            HedgePolicy.after(Duration.ofMillis(30)).withBudget(1, 10_000);

    private final ConcurrentLinkedQueue<CallEvent> events = new ConcurrentLinkedQueue<>();

    @Test
    void theProviderThatLosesSeesItsConnectionClose() throws InterruptedException {
        try (FaultyProvider slow = FaultyProvider.start(FaultScript.always(Reply.hang()));
                FaultyProvider fast = FaultyProvider.start(AfterOther.script(slow));
                ResilientClient client = client(slow, fast).build()) {
            ModelResponse response = client.call(World.request());

            assertThat(response.attempts().getLast().reason()).isEqualTo(AttemptReason.HEDGE);
            assertThat(slow.requests()).hasSize(1);
            await(() -> slow.connectionsOpen() == 0);
            assertThat(fast.connectionsOpen()).isEqualTo(1);
        }
    }

    @Test
    void overHttpTwoTheLosersStreamIsReset() throws InterruptedException {
        try (FaultyProvider slow = FaultyProvider.builder(FaultScript.always(Reply.hang()))
                        .secure()
                        .start();
                FaultyProvider fast = FaultyProvider.start(AfterOther.script(slow));
                ResilientClient client = ResilientClient.builder()
                        .endpoint(endpoint("slow", slow, HttpVersion.HTTP_2))
                        .endpoint(endpoint("fast", fast, HttpVersion.HTTP_1_1))
                        .transport(JdkTransport.builder()
                                .sslContext(slow.sslContext())
                                .build())
                        .hedge(SOON)
                        .discovery(false)
                        .logging(false)
                        .build()) {
            ModelResponse response = client.call(World.request());

            assertThat(response.attempts().getLast().reason()).isEqualTo(AttemptReason.HEDGE);
            await(() -> slow.streamsReset() == 1);
        }
    }

    @Test
    void aStreamThatLosesIsClosedOnTheWire() throws InterruptedException {
        Reply begins = Sse.of(Sse.ROLE, Sse.PING);
        try (FaultyProvider slow = FaultyProvider.start(
                        FaultScript.always(begins.hangAfter(begins.body().size())));
                FaultyProvider fast = FaultyProvider.start(AfterOther.script(slow));
                ResilientClient client = client(slow, fast).build()) {
            try (ModelStream stream = client.stream(World.request())) {
                assertThat(stream.toResponse().text()).isPresent();
            }
            await(() -> slow.connectionsOpen() == 0);
        }
    }

    @Test
    void cancellingAHedgedCallEndsBothExchangesAndAllThreads() throws InterruptedException {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        try (FaultyProvider one = FaultyProvider.start(FaultScript.always(Reply.hang()));
                FaultyProvider other = FaultyProvider.start(FaultScript.always(Reply.hang()))) {
            ResilientClient client = client(one, other).build();
            CompletableFuture<ModelResponse> future = client.callAsync(World.request());
            await(() -> one.requests().size() == 1 && other.requests().size() == 1);
            future.cancel(true);

            await(() -> one.connectionsOpen() == 0 && other.connectionsOpen() == 0);
            client.close();
        }
        await(() -> ours(before).isEmpty());
    }

    private static Set<String> ours(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .filter(name -> name.startsWith("holdfast-") || name.startsWith("HttpClient-"))
                .collect(Collectors.toSet());
    }

    @Test
    void underLoadEveryCallHasOneWinnerAndEveryLoserIsEnded() throws InterruptedException {
        FaultScript uneven = FaultScript.answering(request -> request.number() % 4 == 0
                ? Reply.hang()
                : Reply.completion("ok").withDelay(Duration.ofMillis(request.number() % 60)));
        try (FaultyProvider one = FaultyProvider.start(uneven);
                FaultyProvider other = FaultyProvider.start(FaultScript.answering(
                        request -> Reply.completion("ok").withDelay(Duration.ofMillis(request.number() % 10))));
                ResilientClient client = client(one, other).build()) {
            List<CompletableFuture<ModelResponse>> calls = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                calls.add(client.callAsync(World.request()));
            }
            List<ModelResponse> answers =
                    calls.stream().map(CompletableFuture::join).toList();

            assertThat(answers)
                    .hasSize(400)
                    .allSatisfy(answer -> assertThat(answer.attempts().stream().filter(attempt -> attempt.succeeded()))
                            .hasSize(1));
            long started = count(CallEvent.AttemptStarted.class);
            assertThat(count(CallEvent.AttemptFinished.class)).isEqualTo(started);
            assertThat(steps(HedgeStep.SENT))
                    .isPositive()
                    .isEqualTo(steps(HedgeStep.WON) + steps(HedgeStep.LOST) + steps(HedgeStep.FAILED));
            assertThat(answers.stream()
                            .mapToLong(answer -> answer.attempts().size())
                            .sum())
                    .isEqualTo(started);
            await(() -> one.requests().size() + other.requests().size() <= started);
        }
    }

    private long count(Class<? extends CallEvent> type) {
        return events.stream().filter(type::isInstance).count();
    }

    private long steps(HedgeStep step) {
        return events.stream()
                .filter(event -> event instanceof CallEvent.Hedged hedged && hedged.step() == step)
                .count();
    }

    private ClientBuilder client(FaultyProvider slow, FaultyProvider fast) {
        return ResilientClient.builder()
                .endpoint(endpoint("slow", slow, HttpVersion.HTTP_1_1))
                .endpoint(endpoint("fast", fast, HttpVersion.HTTP_1_1))
                .transport(new JdkTransport())
                .hedge(SOON)
                .closeGrace(Duration.ofMillis(50))
                .listener(events::add)
                .discovery(false)
                .logging(false);
    }

    private static Endpoint endpoint(String name, FaultyProvider provider, HttpVersion version) {
        return Endpoint.builder(name, provider.baseUrl())
                .credential(Credential.of("sk-test"))
                .httpVersion(version)
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
