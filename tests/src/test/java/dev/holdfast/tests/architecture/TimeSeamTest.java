package dev.holdfast.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.lang.ArchRule;
import dev.holdfast.tests.architecture.offenders.BreaksChance;
import dev.holdfast.tests.architecture.offenders.BreaksTime;
import dev.holdfast.tests.architecture.offenders.LeavesCaffeineAlone;
import dev.holdfast.tests.architecture.offenders.Obeys;
import dev.holdfast.tests.architecture.offenders.Synchronizes;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TimeSeamTest {
    private static final String OFFENDERS = "dev.holdfast.tests.architecture.offenders..";

    @Test
    void waitsThreadsAndClocksGoThroughTheTimekeeper() {
        TimeSeam.keptBy(TimeSeam.PACKAGES).check(Production.classes());
    }

    @ParameterizedTest
    @MethodSource
    void everyWayAroundTheTimekeeperIsCaught(Class<?> offender) {
        assertThat(breaks(TimeSeam.keptBy(OFFENDERS), offender)).isTrue();
    }

    static Stream<Class<?>> everyWayAroundTheTimekeeperIsCaught() {
        return Stream.of(BreaksTime.class.getDeclaredClasses());
    }

    @Test
    void randomNumbersComeFromTheGeneratorPassedIn() {
        TimeSeam.randomKeptBy(TimeSeam.NAME_A_DEFAULT_RANDOM, TimeSeam.PACKAGES).check(Production.classes());
    }

    @ParameterizedTest
    @MethodSource
    void everyWayAroundTheGeneratorIsCaught(Class<?> offender) {
        assertThat(breaks(TimeSeam.randomKeptBy(Set.of(), OFFENDERS), offender)).isTrue();
    }

    static Stream<Class<?>> everyWayAroundTheGeneratorIsCaught() {
        return Stream.of(BreaksChance.class.getDeclaredClasses());
    }

    @Test
    void nothingIsSynchronized() {
        TimeSeam.unsynchronized(TimeSeam.PACKAGES).check(Production.classes());
    }

    @Test
    void aSynchronizedMethodIsCaught() {
        assertThat(breaks(TimeSeam.unsynchronized(OFFENDERS), Synchronizes.class))
                .isTrue();
    }

    @Test
    void cachesRunOnOurTime() {
        TimeSeam.cachesOnOurTime(TimeSeam.PACKAGES).check(Production.classes());
    }

    @Test
    void aCacheOnItsOwnTimeIsCaught() {
        var rule = TimeSeam.cachesOnOurTime(OFFENDERS);

        for (Class<?> candidate : LeavesCaffeineAlone.class.getDeclaredClasses()) {
            assertThat(breaks(rule, candidate))
                    .as(candidate.getSimpleName())
                    .isEqualTo(candidate != LeavesCaffeineAlone.WithNothing.class);
        }
    }

    @Test
    void whoObeysIsNotCaught() {
        assertThat(breaks(TimeSeam.keptBy(OFFENDERS), Obeys.class)).isFalse();
        assertThat(breaks(TimeSeam.randomKeptBy(Set.of(), OFFENDERS), Obeys.class))
                .isFalse();
        assertThat(breaks(TimeSeam.unsynchronized(OFFENDERS), Obeys.class)).isFalse();
    }

    private static boolean breaks(ArchRule rule, Class<?> candidate) {
        return rule.evaluate(Production.only(candidate)).hasViolation();
    }
}
