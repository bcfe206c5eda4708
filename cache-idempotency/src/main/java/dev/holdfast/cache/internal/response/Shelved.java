package dev.holdfast.cache.internal.response;

import dev.holdfast.CallException;
import dev.holdfast.ModelResponse;
import dev.holdfast.spi.ResponseCache.CachedAnswer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a look into the store brought.
 *
 * @param stored the answer; empty if there was none
 * @param fresh whether it answers a call as it is
 */
public record Shelved(Optional<CachedAnswer> stored, boolean fresh) {
    /** Nothing was there. */
    public static final Shelved NOTHING = new Shelved(Optional.empty(), false);

    /** Where fresh and stored have one end, the store has decided already. */
    static Shelved of(CachedAnswer found, Instant now) {
        boolean fresh = found.freshUntil().equals(found.expiresAt()) || now.isBefore(found.freshUntil());
        return new Shelved(Optional.of(found), fresh);
    }

    /** The response to a call, if the answer is fresh. */
    public Optional<ModelResponse> replayFor(String callId) {
        return stored.filter(found -> fresh).map(found -> replay(found, callId).replayedFor(callId));
    }

    /** The response to a call that failed in a way that an old answer is better than. */
    public Optional<ModelResponse> standInFor(CallException failed) {
        return stored.filter(found -> isOutage(failed))
                .map(found -> replay(found, failed.callId()).standingInFor(failed));
    }

    /**
     * The provider cannot, or not in time. Not: who asks may not, asks wrongly, asks too expensively or has gone; an old answer
     * would hide that.
     */
    private static boolean isOutage(CallException failed) {
        return switch (failed.kind()) {
            case RATE_LIMITED,
                    QUOTA_EXHAUSTED,
                    OVERLOADED,
                    SERVER_ERROR,
                    TIMEOUT,
                    CONNECTION,
                    MALFORMED_RESPONSE,
                    EMPTY_RESPONSE,
                    TRUNCATED,
                    LOCAL,
                    CIRCUIT_OPEN,
                    OUT_OF_SERVICE,
                    LIMIT_EXCEEDED,
                    COOLING_DOWN -> true;
            default -> false;
        };
    }

    private static ModelResponse replay(CachedAnswer stored, String callId) {
        return new ModelResponse(
                stored.answer(),
                Optional.of(stored.servedBy()),
                List.of(),
                Optional.empty(),
                false,
                false,
                Optional.empty(),
                callId,
                Optional.empty(),
                List.of());
    }
}
