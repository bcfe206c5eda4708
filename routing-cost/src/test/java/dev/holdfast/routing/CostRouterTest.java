package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallOptions;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.Price;
import dev.holdfast.Route;
import dev.holdfast.Usage;
import dev.holdfast.spi.ModelRouter.ModelStatus;
import dev.holdfast.spi.ModelRouter.RouteRequest;
import dev.holdfast.spi.PriceSource;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class CostRouterTest {
    private static final FixedTime TIME = new FixedTime(Instant.parse("2026-06-01T12:00:00Z"));
    private static final ModelRequest HELLO =
            ModelRequest.chat("asked").user("hello").build();

    @Test
    void theReasonTellsWhatEachModelWouldCost() {
        CostRouter router = router(Map.of("dear", split("5", "15"), "cheap", split("0.5", "1.5")), 1000, 500);
        Route route = router.route(SeedRouterTest.request(HELLO, List.of("dear", "unknown", "cheap")));
        assertThat(route.models()).containsExactly("cheap", "dear", "unknown");
        assertThat(route.reason()).isEqualTo("cost: cheap $0.00125, dear $0.0125, unknown unknown");
    }

    @Test
    void inputAndOutputOfThisRequestDecide() {
        Map<String, Price> prices = Map.of("reads", split("1", "10"), "writes", split("2", "2"));
        List<String> models = List.of("reads", "writes");
        assertThat(router(prices, 10_000, 10)
                        .route(SeedRouterTest.request(HELLO, models))
                        .models())
                .containsExactly("reads", "writes");
        assertThat(router(prices, 10, 10_000)
                        .route(SeedRouterTest.request(HELLO, models))
                        .models())
                .containsExactly("writes", "reads");
    }

    @Test
    void modelsThatCostTheSameKeepTheirOrder() {
        Map<String, Price> prices = Map.of("b", split("1", "1"), "a", split("1.0", "1.00"), "free", split("0", "0"));
        assertThat(router(prices, 1, 1)
                        .route(SeedRouterTest.request(HELLO, List.of("y", "b", "a", "x", "free")))
                        .models())
                .containsExactly("free", "b", "a", "y", "x");
    }

    @Property(tries = 300)
    void noModelComesAfterADearerOne(
            @ForAll long seed,
            @ForAll @LongRange(min = 0, max = 100_000) long input,
            @ForAll @LongRange(min = 0, max = 100_000) long output) {
        var prices = new LinkedHashMap<String, Price>();
        var random = new Random(seed);
        List<String> models = List.of("a", "b", "c", "d", "e");
        models.stream()
                .filter(model -> random.nextBoolean())
                .forEach(model -> prices.put(model, split("" + random.nextInt(3), "0." + random.nextInt(30))));

        List<String> order = router(prices, input, output)
                .route(SeedRouterTest.request(HELLO, models))
                .models();
        assertThat(order).containsExactlyInAnyOrderElementsOf(models);
        List<BigDecimal> costs = order.stream()
                .filter(prices::containsKey)
                .map(model -> prices.get(model).of(Usage.of(input, output)).usd())
                .toList();
        assertThat(costs).isSorted();
        assertThat(order.subList(0, costs.size())).allMatch(prices::containsKey);
    }

    @Test
    void withoutAnEstimatorAPictureIsReckonedAsAPictureAndNotAsText() {
        JsonObject picture =
                JsonObject.of("image_url", JsonObject.of("url", JsonValue.of("data:" + "x".repeat(100_000))));
        JsonObject message = JsonObject.of("role", JsonValue.of("user")).with("content", JsonArray.of(picture));
        ModelRequest request =
                ModelRequest.chat("asked").message(message).maxTokens(200).build();
        PriceSource prices = source(Map.of("reads", split("1", "10"), "writes", split("2", "2")));
        assertThat(CostRouter.of(prices)
                        .route(SeedRouterTest.request(request, List.of("reads", "writes")))
                        .models())
                .containsExactly("writes", "reads");
    }

    @Test
    void anOpaqueRequestStaysWithItsModelAndSoDoesOneWithoutModels() {
        CostRouter router = router(Map.of("cheap", split("0", "0")), 1, 1);
        ModelRequest opaque = ModelRequest.opaque("/embeddings", "embedder", JsonObject.empty());
        assertThat(router.route(SeedRouterTest.request(opaque, List.of("cheap")))
                        .models())
                .containsExactly("embedder");
        assertThat(router.route(SeedRouterTest.request(HELLO, List.of())).models())
                .containsExactly("asked");
    }

    @Test
    void whatDoesNotFitIsLeftOutAndWhatIsNotAvailableComesLast() {
        CostRouter router = router(
                Map.of(
                        "small",
                        split("1", "1"),
                        "down",
                        split("2", "2"),
                        "dear",
                        split("3", "3"),
                        "dearer",
                        split("4", "4")),
                900,
                200);
        Route route = router.route(new RouteRequest(
                HELLO,
                CallOptions.none(),
                List.of(
                        status("dearer", true, 1_100),
                        status("dear", true, 2_000),
                        status("down", false, 2_000),
                        status("small", true, 1_099))));
        assertThat(route.models()).containsExactly("dear", "dearer", "down");
        assertThat(route.reason())
                .isEqualTo(
                        "cost: dear $0.0033, dearer $0.0044, down $0.0022 unavailable; 1100 tokens do not fit into small");
    }

    @Test
    void whereNothingFitsEverythingIsTried() {
        CostRouter router = router(Map.of("a", split("2", "1"), "b", split("1", "1")), 900, 200);
        Route route = router.route(
                new RouteRequest(HELLO, CallOptions.none(), List.of(status("a", true, 10), status("b", true, 10))));
        assertThat(route.models()).containsExactly("b", "a");
        assertThat(route.reason()).endsWith("1100 tokens fit into none");
    }

    private static ModelStatus status(String model, boolean available, long window) {
        return new ModelStatus(model, available, OptionalLong.of(window), Optional.empty(), Optional.empty());
    }

    private static CostRouter router(Map<String, Price> prices, long input, long output) {
        return new CostRouter(source(prices), request -> new TokenEstimate(input, output), TIME);
    }

    private static PriceSource source(Map<String, Price> prices) {
        return (model, at) -> Optional.ofNullable(prices.get(model));
    }

    private static Price split(String input, String output) {
        return Price.split(new BigDecimal(input), new BigDecimal(input), new BigDecimal(output));
    }
}
