package dev.holdfast.core.internal.control;

import dev.holdfast.core.ClientControl.Feature;
import dev.holdfast.core.ClientControl.StandingOrder;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * What operators have ordered and for how long. An order ends by itself when someone looks at it after its time; while nothing
 * is ordered, looking costs one read and no clock.
 */
public final class ControlBoard {
    private final Timekeeper time;
    private final Consumer<String> herald;
    private final AtomicReference<Map<Subject, Standing>> orders = new AtomicReference<>(Map.of());
    private final AtomicLong given = new AtomicLong();

    /**
     * @param time when orders end
     * @param herald hears of each order and of each end, in words
     */
    public ControlBoard(Timekeeper time, Consumer<String> herald) {
        this.time = time;
        this.herald = herald;
    }

    /** What an order is about; of one subject one order stands. */
    public sealed interface Subject {}

    /** No attempt goes to an endpoint. */
    public record Isolated(String endpoint) implements Subject {
        @Override
        public String toString() {
            return "endpoint " + endpoint + " is isolated";
        }
    }

    /** No call begins on an endpoint; those that are there go on. */
    public record Drained(String endpoint) implements Subject {
        @Override
        public String toString() {
            return "endpoint " + endpoint + " is drained";
        }
    }

    /** A feature is off. */
    public record SwitchedOff(Feature feature) implements Subject {
        @Override
        public String toString() {
            return feature.name().toLowerCase(java.util.Locale.ROOT) + " is off";
        }
    }

    /** Fewer calls may be in flight than the client was built for. */
    public record Capped() implements Subject {
        @Override
        public String toString() {
            return "calls in flight are capped";
        }
    }

    private record Standing(long untilNanos, int value) {}

    /** Gives an order, in place of one about the same. */
    public void give(Subject subject, int value, Duration lasting) {
        long untilNanos = time.nanoTime() + lasting.toNanos();
        orders.updateAndGet(known -> with(known, subject, new Standing(untilNanos, value)));
        told(words(subject, value) + " for " + lasting.toMillis() + " ms");
    }

    /** Ends an order. Says whether there was one. */
    public boolean end(Subject subject) {
        boolean stood = standing(subject).isPresent()
                && orders.getAndUpdate(known -> without(known, subject)).containsKey(subject);
        if (stood) {
            told("no longer: " + subject);
        }
        return stood;
    }

    /** Counts and tells an order that something else carries out. */
    public void told(String words) {
        given.incrementAndGet();
        herald.accept(words);
    }

    /** {@return how long the order holds; empty if there is none} */
    public Optional<Duration> remaining(Subject subject) {
        return standing(subject).map(each -> Duration.ofNanos(Math.max(0, each.untilNanos - time.nanoTime())));
    }

    public boolean isOff(Feature feature) {
        return !orders.get().isEmpty() && standing(new SwitchedOff(feature)).isPresent();
    }

    /** {@return how many calls may be in flight, of so many that the client was built for} */
    public int cap(int built) {
        return orders.get().isEmpty()
                ? built
                : standing(new Capped())
                        .map(each -> Math.min(built, each.value))
                        .orElse(built);
    }

    /** {@return how long no attempt may go to an endpoint; empty if it may} */
    public Optional<Duration> closedFor(String endpoint, boolean begins) {
        if (orders.get().isEmpty()) {
            return Optional.empty();
        }
        Optional<Duration> isolated = remaining(new Isolated(endpoint));
        Optional<Duration> drained = begins ? remaining(new Drained(endpoint)) : Optional.empty();
        boolean drainedLonger = isolated.isPresent()
                && drained.filter(length -> length.compareTo(isolated.get()) > 0)
                        .isPresent();
        return isolated.isEmpty() || drainedLonger ? drained : isolated;
    }

    public long given() {
        return given.get();
    }

    public List<StandingOrder> standing() {
        long now = time.nanoTime();
        return orders.get().entrySet().stream()
                .filter(entry -> entry.getValue().untilNanos - now > 0)
                .map(entry -> new StandingOrder(
                        words(entry.getKey(), entry.getValue().value),
                        Duration.ofNanos(entry.getValue().untilNanos - now)))
                .sorted((one, other) -> one.order().compareTo(other.order()))
                .toList();
    }

    private static String words(Subject subject, int value) {
        return subject instanceof Capped ? subject + " at " + value : subject.toString();
    }

    private Optional<Standing> standing(Subject subject) {
        Standing standing = orders.get().get(subject);
        if (standing == null) {
            return Optional.empty();
        }
        if (standing.untilNanos - time.nanoTime() > 0) {
            return Optional.of(standing);
        }
        lapse(subject, standing);
        return Optional.empty();
    }

    private void lapse(Subject subject, Standing over) {
        Map<Subject, Standing> known = orders.get();
        while (over.equals(known.get(subject))) {
            if (orders.compareAndSet(known, without(known, subject))) {
                herald.accept("no longer, its time is over: " + subject);
                return;
            }
            known = orders.get();
        }
    }

    private static Map<Subject, Standing> with(Map<Subject, Standing> known, Subject subject, Standing standing) {
        var copy = new HashMap<>(known);
        copy.put(subject, standing);
        return Map.copyOf(copy);
    }

    private static Map<Subject, Standing> without(Map<Subject, Standing> known, Subject subject) {
        var copy = new HashMap<>(known);
        copy.remove(subject);
        return Map.copyOf(copy);
    }
}
