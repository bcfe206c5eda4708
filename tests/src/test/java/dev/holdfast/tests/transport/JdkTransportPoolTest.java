package dev.holdfast.tests.transport;

import static dev.holdfast.tests.transport.Exchanging.LONG;
import static dev.holdfast.tests.transport.Exchanging.PROMPT;
import static dev.holdfast.tests.transport.Exchanging.at;
import static dev.holdfast.tests.transport.Exchanging.await;
import static dev.holdfast.tests.transport.Exchanging.call;
import static dev.holdfast.tests.transport.Exchanging.failure;
import static dev.holdfast.tests.transport.Exchanging.fetch;
import static dev.holdfast.tests.transport.Exchanging.post;
import static dev.holdfast.tests.transport.Exchanging.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Bytes;
import dev.holdfast.Delivery;
import dev.holdfast.Headers;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import dev.holdfast.spi.TransportTimeouts;
import dev.holdfast.transport.JdkTransport;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many connections there are, how old they get, and that nothing of them is left. */
@Timeout(300)
class JdkTransportPoolTest {
    private static final Duration SHORT = Duration.ofMillis(100);

    private static TransportCall postWithin(FaultyProvider provider, Duration total) {
        return within(total, post(provider).uri());
    }

    private static TransportCall within(Duration total, URI uri) {
        return call("POST", uri, PROMPT, TransportTimeouts.total(total));
    }

    private static void fetchAtOnce(JdkTransport transport, FaultyProvider provider, int calls) throws Exception {
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<String>>();
            for (int i = 0; i < calls; i++) {
                answers.add(callers.submit(() -> fetch(transport, post(provider))));
            }
            for (Future<String> answer : answers) {
                assertThat(answer.get()).contains("chat.completion");
            }
        }
    }

    @Test
    @Tag("concurrency")
    void opensNoMoreConnectionsThanItMay() throws Exception {
        var busy = Busy.passing();
        try (var provider = FaultyProvider.start(busy.script());
                var transport = JdkTransport.builder().maxConnections(3).build()) {
            fetchAtOnce(transport, provider, 200);
            assertThat(busy.most()).isLessThanOrEqualTo(3);
            assertThat(provider.connectionsOpened()).isLessThanOrEqualTo(3);
            assertThat(provider.executions()).isEqualTo(200);
        }
    }

    @Test
    @Tag("concurrency")
    void carriesTwoThousandCallsAtOnce() throws Exception {
        var busy = Busy.holding();
        try (var provider = FaultyProvider.start(busy.script());
                var transport = new JdkTransport();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<String>>();
            for (int i = 0; i < 2_000; i++) {
                answers.add(callers.submit(() -> fetch(transport, postWithin(provider, LONG.multipliedBy(2)))));
            }
            await(() -> busy.now() == 2_000);
            busy.letGo();
            for (Future<String> answer : answers) {
                assertThat(answer.get()).contains("chat.completion");
            }
            assertThat(provider.executions()).isEqualTo(2_000);
            transport.close();
            await(() -> provider.connectionsOpen() == 0);
        }
    }

    @Test
    void failsAsNeverSentIfNoConnectionBecomesFreeInTime() throws Exception {
        var busy = Busy.holding();
        try (var provider = FaultyProvider.start(busy.script());
                var transport = JdkTransport.builder().maxConnections(1).build();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> first = callers.submit(() -> fetch(transport, post(provider)));
            await(() -> busy.now() == 1);
            TransportException full = failure(transport, postWithin(provider, SHORT));
            assertThat(full.fault()).isEqualTo(Fault.POOL);
            assertThat(full.delivery()).isEqualTo(Delivery.NEVER_SENT);
            busy.letGo();
            assertThat(first.get()).contains("number 1");
            assertThat(fetch(transport, post(provider))).contains("number 2");
            assertThat(provider.connectionsOpened()).isEqualTo(1);
        }
    }

    /** The one connection stands before the hasty calls come, so that no machine is too slow to make one in so little time. */
    @Test
    void waitsForRoomLongerThanForAConnection() throws Exception {
        var busy = Busy.holding();
        var hasty = new TransportTimeouts(SHORT, LONG, LONG, LONG);
        try (var provider = FaultyProvider.start(busy.script());
                var transport = JdkTransport.builder().maxConnections(1).build();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> first = callers.submit(() -> fetch(transport, post(provider)));
            await(() -> busy.now() == 1);
            var waiting = new AtomicReference<Thread>();
            Future<String> second = callers.submit(() -> {
                waiting.set(Thread.currentThread());
                return fetch(transport, call("POST", post(provider).uri(), PROMPT, hasty));
            });
            await(() -> waiting.get() != null && waiting.get().getState() == Thread.State.TIMED_WAITING);
            Thread.sleep(SHORT.multipliedBy(3));
            busy.letGo();
            assertThat(first.get()).contains("number 1");
            assertThat(second.get()).contains("number 2");
            assertThat(provider.connectionsOpened()).isEqualTo(1);
        }
    }

    @Test
    void anInterruptEndsTheWaitForRoom() throws Exception {
        var busy = Busy.holding();
        try (var provider = FaultyProvider.start(busy.script());
                var transport = JdkTransport.builder().maxConnections(1).build();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> first = callers.submit(() -> fetch(transport, post(provider)));
            await(() -> busy.now() == 1);
            var seen = new AtomicReference<Throwable>();
            Thread second = Thread.ofVirtual().start(() -> {
                try {
                    transport.send(post(provider)).close();
                } catch (Exception e) {
                    seen.set(e);
                }
            });
            await(() -> second.getState() == Thread.State.TIMED_WAITING);
            second.interrupt();
            second.join();
            assertThat(seen.get()).isInstanceOf(InterruptedException.class);
            busy.letGo();
            assertThat(first.get()).contains("number 1");
            assertThat(provider.requests()).hasSize(1);
        }
    }

    @Test
    void keepsAnOriginsLimitFromTheOthers() throws Exception {
        var busy = Busy.holding();
        try (var full = FaultyProvider.start(busy.script());
                var free = FaultyProvider.start();
                var transport = JdkTransport.builder().maxConnections(1).build();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> first = callers.submit(() -> fetch(transport, post(full)));
            await(() -> busy.now() == 1);
            assertThat(fetch(transport, post(free))).contains("chat.completion");
            busy.letGo();
            first.get();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", SlowNames.HERE})
    void freesTheConnectionOfEveryKindOfEnd(String host) throws Exception {
        Reply ok = Reply.completion("ok");
        List<Reply> ends = List.of(
                ok,
                ok.gzipped(),
                Reply.reset(),
                Reply.cut(),
                Reply.refused(),
                ok.resetAfter(5),
                ok.cutAfter(5),
                ok.hangAfter(5),
                ok.goAwayAfter(3),
                Reply.hang(),
                Reply.status(307),
                Reply.status(503).withBody(Bytes.of(new byte[1 << 20])),
                Reply.of(204, Headers.empty(), Bytes.empty()),
                Reply.garbage(Bytes.utf8("not HTTP\r\n\r\n")));
        try (var provider = FaultyProvider.start(FaultScript.answering(one -> ends.get(one.number() % ends.size())));
                var transport = JdkTransport.builder().maxConnections(1).build()) {
            for (int i = 0; i < 3 * ends.size(); i++) {
                try (var reply = transport.send(within(SHORT.multipliedBy(2), at(host, provider)))) {
                    assertThat(i % 2 == 0 ? text(reply) : "unread").isNotNull();
                } catch (TransportException e) {
                    assertThat(e.fault()).isNotEqualTo(Fault.POOL);
                }
            }
            await(() -> provider.connectionsOpen() <= 1);
        }
    }

    @Test
    void makesANewConnectionWhenTheOldOneIsOfAge() throws Exception {
        try (var provider = FaultyProvider.start();
                var transport = JdkTransport.builder()
                        .maxConnectionAge(Duration.ofMillis(1))
                        .build()) {
            for (int number = 1; number <= 3; number++) {
                fetch(transport, post(provider));
                assertThat(provider.connectionOf(number)).isEqualTo(number);
                Thread.sleep(2);
            }
            fetch(transport, post(provider));
            await(() -> provider.connectionsOpen() == 1);
        }
    }

    @Test
    void endsNoExchangeOnAConnectionThatIsOfAge() throws Exception {
        Reply stream = Reply.stream("one", "two", "three").inPieces(20).withPauses(Duration.ofMillis(2));
        try (var provider = FaultyProvider.start(FaultScript.of(stream));
                var transport = JdkTransport.builder()
                        .maxConnectionAge(Duration.ofMillis(1))
                        .build();
                var open = transport.send(post(provider))) {
            Thread.sleep(2);
            fetch(transport, post(provider));
            assertThat(text(open)).isEqualTo(stream.body().toUtf8());
        }
    }

    @Test
    void callsALossOnANewConnectionAmbiguousThoughAnOlderOneWasKept() throws Exception {
        try (var provider = FaultyProvider.start(FaultScript.of(Reply.completion("ok"), Reply.reset()));
                var transport = JdkTransport.builder()
                        .maxConnectionAge(Duration.ofMillis(1))
                        .build()) {
            fetch(transport, post(provider));
            Thread.sleep(2);
            assertThat(failure(transport, post(provider)).delivery()).isEqualTo(Delivery.AMBIGUOUS);
        }
    }

    @Test
    void callsAConnectionThatWasIdleTooLongProbablyUnsent() throws Exception {
        try (var provider = FaultyProvider.start(FaultScript.of(Reply.completion("ok"), Reply.refused()));
                var transport = new JdkTransport()) {
            fetch(transport, post(provider));
            TransportException stale = failure(transport, post(provider));
            assertThat(stale.fault()).isEqualTo(Fault.RESET);
            assertThat(stale.delivery()).isIn(Delivery.PROBABLY_UNSENT, Delivery.AMBIGUOUS);
            assertThat(provider.executions()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", SlowNames.HERE})
    void leavesNeitherThreadNorConnectionBehindHoweverItsCallsEnd(String host) throws Exception {
        try (var provider = FaultyProvider.start(FaultScript.of(
                Reply.completion("ok"),
                Reply.hang(),
                Reply.reset(),
                Reply.stream("a").hangAfter(9)))) {
            try (var transport = JdkTransport.builder()
                    .maxConnectionAge(Duration.ofMillis(1))
                    .build()) {
                for (int i = 0; i < 4; i++) {
                    try (var reply = transport.send(within(SHORT, at(host, provider)))) {
                        text(reply);
                    } catch (TransportException e) {
                        assertThat(e.fault()).isIn(Fault.TIMEOUT, Fault.RESET);
                    }
                    Thread.sleep(2);
                }
            }
            await(() -> provider.connectionsOpen() == 0);
        }
        await(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().matches("holdfast-http.*|HttpClient-.*")));
    }

    @Test
    void refusesSettingsThatMakeNoSense() {
        JdkTransport.Builder builder = JdkTransport.builder();
        assertThatThrownBy(() -> builder.connectTimeout(Duration.ZERO))
                .hasMessage("connectTimeout: PT0S (expected: > 0)");
        assertThatThrownBy(() -> builder.maxResponseBytes(0)).hasMessage("maxResponseBytes: 0 (expected: >= 1)");
        assertThatThrownBy(() -> builder.maxConnections(0)).hasMessage("maxConnections: 0 (expected: >= 1)");
        assertThatThrownBy(() -> builder.maxStreams(-1)).hasMessage("maxStreams: -1 (expected: >= 1)");
        assertThatThrownBy(() -> builder.maxConnectionAge(Duration.ofSeconds(-1)))
                .hasMessage("maxConnectionAge: PT-1S (expected: > 0)");
    }

    @Test
    void takesTimeoutsAndAgesOfAnyLength() throws Exception {
        Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
        try (var provider = FaultyProvider.start();
                var transport = JdkTransport.builder()
                        .connectTimeout(forever)
                        .maxConnectionAge(forever)
                        .build()) {
            assertThat(fetch(transport, postWithin(provider, forever))).contains("chat.completion");
        }
    }

    @Test
    void keepsTheSettingsOfWhatWasBuilt() {
        JdkTransport.Builder builder = JdkTransport.builder().maxConnections(2).maxStreams(3);
        try (var transport = builder.build()) {
            builder.maxConnections(7);
            assertThat(transport).hasToString("JdkTransport[maxConnections 2, maxStreams 3, maxConnectionAge PT10M]");
        }
    }

    @Test
    void followsARedirectWithoutASecondConnection() throws Exception {
        Reply moved = Reply.status(308).withHeader("Location", "/v1/chat/completions?again");
        try (var provider = FaultyProvider.start(FaultScript.of(moved));
                var transport = JdkTransport.builder().maxConnections(1).build()) {
            assertThat(fetch(transport, postWithin(provider, LONG))).contains("chat.completion");
            assertThat(provider.connectionsOpened()).isEqualTo(1);
        }
    }

    @Test
    void refusesARedirectThatLeadsNowhere() throws Exception {
        try (var provider = FaultyProvider.start(FaultScript.always(Reply.status(307)));
                var transport = new JdkTransport()) {
            TransportException refused = failure(transport, post(provider));
            assertThat(refused.fault()).isEqualTo(Fault.REDIRECT_REFUSED);
            assertThat(refused).hasMessageContaining("Location");
            assertThat(provider.requests()).hasSize(1);
            URI loop = provider.uri().resolve("/empty");
            assertThat(failure(transport, post(loop, PROMPT)).fault()).isEqualTo(Fault.REDIRECT_REFUSED);
        }
    }
}
