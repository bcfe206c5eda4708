package dev.holdfast.gateway.internal.call;

import dev.holdfast.AttemptReason;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.AttemptFinished;
import dev.holdfast.CallEvent.AttemptStarted;
import dev.holdfast.CallEvent.CacheConsulted;
import dev.holdfast.CallEvent.CallStarted;
import dev.holdfast.CallEvent.Hedged;
import dev.holdfast.CallEvent.KeyConsulted;
import dev.holdfast.Failure;
import dev.holdfast.Headers;
import dev.holdfast.Target;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** What is known of a call while it runs, for the head of an answer that is streamed. Heard by any thread, read by the call's. */
final class CallWatch implements Consumer<CallEvent> {
    private volatile Optional<String> callId = Optional.empty();
    private volatile Optional<Target> target = Optional.empty();
    private volatile int attempts;
    private final AtomicInteger fallbacks = new AtomicInteger();
    private final AtomicInteger maybeBilled = new AtomicInteger();
    private volatile String cache = "bypass";
    private volatile boolean replayed;

    @Override
    public void accept(CallEvent event) {
        switch (event) {
            case CallStarted started -> callId = Optional.of(started.callId());
            case AttemptStarted attempt -> began(attempt);
            case AttemptFinished finished -> {
                if (finished.attempt().succeeded()) {
                    target = Optional.of(finished.attempt().target());
                }
                if (finished.attempt()
                        .failure()
                        .filter(Failure::mayHaveBeenBilled)
                        .isPresent()) {
                    maybeBilled.incrementAndGet();
                }
            }
            case Hedged hedged -> {
                if (hedged.step() == CallEvent.HedgeStep.WON) {
                    target = Optional.of(hedged.hedge());
                }
            }
            case CacheConsulted consulted -> cache = consulted.outcome().name().toLowerCase(Locale.ROOT);
            case KeyConsulted consulted -> replayed = consulted.outcome() == CallEvent.KeyOutcome.REPLAYED;
            default -> {
                // of no interest to a client
            }
        }
    }

    private void began(AttemptStarted attempt) {
        callId = Optional.of(attempt.callId());
        target = Optional.of(attempt.target());
        attempts = attempt.number();
        if (attempt.reason() == AttemptReason.FALLBACK) {
            fallbacks.incrementAndGet();
        }
    }

    /** Which outcome the cache had: hit, miss, joined, bypass, or stale. */
    String cache() {
        return cache;
    }

    /** Whether an answer was replayed that an earlier call with the same idempotency key was given. */
    boolean isReplayed() {
        return replayed;
    }

    /** What is known once a stream has begun, of a request with that idempotency key or without one. No stream is a substitute. */
    Headers headers(Optional<String> key) {
        var fields = new AnswerHeaders();
        callId.ifPresent(id -> fields.put("x-request-id", id));
        boolean stored = cache.equals("hit") || replayed;
        target.filter(at -> !stored).ifPresent(at -> {
            fields.put("x-holdfast-model", at.model());
            fields.put("x-holdfast-endpoint", at.endpoint());
        });
        fields.put("x-holdfast-attempts", Integer.toString(stored ? 0 : attempts));
        fields.put("x-holdfast-fallbacks", Integer.toString(stored ? 0 : fallbacks.get()));
        fields.putMaybeBilled(maybeBilled.get());
        fields.put("x-holdfast-cache", cache);
        fields.put("x-holdfast-degraded", "false");
        key.or(() -> callId).ifPresent(each -> fields.put("idempotency-key", each));
        if (replayed) {
            fields.put("idempotent-replayed", "true");
        }
        return fields.build();
    }
}
