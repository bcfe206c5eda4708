package dev.holdfast.gateway.internal.reload;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Which configuration runs, and what came of the last attempt at another. Immutable.
 *
 * @param runningSince when the running configuration took effect
 * @param reloads how often another took effect
 * @param last the last attempt; empty before the first
 * @param needsRestart settings that the running configuration changed and that wait for a restart
 */
public record ReloadReport(Instant runningSince, int reloads, Optional<Attempt> last, List<String> needsRestart) {
    /** Copies the list. */
    public ReloadReport {
        needsRestart = List.copyOf(needsRestart);
    }

    /**
     * An attempt at another configuration.
     *
     * @param at when
     * @param error why the running one was kept; empty where the other took effect
     */
    public record Attempt(Instant at, Optional<String> error) {}

    /**
     * {@return that of a gateway which was just started}
     *
     * @param now when
     */
    public static ReloadReport started(Instant now) {
        return new ReloadReport(now, 0, Optional.empty(), List.of());
    }

    /**
     * {@return that another configuration took effect}
     *
     * @param now when
     * @param waiting settings that need a restart
     */
    public ReloadReport succeeded(Instant now, List<String> waiting) {
        return new ReloadReport(now, reloads + 1, Optional.of(new Attempt(now, Optional.empty())), waiting);
    }

    /**
     * {@return that another configuration was refused}
     *
     * @param now when
     * @param error why
     */
    public ReloadReport failed(Instant now, String error) {
        return new ReloadReport(runningSince, reloads, Optional.of(new Attempt(now, Optional.of(error))), needsRestart);
    }

    /** {@return it as a document} */
    public JsonObject document() {
        return JsonObject.of("running_since", JsonValue.of(runningSince.toString()))
                .with("reloads", JsonValue.of(reloads))
                .with(
                        "last_attempt",
                        last.<JsonValue>map(ReloadReport::document).orElse(JsonNull.NULL))
                .with(
                        "needs_restart",
                        new JsonArray(needsRestart.stream()
                                .<JsonValue>map(JsonValue::of)
                                .toList()));
    }

    private static JsonObject document(Attempt attempt) {
        return JsonObject.of("at", JsonValue.of(attempt.at().toString()))
                .with("took_effect", JsonValue.of(attempt.error().isEmpty()))
                .with("error", attempt.error().<JsonValue>map(JsonValue::of).orElse(JsonNull.NULL));
    }
}
