package dev.holdfast.tests.transport;

import static dev.holdfast.tests.transport.Exchanging.LONG;
import static dev.holdfast.tests.transport.Exchanging.PROMPT;
import static dev.holdfast.tests.transport.Exchanging.await;
import static dev.holdfast.tests.transport.Exchanging.failure;
import static dev.holdfast.tests.transport.Exchanging.fetch;
import static dev.holdfast.tests.transport.Exchanging.post;
import static dev.holdfast.tests.transport.Exchanging.readFailure;
import static dev.holdfast.tests.transport.Exchanging.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Bytes;
import dev.holdfast.Delivery;
import dev.holdfast.Headers;
import dev.holdfast.HttpVersion;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class JdkTransportMultiplexedTest {
    private static FaultyProvider provider(FaultScript script, int maxStreams) {
        return FaultyProvider.builder(script).secure().maxStreams(maxStreams).start();
    }

    private static JdkTransport.Builder trusting(FaultyProvider provider) {
        return JdkTransport.builder().sslContext(provider.sslContext());
    }

    private static TransportCall two(FaultyProvider provider) {
        return two(provider, TransportTimeouts.total(LONG));
    }

    private static TransportCall two(FaultyProvider provider, TransportTimeouts timeouts) {
        return new TransportCall(
                "POST",
                URI.create(provider.baseUrl() + "/chat/completions"),
                Headers.of("Content-Type", "application/json"),
                Bytes.utf8(PROMPT),
                HttpVersion.HTTP_2,
                timeouts);
    }

    private static void fetchAtOnce(JdkTransport transport, FaultyProvider provider, int calls) throws Exception {
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<String>>();
            for (int i = 0; i < calls; i++) {
                answers.add(callers.submit(() -> fetch(transport, two(provider))));
            }
            for (Future<String> answer : answers) {
                assertThat(answer.get()).contains("chat.completion");
            }
        }
    }

    @Test
    void speaksTheVersionThatEachCallAsksFor() throws Exception {
        try (var provider = provider(FaultScript.healthy(), 100);
                var transport = trusting(provider).build()) {
            fetch(transport, two(provider));
            fetch(transport, post(provider));
            assertThat(provider.versionOf(1)).isEqualTo(HttpVersion.HTTP_2);
            assertThat(provider.versionOf(2)).isEqualTo(HttpVersion.HTTP_1_1);
        }
    }

    @Test
    @Tag("concurrency")
    void carriesHundredsOfCallsAtOnceOverOneConnection() throws Exception {
        try (var provider = provider(Busy.passing().script(), 100);
                var transport = trusting(provider).build()) {
            fetchAtOnce(transport, provider, 500);
            assertThat(provider.executions()).isEqualTo(500);
            assertThat(provider.connectionsOpened()).isEqualTo(1);
            assertThat(provider.streamsReset()).isZero();
        }
    }

    @Test
    @Tag("concurrency")
    void keepsToALimitOfStreamsThatItHasToLearn() throws Exception {
        for (int limit : List.of(1, 3)) {
            var busy = Busy.passing();
            try (var provider = provider(busy.script(), limit);
                    var transport = trusting(provider).build()) {
                fetchAtOnce(transport, provider, 60);
                fetchAtOnce(transport, provider, 60);
                assertThat(provider.executions()).isEqualTo(120);
                assertThat(provider.requests()).hasSize(120);
                assertThat(busy.most()).isLessThanOrEqualTo(limit);
                assertThat(provider.connectionsOpened()).isEqualTo(1);
            }
        }
    }

    @Test
    @Tag("concurrency")
    void keepsToALimitOfItsOwn() throws Exception {
        var busy = Busy.passing();
        try (var provider = provider(busy.script(), 100);
                var transport = trusting(provider).maxStreams(2).build()) {
            fetchAtOnce(transport, provider, 40);
            assertThat(busy.most()).isLessThanOrEqualTo(2);
            assertThat(provider.streamsRefused()).isZero();
        }
    }

    @Test
    void failsAsNeverSentIfNoStreamBecomesFreeInTime() throws Exception {
        var busy = Busy.holding();
        try (var provider = provider(busy.script(), 100);
                var transport = trusting(provider).maxStreams(1).build();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> first = callers.submit(() -> fetch(transport, two(provider)));
            await(() -> busy.now() == 1);
            TransportException full =
                    failure(transport, two(provider, TransportTimeouts.total(Duration.ofMillis(100))));
            assertThat(full.fault()).isEqualTo(Fault.POOL);
            assertThat(full.delivery()).isEqualTo(Delivery.NEVER_SENT);
            assertThat(provider.requests()).hasSize(1);
            busy.letGo();
            assertThat(first.get()).contains("number 1");
            assertThat(fetch(transport, two(provider))).contains("number 2");
        }
    }

    @Test
    void sendsAgainWhatAServerThatGoesAwayDidNotTake() throws Exception {
        Reply away = Reply.completion("never sent").goAwayAfter(-1);
        try (var provider = provider(FaultScript.of(Reply.completion("first"), away), 100);
                var transport = trusting(provider).build()) {
            fetch(transport, two(provider));
            assertThat(fetch(transport, two(provider))).contains("chat.completion");
            assertThat(provider.executions()).isEqualTo(2);
            assertThat(provider.requests()).hasSize(3);
            assertThat(provider.connectionsOpened()).isEqualTo(2);
        }
    }

    @Test
    void saysThatAServerWhichTakesNothingWasSentNothing() throws Exception {
        try (var provider = provider(FaultScript.always(Reply.refused()), 100);
                var transport = trusting(provider).build()) {
            TransportException refused = failure(transport, two(provider));
            assertThat(refused.fault()).isEqualTo(Fault.RESET);
            assertThat(refused.delivery()).isEqualTo(Delivery.NEVER_SENT);
            assertThat(provider.executions()).isZero();
            assertThat(provider.requests()).hasSizeLessThanOrEqualTo(2);
        }
    }

    @Test
    void callsAResetOfItsStreamAmbiguousHoweverSoonItComes() throws Exception {
        try (var provider = provider(FaultScript.of(Reply.completion("ok"), Reply.reset()), 100);
                var transport = trusting(provider).build()) {
            fetch(transport, two(provider));
            TransportException reset = failure(transport, two(provider));
            assertThat(reset.fault()).isEqualTo(Fault.RESET);
            assertThat(reset.delivery()).isEqualTo(Delivery.AMBIGUOUS);
            assertThat(provider.requests()).hasSize(2);
            assertThat(fetch(transport, two(provider))).contains("chat.completion");
            assertThat(provider.connectionsOpened()).isEqualTo(1);
        }
    }

    @Test
    void tellsAResetWithinABody() throws Exception {
        Reply half = Reply.completion("half of this").resetAfter(10);
        try (var provider = provider(FaultScript.of(half), 100);
                var transport = trusting(provider).build();
                var reply = transport.send(two(provider))) {
            assertThat(readFailure(reply).fault()).isEqualTo(Fault.RESET);
            assertThat(provider.connectionsOpen()).isEqualTo(1);
        }
    }

    @Test
    void tellsABodyThatIsNotAsLongAsItsHeadPromises() throws Exception {
        Reply answer = Reply.completion("a body");
        try (var provider =
                        provider(FaultScript.of(answer.withContentLength(5_000), answer.withContentLength(5)), 100);
                var transport = trusting(provider).build()) {
            try (var shorter = transport.send(two(provider))) {
                assertThat(readFailure(shorter).fault()).isEqualTo(Fault.CUT);
            }
            try (var longer = transport.send(two(provider))) {
                assertThat(readFailure(longer).fault()).isEqualTo(Fault.PROTOCOL);
            }
        }
    }

    @Test
    void resetsOnlyTheStreamThatIsClosed() throws Exception {
        Reply stream = Reply.stream("a", "b").hangAfter(20);
        Reply slow = Reply.completion("slow").withDelay(Duration.ofMillis(200));
        try (var provider = provider(FaultScript.of(stream, slow), 100);
                var transport = trusting(provider).build();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var open = transport.send(two(provider));
            Future<String> other = callers.submit(() -> fetch(transport, two(provider)));
            await(() -> provider.requests().size() == 2);
            open.close();
            await(() -> provider.streamsReset() == 1);
            assertThat(other.get()).contains("chat.completion");
            assertThat(provider.connectionsOpened()).isEqualTo(1);
        }
    }

    @Test
    void freesTheStreamOfEveryKindOfEnd() throws Exception {
        Reply ok = Reply.completion("ok");
        List<Reply> ends = List.of(
                ok,
                Reply.reset(),
                ok.resetAfter(5),
                Reply.refused(),
                ok.goAwayAfter(-1),
                ok.goAwayAfter(3),
                ok.cutAfter(5),
                ok.hangAfter(5),
                Reply.hang(),
                Reply.garbage(Bytes.utf8("no frames at all, but more bytes than a head has")));
        try (var provider = provider(FaultScript.answering(one -> ends.get(one.number() % ends.size())), 100);
                var transport = trusting(provider).maxStreams(1).build()) {
            for (int i = 0; i < 3 * ends.size(); i++) {
                try (var reply = transport.send(two(provider, TransportTimeouts.total(Duration.ofMillis(150))))) {
                    assertThat(text(reply)).contains("chat.completion");
                } catch (TransportException e) {
                    assertThat(e.fault()).isNotEqualTo(Fault.POOL);
                }
            }
        }
    }
}
