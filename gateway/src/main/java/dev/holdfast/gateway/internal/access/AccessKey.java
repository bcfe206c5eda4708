package dev.holdfast.gateway.internal.access;

import dev.holdfast.AllowList;
import dev.holdfast.Bytes;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A key of the gateway's own, known by its digest only.
 *
 * @param name what reports call it; also the tenant of its calls
 * @param digest the SHA-256 of the key, 32 bytes
 * @param models the models it may ask for; empty for all
 * @param rpm requests within any minute
 * @param tpm tokens within any minute
 * @param usdPerDay what its calls may cost a day
 * @param maxTokens the most output tokens of a call
 * @param allow where its calls may go; calls may narrow it
 * @param passThrough whether it may read and delete what else the providers have, such as files
 */
public record AccessKey(
        String name,
        Bytes digest,
        Set<String> models,
        OptionalLong rpm,
        OptionalLong tpm,
        Optional<BigDecimal> usdPerDay,
        OptionalLong maxTokens,
        AllowList allow,
        boolean passThrough) {
    /** Copies the models. */
    public AccessKey {
        models = Set.copyOf(models);
    }

    /**
     * {@return whether it may ask for a model}
     *
     * @param model the model
     */
    public boolean allows(String model) {
        return models.isEmpty() || models.contains(model);
    }
}
