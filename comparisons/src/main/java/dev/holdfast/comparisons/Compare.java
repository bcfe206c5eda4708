package dev.holdfast.comparisons;

import java.util.concurrent.ExecutionException;

/**
 * Whole calls beside the bare JDK client, openai-java and LangChain4j, in turns, with 1 caller and with 64.
 *
 * <pre>{@code ./holdfast compare [rounds]}</pre>
 */
public final class Compare {
    private static final int ROUNDS = 80;
    private static final int WARM_UP_CALLS = 12_000;

    private Compare() {}

    /** Prints both tables. */
    @SuppressWarnings("SystemOut") // a command's output
    public static void main(String[] args) throws InterruptedException, ExecutionException {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : ROUNDS;
        System.out.printf(
                "Java %s, %d processors, %d rounds after warm-up%n",
                Runtime.version(), Runtime.getRuntime().availableProcessors(), rounds);
        new Duel(1, 100, WARM_UP_CALLS).run(rounds).lines().forEach(System.out::println);
        new Duel(64, 10, WARM_UP_CALLS).run(rounds).lines().forEach(System.out::println);
        System.exit(0); // OkHttp's threads outlive its client
    }
}
