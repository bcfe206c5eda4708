package dev.holdfast.cache.internal.response;

import dev.holdfast.CacheMode;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import java.util.Optional;

/** What one call does with the cache, from its mode and its request. */
public record CacheUse(boolean reads, boolean writes) {
    private static final CacheUse NONE = new CacheUse(false, false);

    /** What a call of that mode does. */
    public static CacheUse of(CacheMode mode, ModelRequest request) {
        if (request.form() == Form.OPAQUE) {
            return NONE;
        }
        return switch (mode) {
            case DETERMINISTIC_ONLY -> isDeterministic(request) ? new CacheUse(true, true) : NONE;
            case ALL -> new CacheUse(true, true);
            case READ_ONLY -> new CacheUse(true, false);
            case WRITE_ONLY, REFRESH -> new CacheUse(false, true);
            case OFF -> NONE;
        };
    }

    /** Whether the call passes by the cache. */
    public boolean isNone() {
        return !reads && !writes;
    }

    /** A temperature that is not set is the vendor's default, which is not 0. */
    private static boolean isDeterministic(ModelRequest request) {
        Optional<JsonObject> parameters = request.form() == Form.GEMINI_CONTENT
                ? request.document().object("generationConfig")
                : Optional.of(request.document());
        return parameters
                .flatMap(object -> object.get("temperature"))
                .filter(CacheUse::isZero)
                .isPresent();
    }

    private static boolean isZero(JsonValue value) {
        return value instanceof JsonNumber number
                && number.asLong().isPresent()
                && number.asLong().getAsLong() == 0;
    }
}
