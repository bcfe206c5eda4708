package dev.holdfast.comparisons;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DuelTest {
    @ParameterizedTest
    @EnumSource(ClientContender.class)
    void everyContenderReadsTheSameAnswer(ClientContender contender) throws Exception {
        try (var server = FixedServer.start(ClientContender.BODY);
                Caller caller = contender.open(server)) {
            assertThat(caller.ask()).isEqualTo(ClientContender.ANSWER);
            assertThat(caller.ask()).isEqualTo(ClientContender.ANSWER);
        }
    }

    @Test
    void aDuelHasALineForEachAndTheBareClientIsItsOwnMeasure() throws Exception {
        assertThat(new Duel(2, 2, 4, ClientContender.values()).run(3).lines())
                .hasSize(ClientContender.values().length + 1)
                .anyMatch(line -> line.startsWith("BARE") && line.contains("1.000 [1.000, 1.000]"))
                .anyMatch(line -> line.startsWith("HOLDFAST"));
    }

    @Test
    void overTlsHoldfastIsMeasuredByTheBareClientOverTls() throws Exception {
        Duel duel = new Duel(1, 2, 2, ClientContender.BARE_OVER_TLS, ClientContender.HOLDFAST_OVER_TLS).run(3);
        assertThat(duel.lines()).anyMatch(line -> line.startsWith("HOLDFAST_OVER_TLS"));
        assertThat(duel.verdict(1_000)).contains("of BARE_OVER_TLS", "p50 yes");
    }

    @Test
    void aContenderBesideItselfHasTwoLines() throws Exception {
        Duel duel = new Duel(1, 2, 2, ClientContender.BARE, ClientContender.BARE).run(3);
        assertThat(duel.lines()).hasSize(3).anyMatch(line -> line.startsWith("BARE again"));
        assertThat(duel.verdict(1_000)).contains("BARE again", "p50 yes");
    }

    @Test
    void quartilesAreTakenFromTheValues() {
        assertThat(Quartiles.of(new double[] {5, 1, 4, 2, 3})).isEqualTo(new Quartiles(2, 3, 4, 1, 5));
        assertThat(Quartiles.of(new double[] {7})).isEqualTo(new Quartiles(7, 7, 7, 7, 7));
    }

    /** A clock that ticks every tenth turn tells nothing of one turn and the right thing of many. */
    @Test
    void aCoarseClockIsReadOverManyTurns() {
        double[] ticks = new double[100];
        double[] twice = new double[100];
        for (int i = 0; i < 100; i++) {
            ticks[i] = i % 10 == 9 ? 500 : 0;
            twice[i] = i % 5 == 4 ? 500 : 0;
        }
        assertThat(Quartiles.ofRatios(twice, ticks)).hasToString("too short to tell");
        assertThat(Quartiles.ofRatios(Duel.means(twice, 10), Duel.means(ticks, 10)))
                .hasToString("2.000 [2.000, 2.000]");
        assertThat(Duel.means(new double[] {1, 2, 3}, 10)).containsExactly(1, 2, 3);
        assertThat(Duel.means(new double[] {1, 3, 5}, 2)).containsExactly(1, 4);
    }

    @Property
    void theIntervalHoldsTheMiddleNineteenTimesOfTwenty(@ForAll Random random) {
        int held = 0;
        for (int trial = 0; trial < 400; trial++) {
            Quartiles found = Quartiles.of(random.doubles(101).map(Math::exp).toArray());
            held += found.from() <= Math.exp(0.5) && Math.exp(0.5) <= found.to() ? 1 : 0;
        }
        assertThat(held).isBetween(355, 400);
    }

    @Test
    void anIntervalThatHoldsTheBoundDecidesNothing() {
        Quartiles found = new Quartiles(1, 1.02, 1.04, 1.01, 1.03);
        assertThat(found.atMost(1.03)).isEqualTo("yes");
        assertThat(found.atMost(1.02)).isEqualTo("not decided");
        assertThat(found.atMost(1.00)).isEqualTo("no");
        assertThat(found.atLeast(1.01)).isEqualTo("yes");
        assertThat(found.atLeast(1.02)).isEqualTo("not decided");
        assertThat(found.atLeast(1.04)).isEqualTo("no");
    }
}
