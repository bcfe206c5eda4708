package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Bytes;
import dev.holdfast.CallEvent;
import dev.holdfast.FailureKind;
import dev.holdfast.Headers;
import dev.holdfast.ModelResponse;
import dev.holdfast.core.Backoff;
import dev.holdfast.core.HealthPolicy;
import dev.holdfast.core.Jitter;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.Retry;
import dev.holdfast.core.RetryBudgetPolicy;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.VirtualTime;
import dev.holdfast.tests.behaviour.World.Ended;
import dev.holdfast.tests.behaviour.World.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** What retry promises whatever providers do and however it is set, on virtual time. */
class RetryPropertiesTest {
    private static final Duration EVER = Duration.ofDays(1);

    /** What a provider does with one request, and what the call must make of it. */
    private enum Deed {
        GOOD,
        OVERLOADED,
        BROKEN,
        RESET,
        CUT,
        GARBAGE,
        EMPTY,
        SOON,
        LATER,
        MUCH_LATER,
        REFUSED;

        Reply reply() {
            return switch (this) {
                case GOOD -> Reply.completion("good");
                case OVERLOADED -> Reply.status(503);
                case BROKEN -> Reply.status(500);
                case RESET -> Reply.reset();
                case CUT -> Reply.completion("half").cutAfter(10);
                case GARBAGE -> Reply.of(200, Headers.empty(), Bytes.utf8("<html>"));
                case EMPTY -> Reply.of(200, Headers.empty(), Bytes.utf8(""));
                case SOON -> Reply.rateLimited(Duration.ofSeconds(2));
                case LATER -> Reply.rateLimited(Duration.ofSeconds(20));
                case MUCH_LATER -> Reply.rateLimited(Duration.ofMinutes(10));
                case REFUSED -> Reply.status(400);
            };
        }

        Duration asked() {
            return switch (this) {
                case SOON -> Duration.ofSeconds(2);
                case LATER -> Duration.ofSeconds(20);
                case MUCH_LATER -> Duration.ofMinutes(10);
                default -> Duration.ZERO;
            };
        }
    }

    @Provide
    Arbitrary<List<List<Deed>>> weather() {
        return Arbitraries.of(Deed.class)
                .list()
                .ofMinSize(1)
                .ofMaxSize(6)
                .list()
                .ofMinSize(1)
                .ofMaxSize(3);
    }

    @Provide
    Arbitrary<RetryPolicy> policies() {
        Arbitrary<Backoff> backoffs = Combinators.combine(
                        Arbitraries.integers().between(1, 20_000),
                        Arbitraries.of(
                                Jitter.none(),
                                Jitter.full(),
                                Jitter.equal(),
                                Jitter.proportional(0.5),
                                Jitter.decorrelated()))
                .as((millis, jitter) -> Backoff.exponential(Duration.ofMillis(millis))
                        .withMax(Duration.ofSeconds(30))
                        .withJitter(jitter));
        return Combinators.combine(
                        Arbitraries.integers().between(1, 5),
                        Arbitraries.integers().between(1, 10),
                        backoffs,
                        Arbitraries.integers().between(1, 200),
                        Arbitraries.of(0, 100, 3_000),
                        Arbitraries.of(true, false),
                        Arbitraries.of(true, false))
                .as((attempts, perCall, backoff, deadline, apart, idempotent, budget) -> {
                    RetryPolicy policy = RetryPolicy.standard()
                            .withMaxAttempts(attempts)
                            .withMaxAttemptsPerCall(perCall)
                            .withBackoff(backoff)
                            .withDeadline(Duration.ofSeconds(deadline))
                            .withMinInterval(Duration.ofMillis(apart))
                            .withOnlyIfIdempotent(idempotent);
                    return budget ? policy.withBudget(new RetryBudgetPolicy(0.2, 2)) : policy.withoutBudget();
                });
    }

    private static World world(List<List<Deed>> weather) {
        var world = new World();
        for (int i = 0; i < weather.size(); i++) {
            List<Reply> replies = weather.get(i).stream().map(Deed::reply).toList();
            world.provider("p" + i, FaultScript.of(replies));
        }
        return world;
    }

    @Property(tries = 500)
    void noCallBreaksItsBounds(
            @ForAll("weather") List<List<Deed>> weather, @ForAll("policies") RetryPolicy policy, @ForAll long seed) {
        World world = world(weather);
        Ended call;
        try (ResilientClient client =
                world.builder().retry(policy).random(new Random(seed)).build()) {
            call = world.call(client);
        }
        Duration deadline = policy.deadline().orElseThrow();
        List<Sent> sent = world.sent();
        var seen = new HashMap<String, Integer>();
        var mayComeAt = new HashMap<String, Duration>();
        Duration last = null;
        boolean over = false;
        for (Sent one : sent) {
            assertThat(over).as("attempts after an answer that ends the call").isFalse();
            int index = seen.merge(one.provider(), 1, Integer::sum) - 1;
            assertThat(index).as("attempts on a target").isLessThan(policy.maxAttempts());
            assertThat(one.at()).as("deadline").isLessThan(deadline);
            assertThat(one.call().timeouts().total()).isLessThanOrEqualTo(deadline.minus(one.at()));
            assertThat(one.openBefore()).as("replies left open").isZero();
            assertThat(one.at())
                    .as("sooner than the server asked")
                    .isGreaterThanOrEqualTo(mayComeAt.getOrDefault(one.provider(), Duration.ZERO));
            if (last != null) {
                assertThat(one.at().minus(last)).as("interval").isGreaterThanOrEqualTo(policy.minInterval());
                assertThat(one.at().minus(last)).as("wait").isLessThanOrEqualTo(Duration.ofSeconds(66));
            }
            Deed deed = deed(weather, one.provider(), index);
            mayComeAt.put(one.provider(), one.at().plus(deed.asked()));
            over = deed == Deed.GOOD || deed == Deed.REFUSED;
            last = one.at();
        }
        assertThat(sent).hasSizeBetween(1, policy.maxAttemptsPerCall());
        assertThat(call.at()).as("no sleep after the last attempt").isEqualTo(last);
        assertThat(world.open()).isZero();
        assertThat(call.response()
                        .map(ModelResponse::attempts)
                        .orElseGet(() -> call.failure().attempts()))
                .hasSameSizeAs(sent);
        eachTargetSawOneRequest(sent);
        lostAttemptsStayedWhereTheyWere(policy, weather, sent);
    }

    private static Deed deed(List<List<Deed>> weather, String provider, int index) {
        List<Deed> deeds = weather.get(Integer.parseInt(provider.substring(1)));
        return index < deeds.size() ? deeds.get(index) : Deed.GOOD;
    }

    private static void eachTargetSawOneRequest(List<Sent> sent) {
        Map<String, Sent> first = new HashMap<>();
        for (Sent one : sent) {
            Sent before = first.putIfAbsent(one.provider(), one);
            if (before != null) {
                assertThat(one.body()).isEqualTo(before.body());
                assertThat(one.header("Idempotency-Key")).isEqualTo(before.header("Idempotency-Key"));
            }
        }
        assertThat(first.values().stream()
                        .map(one -> one.header("Idempotency-Key"))
                        .distinct())
                .as("one key for each target")
                .hasSameSizeAs(first.keySet());
    }

    /** These endpoints honour no keys. */
    private static void lostAttemptsStayedWhereTheyWere(RetryPolicy policy, List<List<Deed>> weather, List<Sent> sent) {
        if (!policy.onlyIfIdempotent()) {
            return;
        }
        var seen = new HashMap<String, Integer>();
        for (int i = 0; i < sent.size(); i++) {
            int index = seen.merge(sent.get(i).provider(), 1, Integer::sum) - 1;
            boolean lost =
                    switch (deed(weather, sent.get(i).provider(), index)) {
                        case CUT, GARBAGE, EMPTY -> true;
                        default -> false;
                    };
            assertThat(lost && i + 1 < sent.size())
                    .as("repeated what may have been done")
                    .isFalse();
        }
    }

    @Property(tries = 100)
    void theSameSeedGivesTheSameCall(
            @ForAll("weather") List<List<Deed>> weather, @ForAll("policies") RetryPolicy policy, @ForAll long seed) {
        assertThat(play(weather, policy, seed)).isEqualTo(play(weather, policy, seed));
    }

    private static List<String> play(List<List<Deed>> weather, RetryPolicy policy, long seed) {
        World world = world(weather);
        try (ResilientClient client =
                world.builder().retry(policy).random(new Random(seed)).build()) {
            world.call(client);
        }
        return world.sent().stream().map(one -> one.provider() + " " + one.at()).toList();
    }

    @Property(tries = 100)
    void anInterruptEndsTheCallAtOnceAndIsKept(
            @ForAll("weather") List<List<Deed>> weather,
            @ForAll("policies") RetryPolicy policy,
            @ForAll @IntRange(max = 100_000) int millis) {
        World world = world(weather);
        var ended = new ArrayList<Ended>();
        var at = Duration.ofMillis(millis);
        try (ResilientClient client = world.builder().retry(policy).build()) {
            world.time().run(() -> {
                var task = world.startCall(client, ended);
                world.sleep(at);
                task.interrupt();
                World.join(task);
            });
        }
        Ended call = ended.getFirst();
        if (call.error().filter(error -> error.kind() == FailureKind.CANCELLED).isPresent()) {
            assertThat(call.at()).isEqualTo(at);
            assertThat(call.interrupted()).isTrue();
            assertThat(world.times()).allSatisfy(time -> assertThat(time).isLessThanOrEqualTo(at));
        } else {
            assertThat(call.at()).isLessThanOrEqualTo(at);
        }
        assertThat(world.open()).isZero();
    }

    @Property(tries = 100)
    void aFutureAlwaysEndsAndNothingStartsAfterItsCancel(
            @ForAll("weather") List<List<Deed>> weather,
            @ForAll("policies") RetryPolicy policy,
            @ForAll @IntRange(max = 60_000) int millis) {
        World world = world(weather);
        var at = Duration.ofMillis(millis);
        try (ResilientClient client = world.builder().retry(policy).build()) {
            world.time().run(() -> {
                CompletableFuture<ModelResponse> future = client.callAsync(World.request());
                world.sleep(at);
                future.cancel(true);
                world.sleep(EVER);
                assertThat(future).isDone();
            });
        }
        assertThat(world.times()).allSatisfy(time -> assertThat(time).isLessThanOrEqualTo(at));
        assertThat(world.open()).isZero();
    }

    @Property(tries = 50)
    void firstAttemptsElsewhereTakeNothingFromABudget(
            @ForAll @IntRange(min = 1, max = 80) int calls, @ForAll @IntRange(max = 5) int reserve) {
        World world = new World()
                .provider("p0", FaultScript.always(Reply.status(503)))
                .provider("p1", FaultScript.healthy());
        RetryPolicy policy = World.retry().withBudget(new RetryBudgetPolicy(0, reserve));
        HealthPolicy neverUnhealthy = HealthPolicy.defaults().withThresholds(1_000, 1);
        try (ResilientClient client =
                world.builder().retry(policy).healthPolicy(neverUnhealthy).build()) {
            for (int i = 0; i < calls; i++) {
                assertThat(world.call(client).answer().endpoint()).contains("p1");
                world.pass(Duration.ofHours(1));
            }
        }
        assertThat(world.events(CallEvent.BudgetRefused.class)).isEmpty();
        assertThat(world.sentTo("p0")).hasSize(calls);
        assertThat(world.sentTo("p1")).hasSize(calls);
    }

    @Property(tries = 300)
    void theRetryOnItsOwnKeepsItsBounds(
            @ForAll("policies") RetryPolicy policy, @ForAll @Size(max = 8) List<Boolean> goods) throws Exception {
        var time = new VirtualTime();
        var starts = new ArrayList<Duration>();
        var count = new AtomicInteger();
        Duration deadline = policy.deadline().orElseThrow();
        Retry retry = Retry.of(policy, time, new Random(1));
        boolean answered = time.call(() -> {
            try {
                return retry.call(() -> {
                    starts.add(time.elapsed());
                    int index = count.getAndIncrement();
                    if (index < goods.size() && goods.get(index)) {
                        return true;
                    }
                    throw new IllegalStateException("attempt " + count.get());
                });
            } catch (IllegalStateException e) {
                assertThat(e).hasMessage("attempt " + count.get()).hasNoSuppressedExceptions();
                return false;
            }
        });
        int firstGood = goods.indexOf(true);
        assertThat(answered).isEqualTo(firstGood >= 0 && count.get() == firstGood + 1);
        assertThat(count.get()).isBetween(1, policy.maxAttempts());
        assertThat(starts).allSatisfy(start -> assertThat(start).isLessThan(deadline));
        assertThat(time.elapsed()).as("no sleep after the last").isEqualTo(starts.getLast());
        for (int i = 1; i < starts.size(); i++) {
            assertThat(starts.get(i).minus(starts.get(i - 1))).isGreaterThanOrEqualTo(policy.minInterval());
        }
    }
}
