package dev.holdfast.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.lab.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AgreementTest {
    private static final Duration LATE = Duration.ofMillis(1);

    /** A row, and how late sleepers were woken meanwhile. */
    private record Try(Agreement.Row row, Duration late) {
        boolean holds() {
            return row.holds();
        }

        boolean inTime() {
            return late.compareTo(LATE) < 0;
        }
    }

    /**
     * A machine that is busy with something else wakes everyone late, which makes real calls longer and never shorter, and may let some
     * fail at their deadline: each strategy has three tries, of which one has to agree, and only where sleepers were woken in time
     * meanwhile are longer calls or more failures a disagreement.
     */
    @Test
    @Tag("slow")
    void theSimulationAgreesWithRealSockets() throws InterruptedException {
        Map<Strategy, List<Try>> tries = new EnumMap<>(Strategy.class);
        var told = new StringBuilder();
        try (var lateness = new Lateness()) {
            for (int run = 0; run < 3 && (run == 0 || !hold(tries)); run++) {
                var late = new ArrayList<Duration>();
                lateness.mean();
                Agreement agreement =
                        Agreement.run(Profile.named("flaky"), 150, 1, 3, (runs, all) -> late.add(lateness.mean()));
                told.append(agreement.text())
                        .append("woken late by ")
                        .append(late)
                        .append('\n');
                for (int i = 0; i < late.size(); i++) {
                    Agreement.Row row = agreement.rows().get(i);
                    tries.computeIfAbsent(row.strategy(), each -> new ArrayList<>())
                            .add(new Try(row, late.get(i)));
                }
            }
        }
        assertThat(tries).hasSize(Strategy.values().length);
        tries.values().stream()
                .filter(each -> each.stream().noneMatch(Try::holds))
                .forEach(each -> assertThat(each)
                        .as(told.toString())
                        .noneMatch(Try::inTime)
                        .anyMatch(one -> one.row().successPoints() <= 0.3)
                        .anyMatch(one -> one.row().meanPercent() > -5));
        assumeThat(hold(tries))
                .as("this machine woke sleepers too late to tell:\n%s", told)
                .isTrue();
    }

    private static boolean hold(Map<Strategy, List<Try>> tries) {
        return tries.values().stream().allMatch(each -> each.stream().anyMatch(Try::holds));
    }

    /** Sleeps a millisecond again and again, and keeps how much longer that takes. */
    private static final class Lateness implements AutoCloseable {
        private final Thread sleeper = Thread.ofVirtual().unstarted(this::sleepOn);
        private double lateTimesLasted;
        private double lasted;

        Lateness() {
            sleeper.start();
        }

        private void sleepOn() {
            try {
                while (true) {
                    long start = System.nanoTime();
                    Thread.sleep(1);
                    add(System.nanoTime() - start);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private synchronized void add(double nanos) {
            lateTimesLasted += (nanos - 1_000_000) * nanos;
            lasted += nanos;
        }

        /** Since the last time it was asked, at any moment: one long sleep is met by as many calls as many short ones. */
        synchronized Duration mean() {
            Duration mean = Duration.ofNanos((long) (lateTimesLasted / Math.max(1, lasted)));
            lateTimesLasted = 0;
            lasted = 0;
            return mean;
        }

        @Override
        public void close() throws InterruptedException {
            sleeper.interrupt();
            sleeper.join();
        }
    }

    @Test
    void aSleepThatLastsLongCountsByItsLength() throws InterruptedException {
        try (var lateness = new Lateness()) {
            lateness.add(100e9);

            assertThat(lateness.mean()).isGreaterThan(Duration.ofSeconds(50));
            assertThat(lateness.mean()).isLessThan(Duration.ofSeconds(50));
        }
    }

    @Test
    void aRunOverRealSocketsAnswersTheCallsThatTheSimulationAnswers() throws InterruptedException {
        Profile flaky = Profile.named("flaky");
        Outcome simulated = StrategyRun.of(Strategy.NONE, 1, flaky.weather(1, 60), Slots.PROGRAM);
        Outcome real = RealRun.of(Strategy.NONE, 1, flaky.weather(1, 60), 10, Duration.ZERO);

        assertThat(real.successes()).isEqualTo(simulated.successes());
        assertThat(real.attempts()).isEqualTo(simulated.attempts()).isEqualTo(real.sends());
        assertThat(Cells.of(real, real).meanMs())
                .isGreaterThan(0.9 * Cells.of(simulated, simulated).meanMs());
    }

    @Test
    void aDifferenceBeyondFivePercentOrThreeTenthsOfAPointIsTold() {
        assertThat(row(104.9, 99.2).holds()).isTrue();
        assertThat(row(105.1, 99.5).holds()).isFalse();
        assertThat(row(100, 99.1).holds()).isFalse();
        Agreement agreement = agreement(Stream.of(Strategy.values())
                .map(each -> row(each == Strategy.FIXED ? 120 : 100, 99.5))
                .toList());

        assertThat(agreement.holds()).isFalse();
        assertThat(agreement.text()).contains("+20.0 %").containsOnlyOnce("DOES NOT AGREE");
    }

    @Test
    void whatIsComparedAreTheMeansOfTheRunsAndHowFarSimulationsLieApartIsTold() {
        var row = new Agreement.Row(
                Strategy.DEFAULTS,
                List.of(cells(95, 99.5), cells(105, 99.5)),
                List.of(cells(90, 99), cells(110, 99.4), cells(112, 99.8)));

        assertThat(row.meanPercent()).isCloseTo(4, within(1e-9));
        assertThat(row.successPoints()).isCloseTo(-0.1, within(1e-9));
        assertThat(row.spreadPercent()).isCloseTo(7.07, within(0.01));
        assertThat(row.holds()).isTrue();
        assertThat(agreement(List.of(row)).text()).contains("7.1 %", "+4.0 %", "-0.10");
    }

    /** By no more than was said, the same for the same chance, and without another outcome of a call that makes one attempt. */
    @Test
    void answersThatComeALittleEarlierOrLaterAreSimulated() throws InterruptedException {
        Profile profile = Profile.named("published");
        Duration most = Duration.ofMillis(20);
        Outcome exact = StrategyRun.asOverSockets(Strategy.NONE, 1, profile.weather(1, 300));
        Outcome rough =
                StrategyRun.asOverSockets(Strategy.NONE, 1, profile.weather(1, 300), most, new SplittableRandom(7));
        Outcome again =
                StrategyRun.asOverSockets(Strategy.NONE, 1, profile.weather(1, 300), most, new SplittableRandom(7));

        double mean = Cells.of(exact, exact).meanMs();
        assertThat(Cells.of(rough, rough)).isEqualTo(Cells.of(again, again));
        assertThat(Cells.of(rough, rough).meanMs()).isNotEqualTo(mean).isCloseTo(mean, within(20.0));
        assertThat(rough.successes()).isEqualTo(exact.successes());
    }

    @Test
    void whatWasStoppedDoesNotAgree() {
        Agreement agreement = agreement(List.of(row(100, 99.5)));

        assertThat(agreement.holds()).isFalse();
        assertThat(agreement.text()).contains("stopped before all strategies were run");
    }

    private static Agreement agreement(List<Agreement.Row> rows) {
        return new Agreement(Profile.named("published"), 100, 1, 20, Duration.ofMillis(1), rows);
    }

    private static Agreement.Row row(double realMean, double realSuccess) {
        return new Agreement.Row(Strategy.NONE, List.of(cells(100, 99.5)), List.of(cells(realMean, realSuccess)));
    }

    private static Cells cells(double mean, double success) {
        return new Cells(mean, 0, 0, 0, 0, success, 0);
    }
}
