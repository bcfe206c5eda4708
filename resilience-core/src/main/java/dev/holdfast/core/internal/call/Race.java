package dev.holdfast.core.internal.call;

import dev.holdfast.core.internal.call.Outcome.Begun;
import dev.holdfast.core.internal.hedge.Landings;
import dev.holdfast.spi.Timekeeper.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Attempts of one call on their way at once, each on a thread of its own that does nothing but send and read. The call's thread
 * starts them, takes what they bring, one by one, and gives up those it no longer needs.
 */
final class Race implements AutoCloseable {
    private final AttemptSender sender;
    private final Async async;
    private final Landings<Landing> landings;
    private final List<Flight> aloft = new ArrayList<>(2);

    Race(AttemptSender sender, Progress progress) {
        this.sender = sender;
        this.async = progress.services().async();
        this.landings = new Landings<>(progress.time()::newSignal, Race::clearAway);
    }

    /** An attempt that was started, what ends it, and whether it was sent or called off: whichever came first. */
    private record Flight(Underway underway, Task task, AtomicBoolean decided) {}

    /**
     * An attempt that was given up.
     *
     * @param underway the attempt
     * @param sent whether it was sent; if not, it never is
     */
    record GivenUp(Underway underway, boolean sent) {}

    /** What an attempt brought. */
    sealed interface Landing {
        /** The attempt. */
        Underway underway();
    }

    /**
     * It was sent.
     *
     * @param underway the attempt
     * @param outcome what came of it
     */
    record Came(Underway underway, Outcome outcome) implements Landing {}

    /**
     * It was interrupted before it was sent, or a part threw.
     *
     * @param underway the attempt
     * @param thrown what was thrown
     */
    record Broke(Underway underway, Throwable thrown) implements Landing {}

    void start(Underway underway) {
        var decided = new AtomicBoolean();
        Departure departure = () -> decided.compareAndSet(false, true);
        Task task = async.start("holdfast-attempt", () -> landings.land(fly(underway, departure)));
        aloft.add(new Flight(underway, task, decided));
    }

    private Landing fly(Underway underway, Departure departure) {
        try {
            return new Came(underway, sender.send(underway, departure));
        } catch (Throwable e) {
            return new Broke(underway, e);
        }
    }

    Optional<Landing> next(long deadlineNanos) throws InterruptedException {
        Optional<Landing> landing = landings.next(deadlineNanos);
        landing.ifPresent(this::landed);
        return landing;
    }

    Landing next() throws InterruptedException {
        Landing landing = landings.next();
        landed(landing);
        return landing;
    }

    /** What has landed and was not taken. */
    Optional<Landing> poll() {
        Optional<Landing> landing = landings.poll();
        landing.ifPresent(this::landed);
        return landing;
    }

    private void landed(Landing landing) {
        aloft.removeIf(
                flight -> flight.underway().number() == landing.underway().number());
    }

    /** Whether nothing is on its way any more. */
    boolean isOver() {
        return aloft.isEmpty();
    }

    /**
     * Ends what is on its way, and says what that was. Nobody waits for it: what it still brings is cleared away. Nothing is taken
     * from here on, so that what is given up is not told of once more when it lands.
     */
    List<GivenUp> giveUp() {
        landings.close();
        List<GivenUp> given = aloft.stream()
                .map(flight -> new GivenUp(flight.underway(), !flight.decided().compareAndSet(false, true)))
                .toList();
        aloft.forEach(flight -> flight.task().interrupt());
        aloft.clear();
        return given;
    }

    /** An answer that nobody needs holds nothing; a stream that nobody reads is closed, which ends its exchange. */
    static void clearAway(Landing landing) {
        if (landing instanceof Came(Underway underway, Begun begun)) {
            begun.watch().end();
            begun.reply().close();
        }
    }

    @Override
    public void close() {
        landings.close();
    }
}
