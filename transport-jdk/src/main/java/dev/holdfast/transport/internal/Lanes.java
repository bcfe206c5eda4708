package dev.holdfast.transport.internal;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Two ways through the JDK: exchanges in which something may block go by a client with threads, and the others by one without. The
 * latter is made when it is first asked for, since most transports never see a plain address.
 */
final class Lanes implements AutoCloseable {
    private final Clients clients;
    private final Duration maxAge;
    private final Generations onThreads;
    private final ReentrantLock making = new ReentrantLock();
    private volatile @Nullable Generations inPlace;
    private boolean closed;

    Lanes(Clients clients, Duration maxAge) {
        this.clients = clients;
        this.maxAge = maxAge;
        this.onThreads = new Generations(clients::onThreads, maxAge, System::nanoTime);
    }

    Generations of(Origin origin, boolean direct) {
        return direct && origin.isPlain() && origin.isAddress() ? inPlace() : onThreads;
    }

    private Generations inPlace() {
        Generations made = inPlace;
        return made == null ? make().orElse(onThreads) : made;
    }

    /** Empty where there is none and none can be made, as where file handles are used up. */
    private Optional<Generations> make() {
        making.lock();
        try {
            if (inPlace == null && !closed) {
                inPlace = new Generations(clients::inPlace, maxAge, System::nanoTime);
            }
            return Optional.ofNullable(inPlace);
        } catch (UncheckedIOException e) {
            return Optional.empty();
        } finally {
            making.unlock();
        }
    }

    @Override
    public void close() {
        making.lock();
        try {
            closed = true;
            Generations made = inPlace;
            if (made != null) {
                made.close();
            }
        } finally {
            making.unlock();
        }
        onThreads.close();
    }
}
