package dev.holdfast.core;

/**
 * How a call chooses among the endpoints that serve a model. The default is {@link #failover()}. An endpoint is never left
 * out for its health: an unhealthy one comes last, and where all are unhealthy the least bad comes first.
 *
 * <p>An endpoint that returns to health gets its weight back little by little ({@link HealthPolicy#slowStart}).
 *
 * @param strategy how it is chosen
 * @param order which of several equally healthy ones {@link EndpointStrategy#FAILOVER} prefers
 * @param affinity whether {@link EndpointStrategy#LOAD_BALANCED} sends calls whose prompts begin alike to the same endpoint;
 *     a call's own affinity key does so in any case
 */
public record EndpointPolicy(EndpointStrategy strategy, EndpointOrder order, boolean affinity) {
    /** {@return only the first endpoint} */
    public static EndpointPolicy primaryOnly() {
        return new EndpointPolicy(EndpointStrategy.PRIMARY_ONLY, EndpointOrder.AS_GIVEN, false);
    }

    /** {@return the first healthy endpoint, in the order they were given} */
    public static EndpointPolicy failover() {
        return new EndpointPolicy(EndpointStrategy.FAILOVER, EndpointOrder.AS_GIVEN, false);
    }

    /** {@return the better of two that are drawn by weight} */
    public static EndpointPolicy loadBalanced() {
        return new EndpointPolicy(EndpointStrategy.LOAD_BALANCED, EndpointOrder.AS_GIVEN, false);
    }

    /**
     * {@return this policy with another order}
     *
     * @param preferred which of several equally healthy endpoints comes first
     */
    public EndpointPolicy withOrder(EndpointOrder preferred) {
        return new EndpointPolicy(strategy, preferred, affinity);
    }

    /**
     * {@return this policy with affinity by the beginning of the prompt, or without}
     *
     * @param byPrompt whether calls whose prompts begin alike go to the same endpoint, where the provider's prompt cache is
     *     warm
     */
    public EndpointPolicy withAffinity(boolean byPrompt) {
        return new EndpointPolicy(strategy, order, byPrompt);
    }

    /** {@return the strategy's name} */
    @Override
    public String toString() {
        return strategy.wireName();
    }
}
