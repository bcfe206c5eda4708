package dev.holdfast.tests.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The tables of {@code docs/contracts.md} are what a run of the contracts gives, with these versions of the libraries: run with
 * {@code -Dholdfast.contracts.write=true}, and the page is written anew.
 */
@Tag("slow")
class ContractTableTest {
    private static final String OURS = "dev.holdfast.tests.contract.";
    private static final Path PAGE = root().resolve("docs/contracts.md");

    /** Whoever waits waits on the machine's clock. */
    private static final String[] WAITING = {
        "servesFirstComeFirstServed", "anInterruptedWaiterConsumesNothingAndLetsTheNextOn"
    };

    /** Where a permit is a thread, a busy machine takes longer over thousands of them than the breaker is open. */
    private static final String[] MANY_THREADS = {"losesNoFailureOfManyThreads", "losesNoSampleOfManyThreads"};

    /** How many attempts fit before a deadline depends on how late the machine wakes a sleeper. */
    private static final String DEADLINE = "startsNoAttemptAtOrAfterTheDeadline";

    /** The test also asks for the time that a sliding window has, which is not what these promise. */
    private static final String SLIDING = "refusesAtOnceWhatWouldTakeTooLongOrCanNeverBe";

    private static Trial trial;

    static List<ContractTable> tables() {
        return List.of(
                new ContractTable("retry")
                        .with("Holdfast", OURS + "RetryContractTest$OnGivenTime")
                        .with("Resilience4j", RetryPeers.Resilience4j.class)
                        .with("Failsafe", RetryPeers.FailsafeRetry.class)
                        .with("Helidon", RetryPeers.Helidon.class)
                        .with("SmallRye", RetryPeers.SmallRye.class)
                        .withoutAsking("Failsafe", DEADLINE)
                        .withoutAsking("Helidon", DEADLINE)
                        .withoutAsking("SmallRye", DEADLINE, "failsAtOnceWhenTheNextWaitWouldPassTheDeadline"),
                new ContractTable("breaker")
                        .with("Holdfast", OURS + "CircuitBreakerContractTest")
                        .with("Resilience4j", BreakerPeers.Resilience4j.class)
                        .with("Failsafe", BreakerPeers.FailsafeBreaker.class)
                        .with("Helidon", BreakerPeers.Helidon.class)
                        .with("SmallRye", BreakerPeers.SmallRye.class)
                        .withoutAsking(
                                "Helidon",
                                "hasNoMoreProbesOutstandingThanItMay",
                                "aProbeThatEndedMakesRoomForAnother",
                                "aLateEndOfAnyKindFreesNoSlotOfAProbe",
                                "aListenerThatThrowsChangesNothing")
                        .withoutAsking("Helidon", MANY_THREADS)
                        .withoutAsking("SmallRye", MANY_THREADS),
                new ContractTable("limiter")
                        .with("Holdfast", OURS + "RateLimiterContractTest")
                        .with("Resilience4j", LimiterPeers.Resilience4j.class)
                        .with("Failsafe", LimiterPeers.Failsafe.class)
                        .with("bucket4j", LimiterPeers.Bucket4j.class)
                        .withoutAsking("Resilience4j", WAITING)
                        .withoutAsking("bucket4j", WAITING)
                        .withoutAsking("Failsafe", WAITING)
                        .withoutAsking("Resilience4j", SLIDING, "settlesToWhatWasUsed")
                        .withoutAsking("bucket4j", SLIDING)
                        .withoutAsking("Failsafe", SLIDING, "settlesToWhatWasUsed")
                        .withoutAsking(
                                "Failsafe",
                                "grantsNoMoreThanTheLimitInAnyMinute",
                                "aRefusalSaysExactlyWhenTheRequestIsGranted",
                                "aClockThatGoesBackMintsNothing"));
    }

    @BeforeAll
    static void tryAll() {
        trial = run(tables());
    }

    private static Trial run(List<ContractTable> tables) {
        List<String> classes = new ArrayList<>();
        Set<String> unasked = new HashSet<>();
        tables.forEach(table -> {
            table.classes().forEach(classes::add);
            unasked.addAll(table.unasked());
        });
        return Trial.of(classes, unasked);
    }

    /** The others run on the machine's time, where a pause at the wrong moment breaks a promise: a difference has to last. */
    @ParameterizedTest
    @MethodSource("tables")
    void thePageSaysWhatARunGives(ContractTable table) throws IOException {
        if (Boolean.getBoolean("holdfast.contracts.write")) {
            write(table, table.lines(trial));
        }
        List<String> page = section(table);
        Trial last = trial;
        for (int again = 0; again < 3 && !page.equals(table.lines(last)); again++) {
            last = run(List.of(table));
        }
        assertThat(page).as(explained(table, last)).isEqualTo(table.lines(last));
    }

    @ParameterizedTest
    @MethodSource("tables")
    void oursKeepsAllOfIt(ContractTable table) {
        assertThat(trial.of(table.classes().iterator().next()))
                .isNotEmpty()
                .allSatisfy(
                        (promise, outcome) -> assertThat(outcome).as(promise).isNotEqualTo(Outcome.BROKEN));
    }

    private static String explained(ContractTable table, Trial trial) {
        var text = new StringBuilder("table " + table.name() + " of " + PAGE + "; what was not kept:\n");
        for (String each : table.classes()) {
            trial.of(each).forEach((promise, outcome) -> {
                if (outcome != Outcome.KEPT) {
                    String why = trial.reason(each, promise);
                    text.append(each)
                            .append('.')
                            .append(promise)
                            .append(": ")
                            .append(why.lines().limit(6).toList())
                            .append('\n');
                }
            });
        }
        return text.toString();
    }

    private static List<String> section(ContractTable table) throws IOException {
        List<String> page = Files.readAllLines(PAGE);
        int begin = page.indexOf(begin(table));
        int end = page.indexOf(end(table));
        assertThat(begin).as(begin(table)).isNotNegative();
        return page.subList(begin + 1, end);
    }

    private static void write(ContractTable table, List<String> lines) throws IOException {
        List<String> page = new ArrayList<>(Files.readAllLines(PAGE));
        int begin = page.indexOf(begin(table));
        page.subList(begin + 1, page.indexOf(end(table))).clear();
        page.addAll(begin + 1, lines);
        Files.write(PAGE, page);
    }

    private static String begin(ContractTable table) {
        return "<!-- begin " + table.name() + " -->";
    }

    private static String end(ContractTable table) {
        return "<!-- end " + table.name() + " -->";
    }

    private static Path root() {
        Path here = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
        while (!Files.isDirectory(here.resolve("resilience-api"))) {
            here = here.getParent();
        }
        return here;
    }
}
