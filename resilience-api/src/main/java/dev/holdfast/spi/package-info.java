/**
 * What a plugin implements. Each interface says in its javadoc which threads call it, how often, and what it may throw.
 *
 * <pre>{@code
 * var client = ResilientClient.builder()
 *         .endpoint(endpoint)
 *         .router(request -> Route.of("always the small one", "gpt-4.1-mini"))
 *         .build();
 * }</pre>
 *
 * <p>A builder call comes first. {@link java.util.ServiceLoader} finds only {@link dev.holdfast.spi.Transport},
 * {@link dev.holdfast.spi.Dialect} and {@link dev.holdfast.spi.PriceSource}: adding a jar changes nothing else. Later
 * versions add to these interfaces only by default methods.
 *
 * <p>Unless its contract says otherwise, an implementation is called by many threads at once, most of them virtual; it
 * takes its time and its waits from the {@link dev.holdfast.spi.Timekeeper} it is given and never blocks inside a
 * monitor.
 */
package dev.holdfast.spi;
