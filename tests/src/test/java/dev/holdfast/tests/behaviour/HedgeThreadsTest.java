package dev.holdfast.tests.behaviour;

import static dev.holdfast.tests.behaviour.Hedges.AFTER_A_SECOND;
import static dev.holdfast.tests.behaviour.Hedges.slowAndFast;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallOptions;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.HedgePolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.ContextCarrier;
import dev.holdfast.spi.Interceptor;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Which threads a hedge takes, and which calls take none. */
class HedgeThreadsTest {
    private final List<String> started = new ArrayList<>();

    private ClientBuilder counted(World world) {
        return world.builder().timekeeper(new NamedStarts(world.time()));
    }

    @Test
    void aClientWithoutAPolicyStartsNoThread() {
        World world = slowAndFast();
        try (ResilientClient client = counted(world).build()) {
            world.call(client).answer();
            assertThat(started).isEmpty();
        }
    }

    @Test
    void aCallThatNothingCanBeSentBesideStartsNoThread() {
        World world = World.always(Reply.completion("slow").withDelay(Duration.ofSeconds(20)));
        try (ResilientClient client = counted(world).hedge(AFTER_A_SECOND).build()) {
            world.call(client).answer();
            assertThat(started).isEmpty();
        }
    }

    @Test
    void aCallThatIsNotToBeHedgedStartsNoThread() {
        World world = slowAndFast();
        try (ResilientClient client = counted(world).hedge(AFTER_A_SECOND).build()) {
            world.call(client, CallOptions.none().withHedge(false)).answer();
            world.call(client, CallOptions.none().withIdempotencyKey("order-7")).answer();
            assertThat(started).isEmpty();
        }
    }

    @Test
    void whileTooFewLatenciesAreKnownNoThreadIsStarted() {
        World world = slowAndFast();
        try (ResilientClient client =
                counted(world).hedge(HedgePolicy.defaults()).build()) {
            world.call(client).answer();
            assertThat(started).isEmpty();
        }
    }

    @Test
    void aHedgedCallHasTwoThreadsThatSayWhoseTheyAre() {
        World world = slowAndFast();
        try (ResilientClient client = counted(world).hedge(AFTER_A_SECOND).build()) {
            world.call(client).answer();
            assertThat(started).containsExactly("holdfast-attempt", "holdfast-attempt");
        }
    }

    @Test
    void bothAttemptsHaveTheCallersContext() {
        World world = slowAndFast();
        var context = new ThreadLocal<String>();
        var seen = new CopyOnWriteArrayList<String>();
        ContextCarrier carrier = () -> {
            String captured = context.get();
            return () -> {
                context.set(captured);
                return context::remove;
            };
        };
        try (ResilientClient client = counted(world)
                .hedge(AFTER_A_SECOND)
                .contextCarrier(carrier)
                .interceptor(new Interceptor() {
                    @Override
                    public TransportReply aroundAttempt(AttemptCall attempt, AttemptChain chain)
                            throws TransportException, InterruptedException {
                        seen.add(attempt.number() + " " + context.get());
                        return chain.proceed(attempt);
                    }
                })
                .build()) {
            world.time().run(() -> {
                context.set("trace-1");
                world.callHere(client);
            });

            assertThat(seen).containsExactly("1 trace-1", "2 trace-1");
        }
    }

    private final class NamedStarts extends ForwardedTime {
        NamedStarts(Timekeeper time) {
            super(time);
        }

        @Override
        public Task start(String name, Runnable body) {
            started.add(name);
            return super.start(name, body);
        }
    }
}
