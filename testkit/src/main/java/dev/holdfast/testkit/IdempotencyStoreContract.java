package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.Adjustment;
import dev.holdfast.ModelAnswer;
import dev.holdfast.Target;
import dev.holdfast.spi.IdempotencyStore;
import dev.holdfast.spi.IdempotencyStore.Completed;
import dev.holdfast.spi.IdempotencyStore.Conflict;
import dev.holdfast.spi.IdempotencyStore.GivenAnswer;
import dev.holdfast.spi.IdempotencyStore.InFlight;
import dev.holdfast.spi.IdempotencyStore.Reservation;
import dev.holdfast.spi.IdempotencyStore.Reserved;
import dev.holdfast.spi.IdempotencyStore.Unknown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What every {@link IdempotencyStore} keeps. Extend it in a test of your own, with time in your hand if the store takes its
 * time from you, else with an {@link #advance} that waits.
 */
public abstract class IdempotencyStoreContract {
    private static final IdempotencyStore.Key KEY = new IdempotencyStore.Key("tenant", "k1");
    private static final GivenAnswer ANSWER = new GivenAnswer(
            ModelAnswer.ofText("answer"),
            Optional.of(new Target("m", "e")),
            List.of(new Adjustment("/seed", "dropped")));
    private static final GivenAnswer OTHER = new GivenAnswer(ModelAnswer.ofText("another answer"), Optional.empty());

    /** For subclasses. */
    protected IdempotencyStoreContract() {}

    /** {@return a store that remembers nothing} */
    protected abstract IdempotencyStore emptyStore();

    /**
     * Lets time pass for the store.
     *
     * @param duration how much
     */
    protected abstract void advance(Duration duration);

    /**
     * {@return a lifetime for tests; {@link #advance} is given up to three of it, and a {@linkplain IdempotencyStore#lease()
     * lease} is at most a quarter of it}
     */
    protected Duration lifetime() {
        return Duration.ofMinutes(1);
    }

    /** The first caller has the key, the second hears that it is in flight. */
    @Test
    protected void oneCallerHasTheKey() {
        IdempotencyStore store = emptyStore();
        assertThat(reserve(store, "A")).isInstanceOf(Reserved.class);
        assertThat(reserve(store, "A")).isEqualTo(new InFlight());
    }

    /** What was executed is answered from the store, as often as it is asked. */
    @Test
    protected void whatWasExecutedIsReplayed() {
        IdempotencyStore store = emptyStore();
        store.complete(KEY, token(store), ANSWER);
        assertThat(reserve(store, "A")).isEqualTo(new Completed(ANSWER));
        assertThat(reserve(store, "A")).isEqualTo(new Completed(ANSWER));
    }

    /** Another request under the same key is a conflict, whatever became of the first. */
    @Test
    protected void anotherRequestUnderTheKeyIsAConflict() {
        IdempotencyStore inFlight = emptyStore();
        token(inFlight);
        assertThat(reserve(inFlight, "B")).isEqualTo(new Conflict());

        IdempotencyStore completed = emptyStore();
        completed.complete(KEY, token(completed), ANSWER);
        assertThat(reserve(completed, "B")).isEqualTo(new Conflict());
        assertThat(reserve(completed, "A")).isEqualTo(new Completed(ANSWER));

        IdempotencyStore unknown = emptyStore();
        unknown.markUnknown(KEY, token(unknown));
        assertThat(reserve(unknown, "B")).isEqualTo(new Conflict());
    }

    /** A key is free again after an execution that never reached the provider, for any request. */
    @Test
    protected void aReleasedKeyIsFree() {
        IdempotencyStore store = emptyStore();
        store.release(KEY, token(store));
        assertThat(reserve(store, "B")).isInstanceOf(Reserved.class);
    }

    /** What no one knows stays unknown; nobody is told to execute it again. */
    @Test
    protected void whatNoOneKnowsStaysUnknown() {
        IdempotencyStore store = emptyStore();
        String token = token(store);
        store.markUnknown(KEY, token);
        assertThat(reserve(store, "A")).isEqualTo(new Unknown());
        store.release(KEY, token);
        assertThat(reserve(store, "A")).isEqualTo(new Unknown());
    }

    /** An answer that comes after all settles what was unknown. */
    @Test
    protected void aLateAnswerSettlesTheUnknown() {
        IdempotencyStore store = emptyStore();
        String token = token(store);
        store.markUnknown(KEY, token);
        store.complete(KEY, token, ANSWER);
        assertThat(reserve(store, "A")).isEqualTo(new Completed(ANSWER));
    }

    /** What is completed stays so, whatever is reported afterwards. */
    @Test
    protected void theFirstAnswerStays() {
        IdempotencyStore store = emptyStore();
        String token = token(store);
        store.complete(KEY, token, ANSWER);
        store.complete(KEY, token, OTHER);
        store.markUnknown(KEY, token);
        store.release(KEY, token);
        assertThat(reserve(store, "A")).isEqualTo(new Completed(ANSWER));
    }

    /** {@return whether the store offers {@link IdempotencyStore#takeOver}; false for one that leaves the default} */
    protected boolean offersTakeOver() {
        return true;
    }

    /** What is in doubt may be taken over, by one; what becomes of it counts, and not what the earlier execution reports. */
    @Test
    protected void whatIsInDoubtMayBeTakenOver() {
        IdempotencyStore store = emptyStore();
        String old = token(store);
        store.markUnknown(KEY, old);
        if (!offersTakeOver()) {
            assertThat(takeOver(store, "A")).isEqualTo(new Unknown());
            return;
        }
        assertThat(takeOver(store, "B")).isEqualTo(new Conflict());
        Reservation taken = takeOver(store, "A");
        assertThat(taken).isInstanceOf(Reserved.class);
        assertThat(takeOver(store, "A")).isEqualTo(new InFlight());
        assertThat(reserve(store, "A")).isEqualTo(new InFlight());
        store.complete(KEY, old, OTHER);
        assertThat(reserve(store, "A")).isEqualTo(new InFlight());
        store.complete(KEY, ((Reserved) taken).token(), ANSWER);
        assertThat(takeOver(store, "A")).isEqualTo(new Completed(ANSWER));
    }

    /** What is not in doubt is seen as it is: free, in flight or executed. */
    @Test
    protected void onlyWhatIsInDoubtIsTakenOver() {
        IdempotencyStore store = emptyStore();
        Reservation free = takeOver(store, "A");
        assertThat(free).isInstanceOf(Reserved.class);
        assertThat(takeOver(store, "A")).isEqualTo(new InFlight());
        store.complete(KEY, ((Reserved) free).token(), ANSWER);
        assertThat(takeOver(store, "A")).isEqualTo(new Completed(ANSWER));
        assertThat(takeOver(store, "B")).isEqualTo(new Conflict());
    }

    /** A lifetime begins anew when a key is taken over. */
    @Test
    protected void aKeyThatIsTakenOverLivesAnew() {
        if (!offersTakeOver()) {
            return;
        }
        IdempotencyStore store = emptyStore();
        store.markUnknown(KEY, token(store));
        advance(lifetime().dividedBy(2));
        assertThat(takeOver(store, "A")).isInstanceOf(Reserved.class);
        advance(lifetime().dividedBy(4).multipliedBy(3));
        assertThat(reserve(store, "A")).isEqualTo(afterAWhile(store));
        advance(lifetime());
        assertThat(reserve(store, "A")).isInstanceOf(Reserved.class);
    }

    /**
     * Of many who would take over a key in doubt exactly one has it.
     *
     * @throws InterruptedException if the test is interrupted
     */
    @Test
    @Tag("concurrency")
    protected void ofManyOneTakesOver() throws InterruptedException {
        if (!offersTakeOver()) {
            return;
        }
        IdempotencyStore store = emptyStore();
        for (int round = 0; round < 100; round++) {
            IdempotencyStore.Key key = new IdempotencyStore.Key("tenant", "k" + round);
            store.markUnknown(key, token(store, key));
            List<Reservation> seen = atOnce(() -> store.takeOver(key, "A", lifetime()));
            assertThat(seen.stream().filter(Reserved.class::isInstance)).hasSize(1);
            assertThat(seen.stream().filter(InFlight.class::isInstance)).hasSize(19);
        }
    }

    /** What a key is that was in flight and of which nothing was heard for half its lifetime. */
    private static Reservation afterAWhile(IdempotencyStore store) {
        return store.lease().isPresent() ? new Unknown() : new InFlight();
    }

    /** Whose process has died leaves its key in doubt after the lease, and not free. */
    @Test
    protected void aReservationThatNobodyRenewsIsInDoubt() {
        IdempotencyStore store = emptyStore();
        Duration lease = leaseOf(store);
        token(store);
        advance(lease.dividedBy(2));
        assertThat(reserve(store, "A")).isEqualTo(new InFlight());
        advance(lease);
        assertThat(reserve(store, "A")).isEqualTo(new Unknown());
        assertThat(reserve(store, "B")).isEqualTo(new Conflict());
        assertThat(reserve(store, "A")).isEqualTo(new Unknown());
    }

    /** However long it takes, but not beyond its lifetime. */
    @Test
    protected void aReservationThatIsRenewedStaysInFlight() {
        IdempotencyStore store = emptyStore();
        Duration half = leaseOf(store).dividedBy(2);
        String token = token(store);
        for (Duration held = half; held.plus(half).compareTo(lifetime()) < 0; held = held.plus(half)) {
            advance(half);
            store.renew(KEY, token);
            assertThat(reserve(store, "A")).isEqualTo(new InFlight());
        }
        for (int i = 0; i < 3; i++) {
            advance(half);
            store.renew(KEY, token);
        }
        assertThat(reserve(store, "B")).as("its lifetime is over").isInstanceOf(Reserved.class);
    }

    /** A process that was only slow: what it knows counts, as long as nobody took the key over. */
    @Test
    protected void whoIsLateStillHasASay() {
        IdempotencyStore answered = emptyStore();
        Duration late = leaseOf(answered).multipliedBy(2);
        String token = token(answered);
        advance(late);
        answered.complete(KEY, token, ANSWER);
        assertThat(reserve(answered, "A")).isEqualTo(new Completed(ANSWER));

        IdempotencyStore freed = emptyStore();
        token = token(freed);
        advance(late);
        freed.release(KEY, token);
        assertThat(reserve(freed, "B")).isInstanceOf(Reserved.class);

        IdempotencyStore goesOn = emptyStore();
        token = token(goesOn);
        advance(late);
        goesOn.renew(KEY, token);
        assertThat(reserve(goesOn, "A")).isEqualTo(new InFlight());
    }

    /** What was taken over is the new one's, with a lease of its own. */
    @Test
    protected void aLeaseThatHasPassedMayBeTakenOver() {
        IdempotencyStore store = emptyStore();
        Duration lease = leaseOf(store);
        String old = token(store);
        advance(lease.multipliedBy(2));
        if (!offersTakeOver()) {
            assertThat(takeOver(store, "A")).isEqualTo(new Unknown());
            return;
        }
        Reservation taken = takeOver(store, "A");
        assertThat(taken).isInstanceOf(Reserved.class);
        store.release(KEY, old);
        store.complete(KEY, old, OTHER);
        assertThat(reserve(store, "A")).isEqualTo(new InFlight());
        advance(lease.dividedBy(4).multipliedBy(3));
        store.renew(KEY, old);
        advance(lease.dividedBy(2));
        assertThat(reserve(store, "A")).as("an old token renews nothing").isEqualTo(new Unknown());
        store.complete(KEY, ((Reserved) taken).token(), ANSWER);
        assertThat(reserve(store, "A")).isEqualTo(new Completed(ANSWER));
    }

    /** What is settled stays so, and what is marked is not in flight again. */
    @Test
    protected void onlyWhatIsInFlightIsRenewed() {
        IdempotencyStore store = emptyStore();
        leaseOf(store);
        String token = token(store);
        store.complete(KEY, token, ANSWER);
        store.renew(KEY, token);
        assertThat(reserve(store, "A")).isEqualTo(new Completed(ANSWER));

        IdempotencyStore other = emptyStore();
        other.renew(KEY, "no token");
        token = token(other);
        other.markUnknown(KEY, token);
        other.renew(KEY, token);
        assertThat(reserve(other, "A")).isEqualTo(new Unknown());
    }

    /** A store without leases has nothing to show here. */
    private Duration leaseOf(IdempotencyStore store) {
        Optional<Duration> lease = store.lease();
        assumeTrue(lease.isPresent(), "a store whose reservations end by themselves");
        assertThat(lease.orElseThrow())
                .isPositive()
                .isLessThanOrEqualTo(lifetime().dividedBy(4));
        return lease.orElseThrow();
    }

    /** Keys live in their scope. */
    @Test
    protected void scopesAreToldApart() {
        IdempotencyStore store = emptyStore();
        store.complete(KEY, token(store), ANSWER);
        for (IdempotencyStore.Key other : List.of(
                new IdempotencyStore.Key("other", "k1"),
                new IdempotencyStore.Key("", "k1"),
                new IdempotencyStore.Key("tenant", "k2"),
                new IdempotencyStore.Key("tenan", "tk1"))) {
            assertThat(store.reserve(other, "A", lifetime())).as("%s", other).isInstanceOf(Reserved.class);
        }
    }

    /** A key is forgotten at the end of its lifetime and not before, in whatever state. */
    @Test
    protected void aKeyIsForgottenInTime() {
        IdempotencyStore store = emptyStore();
        IdempotencyStore.Key completed = new IdempotencyStore.Key("tenant", "completed");
        IdempotencyStore.Key unknown = new IdempotencyStore.Key("tenant", "unknown");
        IdempotencyStore.Key inFlight = new IdempotencyStore.Key("tenant", "inFlight");
        store.complete(completed, token(store, completed), ANSWER);
        store.markUnknown(unknown, token(store, unknown));
        token(store, inFlight);
        advance(lifetime().dividedBy(2));
        assertThat(store.reserve(completed, "A", lifetime())).isEqualTo(new Completed(ANSWER));
        assertThat(store.reserve(unknown, "A", lifetime())).isEqualTo(new Unknown());
        assertThat(store.reserve(inFlight, "A", lifetime())).isEqualTo(afterAWhile(store));
        advance(lifetime());
        for (IdempotencyStore.Key key : List.of(completed, unknown, inFlight)) {
            assertThat(store.reserve(key, "B", lifetime())).as("%s", key).isInstanceOf(Reserved.class);
        }
    }

    /** Whoever was forgotten cannot report for the one who came after. */
    @Test
    protected void anOldTokenChangesNothing() {
        IdempotencyStore store = emptyStore();
        String old = token(store);
        advance(lifetime().multipliedBy(2));
        String current = token(store);
        assertThat(current).isNotEqualTo(old);
        store.complete(KEY, old, OTHER);
        store.markUnknown(KEY, old);
        store.release(KEY, old);
        assertThat(reserve(store, "A")).isEqualTo(new InFlight());
        store.complete(KEY, current, ANSWER);
        assertThat(reserve(store, "A")).isEqualTo(new Completed(ANSWER));
    }

    /** A report for a key that no one has is no error and leaves the key free. */
    @Test
    protected void aReportForNoKeyChangesNothing() {
        IdempotencyStore store = emptyStore();
        store.complete(KEY, "no token", ANSWER);
        store.markUnknown(KEY, "no token");
        store.release(KEY, "no token");
        assertThat(reserve(store, "A")).isInstanceOf(Reserved.class);
    }

    /**
     * Of many callers at once exactly one has the key, each time anew.
     *
     * @throws InterruptedException if the test is interrupted
     */
    @Test
    @Tag("concurrency")
    protected void ofManyCallersOneHasTheKey() throws InterruptedException {
        IdempotencyStore store = emptyStore();
        for (int round = 0; round < 200; round++) {
            IdempotencyStore.Key key = new IdempotencyStore.Key("tenant", "k" + round);
            List<Reservation> seen = atOnce(() -> store.reserve(key, "A", lifetime()));
            assertThat(seen).hasSize(20);
            assertThat(seen.stream().filter(Reserved.class::isInstance)).hasSize(1);
            assertThat(seen.stream().filter(InFlight.class::isInstance)).hasSize(19);
        }
    }

    private static List<Reservation> atOnce(Supplier<Reservation> ask) throws InterruptedException {
        var seen = new ConcurrentLinkedQueue<Reservation>();
        var start = new CountDownLatch(1);
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            callers.add(Thread.ofVirtual().start(() -> {
                awaitQuietly(start);
                seen.add(ask.get());
            }));
        }
        start.countDown();
        for (Thread caller : callers) {
            caller.join();
        }
        return List.copyOf(seen);
    }

    private static void awaitQuietly(CountDownLatch start) {
        try {
            start.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted before the start", e);
        }
    }

    private Reservation reserve(IdempotencyStore store, String fingerprint) {
        return store.reserve(KEY, fingerprint, lifetime());
    }

    private Reservation takeOver(IdempotencyStore store, String fingerprint) {
        return store.takeOver(KEY, fingerprint, lifetime());
    }

    private String token(IdempotencyStore store) {
        return token(store, KEY);
    }

    private String token(IdempotencyStore store, IdempotencyStore.Key key) {
        Reservation reservation = store.reserve(key, "A", lifetime());
        assertThat(reservation).isInstanceOf(Reserved.class);
        return ((Reserved) reservation).token();
    }
}
