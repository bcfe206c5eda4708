package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import java.util.Optional;

/**
 * What a part of a conversation says beside its content.
 *
 * @param place where in the source it stands
 * @param rest the members that only its source's form knows; written again in that form, reported in every other
 * @param cacheControl where the provider's prompt cache may end, as Anthropic's {@code cache_control} says it
 * @param signature what its issuer wants back with it
 */
public record Origin(Place place, JsonObject rest, Optional<JsonValue> cacheControl, Optional<Signature> signature) {
    /**
     * A proof of reasoning that only its issuer can read.
     *
     * @param issuer who wants it back
     * @param value the proof
     */
    public record Signature(Vendor issuer, String value) {
        @Override
        public String toString() {
            return "Signature[" + issuer + "]";
        }
    }

    /** Of something that says no more than its content. */
    public static Origin of(Place place) {
        return new Origin(place, JsonObject.empty(), Optional.empty(), Optional.empty());
    }

    /** Of something with members that only its form knows. */
    static Origin of(Place place, JsonObject rest) {
        return new Origin(place, rest, Optional.empty(), Optional.empty());
    }

    Origin signed(Optional<Signature> by) {
        return new Origin(place, rest, cacheControl, by);
    }
}
