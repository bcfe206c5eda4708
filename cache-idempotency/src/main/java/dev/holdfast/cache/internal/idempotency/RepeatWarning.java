package dev.holdfast.cache.internal.idempotency;

import dev.holdfast.Endpoint;
import dev.holdfast.spi.Interceptor.Setting;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Why a client does not settle a doubt by executing a key again.
 *
 * @param reasons at least one
 */
public record RepeatWarning(List<String> reasons) {
    private static final System.Logger LOG = System.getLogger("dev.holdfast.cache");

    /** The warning for a client; empty if the provider that saw a key is the one that is asked again. */
    public static Optional<RepeatWarning> of(Setting setting) {
        List<String> reasons = new ArrayList<>();
        for (Endpoint endpoint : setting.endpoints()) {
            if (!endpoint.honoursIdempotencyKey()) {
                reasons.add("endpoint " + endpoint.name() + " does not honour idempotency keys");
            }
            if (endpoint.credentials().size() > 1) {
                reasons.add("calls take turns at the " + endpoint.credentials().size() + " accounts of endpoint "
                        + endpoint.name());
            }
        }
        int endpoints = setting.endpoints().size();
        if (endpoints > 1) {
            reasons.add("of " + endpoints + " endpoints a call may try another one first than the call before");
        }
        return reasons.isEmpty() ? Optional.empty() : Optional.of(new RepeatWarning(List.copyOf(reasons)));
    }

    /** Says it in the log. */
    public void give() {
        LOG.log(
                Level.WARNING,
                "idempotency: whenUnknown is REPEAT, and what is executed again may be paid for twice: {0}",
                String.join("; ", reasons));
    }
}
