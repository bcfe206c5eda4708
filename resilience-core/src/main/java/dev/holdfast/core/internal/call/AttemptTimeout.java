package dev.holdfast.core.internal.call;

import dev.holdfast.CallOptions;
import dev.holdfast.ModelRequest;
import dev.holdfast.StreamTimeouts;
import dev.holdfast.core.ModelSettings;
import java.time.Duration;

/**
 * How long an attempt may take: the call's own timeout as it stands; else the model's or the client's, but not less than a
 * model needs to write what was asked for (10 s and a second for every 30 output tokens).
 */
final class AttemptTimeout {
    private static final Duration LEAST = Duration.ofSeconds(10);
    private static final long TOKENS_PER_SECOND = 30;

    private AttemptTimeout() {}

    static Duration of(CallOptions options, ModelSettings model, Duration byDefault, ModelRequest request) {
        if (options.timeout().isPresent()) {
            return options.timeout().get();
        }
        Duration configured = model.timeout().orElse(byDefault);
        Duration needed = request.maxOutputTokens().isPresent()
                ? LEAST.plusSeconds(Math.min(request.maxOutputTokens().getAsLong(), 10_000_000) / TOKENS_PER_SECOND)
                : Duration.ZERO;
        return configured.compareTo(needed) >= 0 ? configured : needed;
    }

    /** How long a stream may take to begin: the call's own timers, its own timeout, the model's, the client's timers. */
    static Duration toBegin(CallOptions options, ModelSettings model, StreamTimeouts byDefault) {
        return options.streamTimeouts()
                .map(StreamTimeouts::firstToken)
                .or(options::timeout)
                .or(model::timeout)
                .orElse(byDefault.firstToken());
    }
}
