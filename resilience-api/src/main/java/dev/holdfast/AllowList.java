package dev.holdfast;

import java.util.Optional;
import java.util.Set;

/**
 * Where a call may go. An empty set allows everything; a set that is not empty allows only what it names, and an endpoint
 * that does not say is then not allowed. Retry, failover, fallback, hedge and probes obey alike.
 *
 * @param regions the regions allowed
 * @param vendors the vendors allowed
 * @param retentions the retentions allowed
 */
public record AllowList(Set<String> regions, Set<String> vendors, Set<String> retentions) {
    /** Everything is allowed. */
    public static final AllowList ANY = new AllowList(Set.of(), Set.of(), Set.of());

    /** Copies the sets. */
    public AllowList {
        regions = Set.copyOf(regions);
        vendors = Set.copyOf(vendors);
        retentions = Set.copyOf(retentions);
    }

    /**
     * {@return whether the endpoint may be used}
     *
     * @param endpoint the endpoint
     */
    public boolean allows(Endpoint endpoint) {
        return allows(regions, endpoint.region())
                && allows(vendors, endpoint.vendor())
                && allows(retentions, endpoint.retention());
    }

    private static boolean allows(Set<String> allowed, Optional<String> value) {
        return allowed.isEmpty() || value.filter(allowed::contains).isPresent();
    }
}
