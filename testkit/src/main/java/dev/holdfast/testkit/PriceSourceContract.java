package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Price;
import dev.holdfast.spi.PriceSource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every {@link PriceSource} keeps. Extend it in a test of your own. */
public abstract class PriceSourceContract {
    private static final String NOBODYS_MODEL = "a-model-that-nobody-offers-a8f1";

    /** For subclasses. */
    protected PriceSourceContract() {}

    /** {@return the source under test} */
    protected abstract PriceSource source();

    /** {@return a model whose price the source knows} */
    protected abstract String knownModel();

    /** {@return a time at which it knows it} */
    protected Instant at() {
        return Instant.parse("2026-06-01T12:00:00Z");
    }

    /** A known model has a price, the same each time. */
    @Test
    protected void aKnownModelHasOnePrice() {
        PriceSource source = source();
        Optional<Price> price = source.price(knownModel(), at());
        assertThat(price).isPresent();
        assertThat(source.price(knownModel(), at())).isEqualTo(price);
    }

    /** An unknown model is empty: not zero, not a default, not an exception. */
    @Test
    protected void anUnknownModelIsEmpty() {
        for (String model : List.of(NOBODYS_MODEL, "", " ", "/", NOBODYS_MODEL + "/" + knownModel() + "/", "\u0000")) {
            assertThat(source().price(model, at())).as("price of \"%s\"", model).isEmpty();
        }
    }

    /** Many threads may ask at once. */
    @Test
    protected void manyThreadsMayAsk() {
        PriceSource source = source();
        assertThat(IntStream.range(0, 1_000)
                        .parallel()
                        .mapToObj(i -> source.price(i % 2 == 0 ? knownModel() : NOBODYS_MODEL, at()))
                        .filter(Optional::isPresent))
                .hasSize(500);
    }
}
