package dev.holdfast.clients;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls of one client, so many at once, and what became of them. */
record Tally(int calls, int succeeded, List<String> failures) {
    private static final int AT_ONCE = 32;

    /** Chats, streams and tools in turns. What is not the whole answer has failed. */
    static Tally of(Talker talker, int calls) throws InterruptedException {
        var succeeded = new AtomicInteger();
        var failures = new ConcurrentLinkedQueue<String>();
        var places = new Semaphore(AT_ONCE);
        var threads = new Thread[calls];
        for (int i = 0; i < calls; i++) {
            int number = i;
            places.acquire();
            threads[i] = Thread.ofVirtual().start(() -> {
                try {
                    String failure = one(talker, number);
                    if (failure.isEmpty()) {
                        succeeded.incrementAndGet();
                    } else {
                        failures.add(failure);
                    }
                } finally {
                    places.release();
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return new Tally(calls, succeeded.get(), List.copyOf(failures));
    }

    private static String one(Talker talker, int number) {
        String question = "question " + number + " has seven words in all";
        try {
            String answer =
                    switch (number % 3) {
                        case 0 -> talker.chat(question);
                        case 1 -> talker.stream(question);
                        default -> talker.tool(question);
                    };
            return answer.equals(question) ? "" : number + ": answered \"" + answer + "\"";
        } catch (RuntimeException e) {
            return number + ": " + e;
        }
    }
}
