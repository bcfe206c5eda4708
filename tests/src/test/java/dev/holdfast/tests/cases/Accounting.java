package dev.holdfast.tests.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.Price;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.routing.Ledger;
import dev.holdfast.routing.Totals;
import dev.holdfast.tests.behaviour.World;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;

/** Plays a case that asks what a ledger says of a call. */
final class Accounting {
    private Accounting() {}

    static void play(Case one) {
        World world = Setting.world(one);
        Price price = price(one.given().path("prices"));
        Ledger ledger = Ledger.of(10, world.time());
        try (ResilientClient client = Setting.client(one, world)
                .prices((model, at) -> Optional.of(price))
                .listener(ledger)
                .build()) {
            world.call(client, options(one)).answer();
        }
        one.expect().properties().forEach(field -> check(field.getKey(), field.getValue(), ledger.total()));
    }

    private static void check(String name, JsonNode expected, Totals totals) {
        switch (name) {
            case "ledger_entries" -> assertThat(totals.attempts()).as(name).isEqualTo(expected.asLong());
            case "exact_entries" -> assertThat(totals.exactAttempts()).as(name).isEqualTo(expected.asLong());
            case "exact_usd" ->
                assertThat(totals.reported().cost()).as(name).isEqualTo(new Cost(new BigDecimal(expected.asText())));
            case "total_is_lower_bound" ->
                assertThat(totals.isLowerBound()).as(name).isEqualTo(expected.asBoolean());
            default -> throw new AssertionError("an unknown expectation: " + name);
        }
    }

    /** A provider that is slower than the caller's patience. */
    private static CallOptions options(Case one) {
        return Case.elements(one.given().path("server"))
                .filter(reply -> reply.has("client_timeout_ms"))
                .findFirst()
                .map(reply -> CallOptions.none()
                        .withTimeout(Duration.ofMillis(
                                reply.path("client_timeout_ms").asLong())))
                .orElse(CallOptions.none());
    }

    private static Price price(JsonNode prices) {
        return Price.of(Price.Rates.of(decimal(prices, "input"), decimal(prices, "output")));
    }

    private static BigDecimal decimal(JsonNode prices, String name) {
        return new BigDecimal(prices.path(name).asText());
    }
}
