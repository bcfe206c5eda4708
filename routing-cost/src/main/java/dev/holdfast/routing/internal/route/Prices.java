package dev.holdfast.routing.internal.route;

import dev.holdfast.Cost;
import dev.holdfast.Usage;
import dev.holdfast.spi.PriceSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.Optional;

/** What a request would cost, for routers. */
public final class Prices {
    private static final Logger LOG = System.getLogger(Prices.class.getName());

    private Prices() {}

    /** The cost of these tokens; empty where the price is unknown, and so is one that cannot be had: it ends no call. */
    public static Optional<Cost> costOf(PriceSource prices, String model, Instant at, Usage usage) {
        try {
            return prices.price(model, at).map(price -> price.of(usage));
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "the price source threw on " + model + "; its cost is unknown", e);
            return Optional.empty();
        }
    }
}
