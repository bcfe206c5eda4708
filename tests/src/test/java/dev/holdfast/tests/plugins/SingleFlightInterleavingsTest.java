package dev.holdfast.tests.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttemptsExhaustedException;
import dev.holdfast.CacheMode;
import dev.holdfast.CallCancelledException;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.CallTrail;
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
import dev.holdfast.spi.Timekeeper.Signal;
import dev.holdfast.spi.Timekeeper.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every order in which three callers come, three are cancelled and the provider answers or fails: 630 orders, each with the
 * actions a millisecond apart, where the outcome is known exactly, and all at one instant, where the promises must hold.
 */
@Tag("concurrency")
class SingleFlightInterleavingsTest {
    private static final int CALLERS = 3;
    private static final ModelRequest HELLO =
            ModelRequest.chat("m").user("hello").build();

    /** What the provider does once it is let. */
    private enum Provider {
        ANSWERS,
        FAILS
    }

    /** A caller comes or is cancelled, or the provider is let (caller -1). */
    private record Action(int caller, boolean comes) {
        private static final Action LET = new Action(-1, false);
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void inEveryOrderEveryCallerGetsItsDue(Provider provider) throws InterruptedException {
        List<List<Action>> orders = orders();
        assertThat(orders).hasSize(630);
        for (List<Action> order : orders) {
            var played = new World(provider);
            played.play(order, Duration.ofMillis(1));
            var expected = new Model(provider);
            order.forEach(expected::act);
            assertThat(played.ends).as("%s", order).containsExactly(expected.ends);
            assertThat(played.requests).as("%s", order).isEqualTo(expected.requests);
            assertThat(played.aborted).as("%s", order).isEqualTo(expected.aborted);
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void evenAllAtOneInstantNoCallerIsLostOrWronged(Provider provider) throws InterruptedException {
        for (List<Action> order : orders()) {
            for (int wave = 1; wave < order.size(); wave++) {
                var played = new World(provider);
                played.playInWaves(order, wave);
                assertThat(played.ends).as("%s", order).doesNotContainNull();
                assertThat(played.requests)
                        .as("%s", order)
                        .isEqualTo(played.aborted + played.served)
                        .isBetween(1, CALLERS);
                assertThat(played.mostAtOnce).as("%s", order).isLessThanOrEqualTo(2);
                if (provider == Provider.ANSWERS) {
                    assertThat(played.ends).as("%s", order).doesNotContain("failed");
                    assertThat(played.served).as("%s", order).isLessThanOrEqualTo(1);
                } else {
                    assertThat(played.ends).as("%s", order).doesNotContain("answered");
                }
            }
        }
    }

    /** All orders of three comings, three cancellings after them, and one answer. */
    private static List<List<Action>> orders() {
        List<List<Action>> found = new ArrayList<>();
        extend(new ArrayList<>(), new HashSet<>(), found);
        return found;
    }

    private static void extend(List<Action> begun, Set<Action> used, List<List<Action>> found) {
        if (begun.size() == 2 * CALLERS + 1) {
            found.add(List.copyOf(begun));
            return;
        }
        for (Action next : possible(used)) {
            begun.add(next);
            used.add(next);
            extend(begun, used, found);
            used.remove(next);
            begun.removeLast();
        }
    }

    private static List<Action> possible(Set<Action> used) {
        List<Action> next = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            next.add(new Action(i, !used.contains(new Action(i, true))));
        }
        next.add(Action.LET);
        next.removeIf(used::contains);
        return next;
    }

    /** What should come of it, by the words of the documentation. */
    private static final class Model {
        private final Provider provider;
        private final String[] ends = new String[CALLERS];
        private final List<Integer> aboard = new ArrayList<>();
        private boolean let;
        private boolean stored;
        private int requests;
        private int aborted;

        Model(Provider provider) {
            this.provider = provider;
        }

        void act(Action action) {
            if (action.caller() < 0) {
                let = true;
                land();
            } else if (action.comes()) {
                come(action.caller());
            } else if (aboard.remove((Integer) action.caller())) {
                ends[action.caller()] = "cancelled";
                aborted += aboard.isEmpty() ? 1 : 0;
            }
        }

        private void come(int caller) {
            if (stored) {
                ends[caller] = "answered";
                return;
            }
            requests += aboard.isEmpty() ? 1 : 0;
            aboard.add(caller);
            if (let) {
                land();
            }
        }

        private void land() {
            boolean answers = provider == Provider.ANSWERS;
            aboard.forEach(caller -> ends[caller] = answers ? "answered" : "failed");
            stored |= answers && !aboard.isEmpty();
            aboard.clear();
        }
    }

    /** Callers, a cache and a provider that does nothing until it is let. */
    private static final class World {
        private final Provider provider;
        private final VirtualTime time = new VirtualTime();
        private final Signal let = time.newSignal();
        private final ResponseCaching caching = ResponseCaching.of(
                new CaffeineResponseCache(1 << 20, time),
                CachePolicy.defaults().withMode(CacheMode.ALL),
                time,
                new SplittableRandom(1));
        private final String[] ends = new String[CALLERS];
        private final Task[] tasks = new Task[CALLERS];
        private int requests;
        private int served;
        private int aborted;
        private int atOnce;
        private int mostAtOnce;

        World(Provider provider) {
            this.provider = provider;
        }

        void play(List<Action> order, Duration apart) throws InterruptedException {
            time.run(() -> {
                for (Action action : order) {
                    act(action);
                    time.sleep(apart);
                }
            });
        }

        /** The first actions at once, then the others at once, before anything that they woke has run. */
        void playInWaves(List<Action> order, int first) throws InterruptedException {
            time.run(() -> {
                order.subList(0, first).forEach(this::act);
                time.sleep(Duration.ofNanos(1));
                order.subList(first, order.size()).forEach(this::act);
            });
        }

        private void act(Action action) {
            if (action.caller() < 0) {
                let.set();
            } else if (action.comes()) {
                int caller = action.caller();
                tasks[caller] = time.start("holdfast-caller", () -> ends[caller] = end("c" + caller));
            } else {
                tasks[action.caller()].interrupt();
            }
        }

        private String end(String id) {
            long now = time.nanoTime();
            var call = new Call(
                    id,
                    HELLO,
                    CallOptions.none(),
                    now,
                    now + Duration.ofHours(1).toNanos(),
                    event -> {});
            try {
                assertThat(caching.aroundCall(call, this::serve).callId()).isEqualTo(id);
                return "answered";
            } catch (CallCancelledException e) {
                assertThat(e.callId()).isEqualTo(id);
                return "cancelled";
            } catch (AttemptsExhaustedException e) {
                assertThat(e.callId()).isEqualTo(id);
                return "failed";
            }
        }

        private ModelResponse serve(Call call) {
            requests++;
            mostAtOnce = Math.max(mostAtOnce, ++atOnce);
            try {
                let.await();
                served++;
                if (provider == Provider.FAILS) {
                    throw failed(call);
                }
                return response(call);
            } catch (InterruptedException e) {
                aborted++;
                throw cancelled(call);
            } finally {
                atOnce--;
            }
        }

        private static ModelResponse response(Call call) {
            return new ModelResponse(
                    ModelAnswer.ofText("answer"),
                    Optional.of(new Target("m", "e")),
                    List.of(),
                    Optional.empty(),
                    false,
                    false,
                    Optional.empty(),
                    call.id(),
                    Optional.empty(),
                    List.of());
        }

        private static CallException failed(Call call) {
            Failure failure =
                    Failure.of(FailureKind.OVERLOADED, FailureScope.ENDPOINT, Delivery.ANSWERED, "too much to do");
            return new AttemptsExhaustedException("failed", failure, CallTrail.empty(call.id()), null);
        }

        private static CallException cancelled(Call call) {
            Failure failure = Failure.of(FailureKind.CANCELLED, FailureScope.REQUEST, Delivery.AMBIGUOUS, "cut off");
            return new CallCancelledException("cut off", failure, CallTrail.empty(call.id()), null);
        }
    }
}
