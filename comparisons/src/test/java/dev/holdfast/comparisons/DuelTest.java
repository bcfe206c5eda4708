package dev.holdfast.comparisons;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DuelTest {
    @ParameterizedTest
    @EnumSource(ClientContender.class)
    void everyContenderReadsTheSameAnswer(ClientContender contender) throws Exception {
        try (var server = FixedServer.start(ClientContender.BODY);
                Caller caller = contender.open(server.baseUrl())) {
            assertThat(caller.ask()).isEqualTo(ClientContender.ANSWER);
            assertThat(caller.ask()).isEqualTo(ClientContender.ANSWER);
        }
    }

    @Test
    void aDuelHasALineForEachAndTheBareClientIsItsOwnMeasure() throws Exception {
        assertThat(new Duel(2, 2, 4).run(3).lines())
                .hasSize(ClientContender.values().length + 1)
                .anyMatch(line -> line.startsWith("BARE") && line.contains("1.000 (1.000 to 1.000)"))
                .anyMatch(line -> line.startsWith("HOLDFAST"));
    }

    @Test
    void quartilesAreTakenFromTheValues() {
        assertThat(Quartiles.of(new double[] {5, 1, 4, 2, 3})).isEqualTo(new Quartiles(2, 3, 4));
        assertThat(Quartiles.of(new double[] {7})).isEqualTo(new Quartiles(7, 7, 7));
    }
}
