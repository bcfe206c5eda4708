package dev.holdfast.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Providers that fail after the first event: every client is told, soon, and none takes a part for the whole. */
class BrokenStreamTest {
    /** Less than any timeout, and more than the slowest machine needs to pass an error on. */
    private static final Duration SOON = Duration.ofSeconds(20);

    /** How a stream that has begun breaks off. */
    private enum Break {
        CUT(Broken::reply),
        RESET(Broken::reset),
        CUT_WITHIN_AN_EVENT(Broken::within),
        ERROR(Broken::told);

        private final Function<ProviderRequest, Reply> reply;

        Break(Function<ProviderRequest, Reply> reply) {
            this.reply = reply;
        }
    }

    static Stream<Arguments> clientsAndBreaks() {
        return Stream.of(Client.values())
                .flatMap(client -> Stream.of(Break.values()).map(how -> Arguments.of(client, how)));
    }

    @ParameterizedTest
    @MethodSource("clientsAndBreaks")
    void aStreamThatBreaksOffIsAnErrorForTheClientSoonAfter(Client client, Break how) {
        var broken = new AtomicLong();
        FaultScript script = FaultScript.answering(request -> {
            broken.set(System.nanoTime());
            return how.reply.apply(request);
        });
        try (FaultyProvider provider = FaultyProvider.start(script);
                Front front = Front.alone(provider, "", "");
                Talker talker = client.open(front.uri())) {
            assertThat(catchThrowable(() -> talker.stream("warm up")))
                    .as("the first, which takes the time to load classes")
                    .isNotNull();
            Throwable told = catchThrowable(() -> talker.stream("one two three"));
            Duration after = Duration.ofNanos(System.nanoTime() - broken.get());
            assertThat(told).as("what the client threw").isNotNull();
            assertThat(told.toString() + told.getCause())
                    .containsPattern("no answer \\((truncated|overloaded|connection)\\)");
            assertThat(after).isLessThan(SOON);
        }
    }

    @ParameterizedTest
    @MethodSource("clients")
    void aStreamThatFallsSilentIsAnErrorOnceItsTimeIsUp(Client client) {
        try (FaultyProvider provider = FaultyProvider.start(FaultScript.answering(Broken::silent));
                Front front = Front.alone(provider, "", "stream: {idle: 500ms}");
                Talker talker = client.open(front.uri())) {
            long began = System.nanoTime();
            Throwable told = catchThrowable(() -> talker.stream("one two three"));
            assertThat(told).isNotNull();
            assertThat(told.toString() + told.getCause()).contains("no answer (timeout)");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SOON);
        }
    }

    static Stream<Client> clients() {
        return Stream.of(Client.values());
    }
}
