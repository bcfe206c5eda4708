package dev.holdfast.comparisons;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;

/**
 * Whole calls beside the bare JDK client, openai-java and LangChain4j, in turns, with 1 caller and with 64. Before them the bare
 * client beside itself, which shows what the method can tell on this machine, and Holdfast beside it in turns that are shorter still: to
 * an address, by name, and by name over TLS beside the bare client over TLS. The callers are platform threads.
 */
final class CallCompare {
    /** So many are taken for the record. */
    static final int ROUNDS = 80;

    /** So many are enough for a look. */
    static final int FEW_ROUNDS = 20;

    /** Until the last compiler is done with the longest way; fewer count against whoever has it. */
    private static final int WARM_UP_CALLS = 30_000;
    /** For those who have had their turns in this process: their new connections are all that is cold. */
    private static final int WARM_UP_AGAIN = 3_000;
    /** Pairs take short turns, and so many more of them. */
    private static final int MORE = 5;

    private static final double GOAL = 0.03;
    private static final List<Pair> PAIRS = List.of(
            new Pair(ClientContender.BARE, ClientContender.BARE),
            new Pair(ClientContender.BARE, ClientContender.HOLDFAST),
            new Pair(ClientContender.BARE, ClientContender.HOLDFAST_BY_NAME),
            new Pair(ClientContender.BARE_OVER_TLS, ClientContender.HOLDFAST_OVER_TLS));

    private record Pair(ClientContender measure, ClientContender measured) {}

    private CallCompare() {}

    /** Prints the tables. */
    @SuppressWarnings("SystemOut") // a command's output
    static void run(int rounds) throws InterruptedException, ExecutionException {
        System.out.printf(
                Locale.ROOT,
                "Java %s, %d processors, %d rounds after warm-up; ratios with intervals of 95 %% confidence%n",
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                rounds);
        for (int callers : new int[] {1, 64}) {
            int times = callers == 1 ? 20 : 3;
            for (Pair each : PAIRS) {
                int warmUp = callers == 1 ? WARM_UP_CALLS : WARM_UP_AGAIN;
                Duel pair = new Duel(callers, times, warmUp, each.measure(), each.measured()).run(MORE * rounds);
                pair.lines().forEach(System.out::println);
                System.out.println(pair.verdict(GOAL));
            }
        }
        new Duel(1, 100, WARM_UP_CALLS, plain()).run(rounds).lines().forEach(System.out::println);
        new Duel(64, 10, WARM_UP_AGAIN, plain()).run(rounds).lines().forEach(System.out::println);
    }

    /** Those whose measure is the bare client without TLS. */
    private static ClientContender[] plain() {
        return Arrays.stream(ClientContender.values())
                .filter(each -> !each.isSecure())
                .toArray(ClientContender[]::new);
    }
}
