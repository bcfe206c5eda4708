/**
 * Chooses models, and knows what they cost.
 *
 * <pre>{@code
 * PriceBook prices = PriceBook.listPrices().withOverrides(PriceBook.load(Path.of("our-prices.json")));
 * var client = ResilientClient.builder()
 *         .endpoint(endpoint)
 *         .prices(prices)
 *         .router(CostRouter.of(prices))
 *         .build();
 * }</pre>
 *
 * <p>{@link dev.holdfast.routing.PriceBook} is found by itself where the builder names no
 * {@link dev.holdfast.spi.PriceSource}; a router is used only where the builder names it.
 */
package dev.holdfast.routing;
