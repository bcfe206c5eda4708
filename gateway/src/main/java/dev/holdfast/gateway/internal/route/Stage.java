package dev.holdfast.gateway.internal.route;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.gateway.internal.http.HttpAnswer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** How far the gateway is on its way to its end, and how many requests are under way. Safe for use by many threads. */
public final class Stage {
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile boolean ready = true;
    private volatile boolean open = true;

    /** Creates the stage of a gateway that was just started. */
    public Stage() {}

    /** From now on it says that it is not ready, and works on. */
    public void beUnready() {
        ready = false;
    }

    /** From now on it takes no request. */
    public void shut() {
        ready = false;
        open = false;
    }

    /** {@return whether it is ready} */
    public boolean isReady() {
        return ready;
    }

    /**
     * {@return what a look at {@code /health/live} or {@code /health/ready} is answered; empty for other paths}
     *
     * @param path the path
     */
    Optional<HttpAnswer> health(String path) {
        return switch (path) {
            case "/health/live" -> Optional.of(HttpAnswer.json(200, JsonObject.of("status", JsonValue.of("live"))));
            case "/health/ready" ->
                Optional.of(
                        ready
                                ? HttpAnswer.json(200, JsonObject.of("status", JsonValue.of("ready")))
                                : HttpAnswer.json(503, JsonObject.of("status", JsonValue.of("stopping"))));
            default -> Optional.empty();
        };
    }

    /** {@return how many requests are under way} */
    public int underWay() {
        return underWay.get();
    }

    /** {@return whether a request may begin; then it has to {@link #leave}} */
    boolean enter() {
        underWay.incrementAndGet();
        if (open) {
            return true;
        }
        underWay.decrementAndGet();
        return false;
    }

    void leave() {
        underWay.decrementAndGet();
    }
}
