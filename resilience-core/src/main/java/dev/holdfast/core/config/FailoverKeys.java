package dev.holdfast.core.config;

import dev.holdfast.core.EndpointOrder;
import dev.holdfast.core.EndpointPolicy;
import dev.holdfast.core.EndpointStrategy;

/** The section {@code failover}. */
final class FailoverKeys {
    private static final Key<EndpointStrategy> STRATEGY = Key.of(
                    "strategy", Kinds.choice(EndpointStrategy.class), "how an endpoint is chosen")
            .usually("failover");
    private static final Key<EndpointOrder> ORDER = Key.of(
                    "order",
                    Kinds.choice(EndpointOrder.class),
                    "which of several equally healthy endpoints failover prefers")
            .usually("as-given");
    private static final Key<Boolean> AFFINITY = Key.of(
                    "affinity",
                    Kinds.FLAG,
                    "whether calls whose prompts begin alike go to the same endpoint while load is balanced")
            .usually("false");
    private static final Schema SCHEMA = Schema.of(
                    "how a call chooses among the endpoints of a model", STRATEGY, ORDER, AFFINITY)
            .withShorthand(STRATEGY);
    static final Key<Section> FAILOVER = Key.of("failover", Kinds.section(SCHEMA), SCHEMA.title());

    private FailoverKeys() {}

    static EndpointPolicy read(Section section) {
        EndpointPolicy policy = EndpointPolicy.failover();
        policy = section.change(
                policy, STRATEGY, (so, strategy) -> new EndpointPolicy(strategy, so.order(), so.affinity()));
        policy = section.change(policy, ORDER, EndpointPolicy::withOrder);
        return section.change(policy, AFFINITY, EndpointPolicy::withAffinity);
    }
}
