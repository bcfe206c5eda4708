package dev.holdfast.tests.transport;

import static dev.holdfast.tests.transport.Exchanging.PROMPT;
import static dev.holdfast.tests.transport.Exchanging.at;
import static dev.holdfast.tests.transport.Exchanging.await;
import static dev.holdfast.tests.transport.Exchanging.fetch;
import static dev.holdfast.tests.transport.Exchanging.post;
import static dev.holdfast.tests.transport.Exchanging.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import dev.holdfast.transport.JdkTransport;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On which threads exchanges are worked on, and that none of them waits for another. */
@Timeout(300)
class JdkTransportThreadsTest {
    private static final String ADDRESS = "127.0.0.1";

    private final JdkTransport transport = new JdkTransport();

    private static Set<Thread> ours() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("holdfast-http-"))
                .collect(Collectors.toSet());
    }

    @Test
    void worksForNamesOnDaemonsOfItsOwnName() throws Exception {
        await(() -> ours().isEmpty());
        try (var provider = FaultyProvider.start();
                transport) {
            fetch(transport, post(at(SlowNames.HERE, provider), PROMPT));
            assertThat(ours()).isNotEmpty().allMatch(Thread::isDaemon);
        }
    }

    @Test
    void needsNoThreadForAnAddressButTheOneThatEndsLongWaits() throws Exception {
        await(() -> ours().isEmpty());
        try (var provider = FaultyProvider.start();
                transport) {
            for (int i = 0; i < 3; i++) {
                fetch(transport, post(at(ADDRESS, provider), PROMPT));
            }
            assertThat(ours()).extracting(Thread::getName).containsOnly("holdfast-http-alarms");
        }
        await(() -> ours().isEmpty());
    }

    @Test
    void leavesTheCommonPoolAlone() throws Exception {
        long before = ForkJoinPool.commonPool().getStealCount();
        try (var provider = FaultyProvider.start();
                transport) {
            for (int i = 0; i < 200; i++) {
                fetch(transport, post(at(ADDRESS, provider), PROMPT));
            }
        }
        await(() -> ForkJoinPool.commonPool().isQuiescent());
        assertThat(ForkJoinPool.commonPool().getStealCount() - before).isLessThan(100);
    }

    @ParameterizedTest
    @ValueSource(strings = {ADDRESS, SlowNames.HERE})
    void whoDoesNotReadKeepsNobodyWaiting(String host) throws Exception {
        Reply endless =
                Reply.of(200, Headers.empty(), Bytes.of(new byte[40 << 20])).inPieces(64 << 10);
        try (var provider = FaultyProvider.start(
                        FaultScript.answering(one -> one.number() == 1 ? endless : Reply.completion("ok")));
                transport;
                var unread = transport.send(post(at(host, provider), PROMPT))) {
            for (int i = 0; i < 20; i++) {
                assertThat(fetch(transport, post(at(host, provider), PROMPT))).contains("chat.completion");
            }
            assertThat(unread.body().readNBytes(1)).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {ADDRESS, SlowNames.HERE})
    void streamsRunBesideOneAnother(String host) throws Exception {
        Reply stream = Reply.stream("one", "two", "three").inPieces(7).withPauses(Duration.ofMillis(1));
        try (var provider = FaultyProvider.start(FaultScript.answering(one -> stream));
                transport;
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var texts = IntStream.range(0, 50)
                    .mapToObj(i -> callers.submit(() -> {
                        try (var reply = transport.send(post(at(host, provider), PROMPT))) {
                            return text(reply);
                        }
                    }))
                    .toList();
            for (var each : texts) {
                assertThat(each.get()).isEqualTo(stream.body().toUtf8());
            }
        }
    }
}
