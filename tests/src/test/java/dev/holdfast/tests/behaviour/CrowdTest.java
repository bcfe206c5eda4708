package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallException;
import dev.holdfast.core.Backoff;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.RetryAfterForm;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many callers at once, before providers that send now one of them away and now another. */
class CrowdTest {
    private static final int CALLERS = 48;
    private static final int CALLS = 400;

    /** A tenth is limited for a second, which all who share the account have to heed, and a fifth fails otherwise. */
    private static FaultScript weather(long seed, RetryAfterForm form) {
        return FaultScript.answering(request -> {
            var random = new SplittableRandom(seed + 31L * request.number());
            int drawn = random.nextInt(100);
            if (drawn < 10) {
                return Reply.status(429)
                        .withRetryAfter(Duration.ofSeconds(1), form)
                        .withDelay(Duration.ofMillis(5));
            }
            if (drawn < 25) {
                return Reply.status(503).withDelay(Duration.ofMillis(5));
            }
            return drawn < 30
                    ? Reply.reset()
                    : Reply.completion("good").withDelay(Duration.ofMillis(20 + random.nextInt(60)));
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"SECONDS", "MILLISECONDS"})
    void everyoneComesToHisTurnHoweverOftenOthersAreSentAway(RetryAfterForm form) {
        var world = new World().provider("p1", weather(1, form)).provider("p2", weather(2, form));
        List<Ended> ended = Collections.synchronizedList(new ArrayList<>());
        RetryPolicy policy =
                RetryPolicy.standard().withBackoff(Backoff.parse("exponential(100ms, x2, max 2s, jitter 0.5)"));
        try (ResilientClient client =
                world.builder().retry(policy).random(new Random(3)).build()) {
            world.time().run(() -> crowd(world, client, ended));
        }
        assertThat(ended).hasSize(CALLS);
        assertThat(ended.stream().flatMap(one -> one.error().stream()).map(CallException::kind))
                .hasSizeLessThanOrEqualTo(1);
    }

    private static void crowd(World world, ResilientClient client, List<Ended> ended) {
        var left = new AtomicInteger(CALLS);
        var tasks = new ArrayList<Timekeeper.Task>();
        for (int i = 0; i < CALLERS; i++) {
            tasks.add(world.time().start("holdfast-test-caller", () -> {
                while (left.getAndDecrement() > 0) {
                    ended.add(world.callHere(client));
                }
            }));
        }
        tasks.forEach(World::join);
    }
}
