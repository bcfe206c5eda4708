package dev.holdfast.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that know nothing of Holdfast, before providers of which each fails three times in ten before its first event. */
class StormTest {
    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void aClientAsItIsComesThroughAStorm(Client client) throws InterruptedException {
        try (Front front = Front.inAStorm(7);
                Talker talker = client.open(front.uri())) {
            Tally tally = Tally.of(talker, 1_000);
            assertThat(tally.succeeded()).as(tally.toString()).isGreaterThanOrEqualTo(999);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFewCallsOfAClientAsItIsComeThroughAStorm(Client client) throws InterruptedException {
        try (Front front = Front.inAStorm(11);
                Talker talker = client.open(front.uri())) {
            Tally tally = Tally.of(talker, 30);
            assertThat(tally.failures()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void withoutTheGatewayTheSameClientLosesCalls(Client client) throws InterruptedException {
        try (FaultyProvider provider =
                        FaultyProvider.start(FaultScript.answering(request -> Weather.storm(request, 7)));
                Talker talker = client.open(provider.uri())) {
            Tally tally = Tally.of(talker, 100);
            assertThat(tally.succeeded()).as(tally.toString()).isBetween(30, 90);
        }
    }
}
