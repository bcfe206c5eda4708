package dev.holdfast.spi;

import dev.holdfast.Price;
import java.time.Instant;
import java.util.Optional;

/**
 * Knows what models cost. An unknown price is empty, never zero.
 *
 * <p>Called by the thread of the call; must not block. A price it throws for is unknown.
 *
 * <p>Found by {@link java.util.ServiceLoader} where the builder names none: a public class with a public constructor
 * without parameters.
 */
@FunctionalInterface
public interface PriceSource {
    /**
     * {@return the price, else empty}
     *
     * @param model the model, as the route names it
     * @param at when it is used
     */
    Optional<Price> price(String model, Instant at);
}
