package dev.holdfast.tests.regions;

import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.EndpointPolicy;
import dev.holdfast.core.HedgePolicy;
import dev.holdfast.core.ProbePolicy;
import java.util.function.UnaryOperator;

/** How a client meets the weather. */
enum Tactic {
    PRIMARY_ONLY(builder -> builder.endpointPolicy(EndpointPolicy.primaryOnly())),
    FAILOVER(builder -> builder.endpointPolicy(EndpointPolicy.failover())),
    FAILOVER_PROBES(builder -> builder.endpointPolicy(EndpointPolicy.failover()).probes(ProbePolicy.defaults())),
    FAILOVER_HEDGE(builder -> builder.endpointPolicy(EndpointPolicy.failover()).hedge(HedgePolicy.afterPercentile(95))),
    LOAD_BALANCED(builder -> builder.endpointPolicy(EndpointPolicy.loadBalanced())),
    ALL(builder -> builder.endpointPolicy(EndpointPolicy.loadBalanced())
            .probes(ProbePolicy.defaults())
            .hedge(HedgePolicy.afterPercentile(95)));

    private final UnaryOperator<ClientBuilder> change;

    Tactic(UnaryOperator<ClientBuilder> change) {
        this.change = change;
    }

    ClientBuilder on(ClientBuilder builder) {
        return change.apply(builder);
    }

    String title() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
