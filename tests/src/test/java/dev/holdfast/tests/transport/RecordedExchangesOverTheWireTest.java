package dev.holdfast.tests.transport;

import static dev.holdfast.tests.transport.Exchanging.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.HttpVersion;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.RecordedExchange;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Framing;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.spi.TransportTimeouts;
import dev.holdfast.transport.JdkTransport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What others recorded with real providers, sent through sockets and the transport; skipped where it is not at hand. */
@Timeout(300)
class RecordedExchangesOverTheWireTest {
    private static final Set<String> OF_CARRIAGE =
            Set.of("connection", "transfer-encoding", "content-length", "content-encoding", "keep-alive", "date");
    private static final List<RecordedExchange> ALL = new ArrayList<>();

    @BeforeAll
    static void readAll() throws IOException {
        Path folder = Path.of(System.getProperty("holdfast.shared", "../../shared"), "data", "exchanges");
        assumeTrue(Files.isDirectory(folder), "recorded exchanges at ../shared/data/exchanges from the project's root");
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                ALL.addAll(RecordedExchange.read(file));
            }
        }
    }

    private static TransportCall call(FaultyProvider provider, RecordedExchange one, HttpVersion version) {
        String query = one.uri().getRawQuery();
        URI uri = provider.uri().resolve(one.uri().getRawPath() + (query == null ? "" : "?" + query));
        return new TransportCall(
                one.method(), uri, one.requestHeaders(), one.requestBody(), version, TransportTimeouts.total(LONG));
    }

    private static FaultyProvider start(FaultScript script, HttpVersion version) {
        FaultyProvider.Builder builder = FaultyProvider.builder(script);
        return version == HttpVersion.HTTP_2 ? builder.secure().start() : builder.start();
    }

    private static JdkTransport transport(FaultyProvider provider, HttpVersion version) {
        return version == HttpVersion.HTTP_2
                ? JdkTransport.builder().sslContext(provider.sslContext()).build()
                : new JdkTransport();
    }

    @Test
    void arriveByteForByte() throws Exception {
        for (HttpVersion version : HttpVersion.values()) {
            try (var provider = start(
                            FaultScript.answering(
                                    one -> ALL.get(one.number() - 1).reply()),
                            version);
                    var transport = transport(provider, version)) {
                for (RecordedExchange one : ALL) {
                    try (var reply = transport.send(call(provider, one, version))) {
                        assertThat(reply.status()).as(one.toString()).isEqualTo(one.status());
                        assertThat(fields(reply)).as(one.toString()).isEqualTo(fields(one));
                        assertThat(Bytes.of(reply.body().readAllBytes()))
                                .as(one.toString())
                                .isEqualTo(one.body());
                    }
                }
                assertThat(provider.requests()).hasSize(ALL.size());
                assertThat(provider.connectionsOpened()).isEqualTo(1);
                for (int i = 0; i < ALL.size(); i++) {
                    assertThat(provider.requests().get(i).body())
                            .isEqualTo(ALL.get(i).requestBody());
                }
            }
        }
        assertThat(ALL).hasSizeGreaterThanOrEqualTo(276);
    }

    /** Names in lower case and sorted, since the JDK hands them over so; what tells of the carriage is the carrier's. */
    private static List<String> fields(TransportReply reply) {
        return fields(reply.headers().fields());
    }

    private static List<String> fields(RecordedExchange one) {
        return fields(one.headers().fields());
    }

    private static List<String> fields(List<Map.Entry<String, String>> fields) {
        return fields.stream()
                .filter(field -> !OF_CARRIAGE.contains(field.getKey().toLowerCase(Locale.ROOT)))
                .map(field -> field.getKey().toLowerCase(Locale.ROOT) + ": "
                        + field.getValue().strip())
                .sorted()
                .toList();
    }

    @Test
    void areFoundByTheirRequests() throws Exception {
        try (var provider = FaultyProvider.start(FaultScript.recorded(ALL));
                var transport = new JdkTransport()) {
            for (RecordedExchange one : ALL) {
                try (var reply = transport.send(call(provider, one, HttpVersion.HTTP_1_1))) {
                    assertThat(reply.status()).as(one.toString()).isNotEqualTo(404 - (one.status() == 404 ? 1 : 0));
                }
            }
        }
    }

    /** Of every provider the shortest stream, at every byte; what HTTP can know it reports, and nothing is made up. */
    @Test
    @Tag("slow")
    void reportACutWhereHttpCanKnowIt() throws Exception {
        for (RecordedExchange one : shortestStreams()) {
            for (Framing framing : List.of(Framing.CHUNKED, Framing.CONTENT_LENGTH, Framing.UNTIL_CLOSE)) {
                Reply carried = Reply.of(one.status(), Headers.of("Content-Type", "text/event-stream"), one.body())
                        .withFraming(framing);
                try (var provider = FaultyProvider.start(
                                FaultScript.answering(request -> carried.cutAfter(request.number() - 1)));
                        var transport = new JdkTransport()) {
                    for (int at = 0; at < one.body().size(); at++) {
                        cutAt(transport, call(provider, one, HttpVersion.HTTP_1_1), one, framing, at);
                    }
                }
            }
        }
    }

    private static void cutAt(JdkTransport transport, TransportCall call, RecordedExchange one, Framing framing, int at)
            throws Exception {
        var read = new ByteArrayOutputStream();
        Fault fault = null;
        try (var reply = transport.send(call)) {
            reply.body().transferTo(read);
        } catch (TransportException e) {
            fault = e.fault();
        }
        byte[] prefix = Arrays.copyOf(one.body().toByteArray(), read.size());
        assertThat(read.toByteArray()).isEqualTo(prefix);
        if (framing == Framing.UNTIL_CLOSE) {
            assertThat(fault).isNull();
            assertThat(read.size()).isEqualTo(at);
        } else {
            assertThat(fault).as("%s %s at %d", one, framing, at).isEqualTo(Fault.CUT);
            assertThat(read.size()).isLessThanOrEqualTo(at);
        }
    }

    private static List<RecordedExchange> shortestStreams() {
        var shortest = new TreeMap<String, RecordedExchange>();
        for (RecordedExchange one : ALL) {
            if (one.isStream() && one.body().size() > 0) {
                shortest.merge(
                        one.provider(),
                        one,
                        (a, b) -> a.body().size() <= b.body().size() ? a : b);
            }
        }
        List<RecordedExchange> all = List.copyOf(shortest.values());
        assertThat(all).hasSizeGreaterThan(3);
        return all.stream().filter(one -> one.body().size() < 3_000).toList();
    }
}
