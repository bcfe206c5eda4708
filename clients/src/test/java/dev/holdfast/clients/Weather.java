package dev.holdfast.clients;

import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import java.time.Duration;
import java.util.SplittableRandom;

/** How a provider fails before its first event, three times in ten, in every way that providers do. */
final class Weather {
    /** Longer than a target is waited for, and no longer than a client waits. */
    private static final Duration SLOW = Duration.ofSeconds(4);

    private Weather() {}

    /** The same for the same seed and number, so that a run can be repeated. */
    static Reply storm(ProviderRequest request, long seed) {
        Reply good = Answers.of(request);
        int drawn = new SplittableRandom(seed * 1_000_003 + request.number()).nextInt(100);
        if (drawn < 12) {
            return Reply.status(503);
        }
        if (drawn < 15) {
            return Reply.rateLimited(Duration.ofSeconds(1));
        }
        if (drawn < 20) {
            return Reply.reset();
        }
        if (drawn < 23) {
            return Reply.cut();
        }
        if (drawn < 27) {
            // The head is there, and then nothing of the answer.
            return good.resetAfter(0);
        }
        return drawn < 30 ? good.withDelay(SLOW) : good;
    }
}
