package dev.holdfast.tests.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CacheMode;
import dev.holdfast.CallCancelledException;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.CallTrail;
import dev.holdfast.DeadlineExceededException;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.Target;
import dev.holdfast.cache.CachePolicy;
import dev.holdfast.cache.CaffeineResponseCache;
import dev.holdfast.cache.ResponseCaching;
import dev.holdfast.simulation.VirtualTime;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.Timekeeper.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Flights on virtual time: callers come, go and run out of time at exact instants, the same for the same seed. */
class SingleFlightOnVirtualTimeTest {
    private static final Duration SERVED_AFTER = Duration.ofMillis(500);
    private static final ModelRequest HELLO =
            ModelRequest.chat("m").user("hello").build();

    @Test
    void theFirstCallerLeavesAndTheOthersAreServedInTime() {
        var world = new World();
        List<Caller> callers = List.of(
                new Caller("c1", 0, 10_000, 100), new Caller("c2", 10, 10_000, -1), new Caller("c3", 20, 10_000, -1));
        assertThat(world.play(callers))
                .containsExactly("c1 cancelled at 100", "c2 answered at 500", "c3 answered at 500");
        assertThat(world.requests).isEqualTo(1);
        assertThat(world.aborted).isZero();
    }

    @Test
    void whenEveryoneHasLeftTheProviderIsCutOffAtOnce() {
        var world = new World();
        List<Caller> callers = List.of(
                new Caller("c1", 0, 10_000, 100), new Caller("c2", 0, 200, -1), new Caller("c3", 0, 10_000, 300));
        assertThat(world.play(callers))
                .containsExactly("c1 cancelled at 100", "c2 too late at 200", "c3 cancelled at 300");
        assertThat(world.aborted).isEqualTo(1);
        assertThat(world.time.elapsed()).isEqualTo(Duration.ofMillis(300));
    }

    @Test
    void theFlightHasTimeForWhoBoardsJustBeforeItsLeadersDeadline() {
        var world = new World();
        assertThat(world.play(List.of(new Caller("c1", 0, 300, -1), new Caller("c2", 299, 300, -1))))
                .containsExactly("c1 too late at 300", "c2 answered at 500");
        assertThat(world.requests).isEqualTo(1);
    }

    @Property(tries = 200)
    void everyCallerEndsWhenItsOwnFateSays(@ForAll long seed) {
        var random = new Random(seed);
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            int leaves = random.nextInt(3) == 0 ? random.nextInt(800) : -1;
            callers.add(new Caller("c" + i, random.nextInt(1_500), 1 + random.nextInt(1_200), leaves));
        }
        var world = new World();
        List<String> ends = world.play(callers);
        for (int i = 0; i < callers.size(); i++) {
            assertThat(ends.get(i)).matches(callers.get(i)::mayEndSo);
        }
        assertThat(world.mostAtOnce).isLessThanOrEqualTo(1);
        assertThat(world.requests).isEqualTo(world.aborted + world.served);
        assertThat(world.served).isLessThanOrEqualTo(1);
        assertThat(new World().play(callers)).as("the same again").isEqualTo(ends);
    }

    /** Who comes at a time, with so much time, and leaves after a while or not at all; all in milliseconds. */
    private record Caller(String id, int comes, int length, int leaves) {
        /** Whatever the others do, nobody waits longer than the provider needs from its own coming, nor beyond its fate. */
        boolean mayEndSo(String end) {
            int at = Integer.parseInt(end.substring(end.lastIndexOf(' ') + 1)) - comes;
            if (end.contains("answered")) {
                return at >= 0 && at <= SERVED_AFTER.toMillis() && at <= length && (leaves < 0 || at <= leaves);
            }
            return end.contains("too late") ? at == length : end.contains("cancelled") && at == leaves;
        }
    }

    /** Callers, a cache and a provider that takes its time. */
    private static final class World {
        private final VirtualTime time = new VirtualTime();
        private final ResponseCaching caching = ResponseCaching.of(
                new CaffeineResponseCache(1 << 20, time),
                CachePolicy.defaults().withMode(CacheMode.ALL),
                time,
                new SplittableRandom(1));
        private int requests;
        private int served;
        private int aborted;
        private int atOnce;
        private int mostAtOnce;

        List<String> play(List<Caller> callers) {
            String[] ends = new String[callers.size()];
            time.run(() -> {
                for (int i = 0; i < ends.length; i++) {
                    int index = i;
                    Task task = time.start("holdfast-caller", () -> ends[index] = end(callers.get(index)));
                    leaveLater(callers.get(i), task);
                }
            });
            return List.of(ends);
        }

        private void leaveLater(Caller caller, Task task) {
            if (caller.leaves >= 0) {
                time.start("holdfast-leaver", () -> {
                    sleep(caller.comes + caller.leaves);
                    task.interrupt();
                });
            }
        }

        private String end(Caller caller) {
            sleep(caller.comes);
            long now = time.nanoTime();
            var call = new Call(
                    caller.id,
                    HELLO,
                    CallOptions.none(),
                    now,
                    now + Duration.ofMillis(caller.length).toNanos(),
                    event -> {});
            return caller.id + " " + outcome(call) + " at " + time.elapsed().toMillis();
        }

        private String outcome(Call call) {
            try {
                caching.aroundCall(call, this::serve);
                return "answered";
            } catch (CallCancelledException e) {
                return "cancelled";
            } catch (DeadlineExceededException e) {
                return "too late";
            }
        }

        private ModelResponse serve(Call call) {
            requests++;
            mostAtOnce = Math.max(mostAtOnce, ++atOnce);
            try {
                time.sleep(SERVED_AFTER);
                served++;
                return response();
            } catch (InterruptedException e) {
                aborted++;
                throw cancelled(call);
            } finally {
                atOnce--;
            }
        }

        private void sleep(int millis) {
            try {
                time.sleep(Duration.ofMillis(millis));
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted before the call", e);
            }
        }

        private static ModelResponse response() {
            return new ModelResponse(
                    ModelAnswer.ofText("answer"),
                    Optional.of(new Target("m", "e")),
                    List.of(),
                    Optional.empty(),
                    false,
                    false,
                    Optional.empty(),
                    "c",
                    Optional.empty(),
                    List.of());
        }

        private static CallException cancelled(Call call) {
            Failure failure = Failure.of(FailureKind.CANCELLED, FailureScope.REQUEST, Delivery.AMBIGUOUS, "cut off");
            return new CallCancelledException("cut off", failure, CallTrail.empty(call.id()), null);
        }
    }
}
