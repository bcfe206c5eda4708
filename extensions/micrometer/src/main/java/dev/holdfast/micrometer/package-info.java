/**
 * Meters of Micrometer for a client of Holdfast. Start with {@link dev.holdfast.micrometer.ClientMetrics}.
 *
 * <pre>{@code
 * ClientMetrics metrics = ClientMetrics.of(registry);
 * ResilientClient client = ResilientClient.builder().endpoint(endpoint).listener(metrics).build();
 * metrics.watch(client);
 * }</pre>
 */
@org.jspecify.annotations.NullMarked
package dev.holdfast.micrometer;
