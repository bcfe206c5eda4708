package dev.holdfast.transport.internal;

import java.net.http.HttpClient;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A client and the connections it has made. It counts who uses it; once retired it takes nobody in, and when the last has left it is
 * shut down, with every connection of it.
 */
final class Generation {
    private static final int RETIRED = 1 << 31;
    private static final int MOST_ORIGINS = 1_000;

    private final HttpClient client;
    private final long bornNanos;
    private final Consumer<Generation> over;
    private final AtomicInteger users = new AtomicInteger();
    private final Set<Origin> answered = ConcurrentHashMap.newKeySet();
    private final Set<Origin> oneAtATime = ConcurrentHashMap.newKeySet();
    private volatile boolean leaks;

    Generation(HttpClient client, long bornNanos, Consumer<Generation> over) {
        this.client = client;
        this.bornNanos = bornNanos;
        this.over = over;
    }

    HttpClient client() {
        return client;
    }

    long ageNanos(long nowNanos) {
        return nowNanos - bornNanos;
    }

    /** Whether the user is in; who is in leaves. */
    boolean enter() {
        int before = users.get();
        while (before >= 0 && !users.compareAndSet(before, before + 1)) {
            before = users.get();
        }
        return before >= 0;
    }

    void leave() {
        if (users.decrementAndGet() == RETIRED) {
            over.accept(this);
        }
    }

    void retire() {
        if (users.getAndUpdate(count -> count | RETIRED) == 0) {
            over.accept(this);
        }
    }

    /** The client has let go of a connection without closing it, as the JDK does where it cannot read the head of an answer. */
    void leaked() {
        leaks = true;
    }

    boolean leaks() {
        return leaks;
    }

    void answered(Origin origin) {
        note(answered, origin);
    }

    /** The origin was offered HTTP/2 and chose HTTP/1.1. */
    void chose(Origin origin) {
        note(oneAtATime, origin);
    }

    /** Whether a connection that was kept may be used; past the bound all origins count as known. */
    boolean mayHaveKeptConnection(Origin origin) {
        return answered.size() >= MOST_ORIGINS || answered.contains(origin);
    }

    /** Whether the origin was offered HTTP/2 and chose HTTP/1.1. */
    boolean choseOneAtATime(Origin origin) {
        return oneAtATime.contains(origin);
    }

    private static void note(Set<Origin> set, Origin origin) {
        if (!set.contains(origin) && set.size() < MOST_ORIGINS) {
            set.add(origin);
        }
    }
}
