package dev.holdfast.transport.internal;

import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which origins have answered before, so that a kept connection to them may exist. Bounded: past the bound all count as known. */
final class Origins {
    private static final int MOST = 1_000;

    private final Set<String> answered = ConcurrentHashMap.newKeySet();

    void answered(URI uri) {
        if (answered.size() < MOST) {
            answered.add(Redirects.origin(uri));
        }
    }

    boolean mayHaveKeptConnection(URI uri) {
        return answered.size() >= MOST || answered.contains(Redirects.origin(uri));
    }
}
