package dev.holdfast.tests.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.Price;
import dev.holdfast.Spend;
import dev.holdfast.Usage;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.internal.dialect.OpenAiDialect;
import dev.holdfast.routing.CostRouter;
import dev.holdfast.routing.PriceBook;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.DialectException;
import dev.holdfast.spi.ModelRouter.ModelStatus;
import dev.holdfast.spi.ModelRouter.RouteRequest;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TokenEstimator;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import dev.holdfast.tests.behaviour.World;
import dev.holdfast.tests.plugins.ReportedFailures.Case;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reported failures of accounting and of routing by price, played against a price file of the case's own prices. */
class CostCasesTest {
    private static final Map<String, String> PRICES =
            Map.of("input", "input", "cached_input", "cachedInput", "output", "output");

    private static final ModelRequest HELLO =
            ModelRequest.chat("m").user("hello").build();

    @TempDir
    Path directory;

    @Test
    void tokensCostWhatTheyCostToTheLastDigit() throws Exception {
        int played = 0;
        for (Case reported : ReportedFailures.of("cost-accounting", "cost")) {
            List<JsonValue> variants = reported.given().list("variants");
            List<JsonValue> expected = reported.expected().list("variant_expect");
            played += play(reported, reported.given(), reported.expected());
            for (int i = 0; i < variants.size(); i++) {
                JsonObject variant = variants.get(i).asObject().orElseThrow();
                JsonObject prices = variant.object("prices")
                        .orElse(reported.given().object("prices").orElseThrow());
                played += play(
                        reported,
                        variant.with("prices", prices),
                        expected.get(i).asObject().orElseThrow());
            }
        }
        assertThat(played).as("rows played").isEqualTo(6);
    }

    @Test
    void theCheapestForThisRequestComesFirstAndTheUnknownLast() throws IOException {
        List<Case> cases = ReportedFailures.of("cost-routing", "route_cost");
        assertThat(cases).hasSize(2);
        for (Case reported : cases) {
            List<String> expected = texts(reported.expected().list("order"));
            assertThat(order(reported.given())).as("%s", reported).isEqualTo(expected);
        }
    }

    /** Rows that name a local estimate, through a client: what is absent is estimated, what is there is not. */
    @Test
    void whatIsAbsentIsEstimatedAndSaidToBe() {
        int played = 0;
        for (Case reported : ReportedFailures.of("cost-accounting", "cost")) {
            Optional<JsonObject> estimate = reported.given().object("local_estimate");
            if (estimate.isEmpty()) {
                continue;
            }
            List<JsonValue> expected = new ArrayList<>(reported.expected().list("variant_expect"));
            expected.addFirst(reported.expected());
            List<JsonValue> variants = new ArrayList<>(reported.given().list("variants"));
            variants.addFirst(reported.given());
            for (int i = 0; i < variants.size(); i++) {
                JsonValue usage = variants.get(i)
                        .asObject()
                        .flatMap(row -> row.get("usage"))
                        .orElseThrow();
                Spend spend = spend(usage, reported.given().object("prices").orElseThrow(), estimate.get());
                JsonObject expect = expected.get(i).asObject().orElseThrow();
                assertThat(spend.basis() == Spend.Basis.ESTIMATED)
                        .as("%s", reported)
                        .isEqualTo(expect.get("estimated").orElseThrow().isTrue());
                expect.text("cost_usd")
                        .ifPresent(usd -> assertThat(spend.cost()).contains(new Cost(new BigDecimal(usd))));
                played++;
            }
        }
        assertThat(played).isEqualTo(3);
    }

    private static Spend spend(JsonValue usage, JsonObject prices, JsonObject estimate) {
        JsonObject message = JsonObject.of("role", JsonValue.of("assistant")).with("content", JsonValue.of("ok"));
        JsonObject choice = JsonObject.of("message", message).with("finish_reason", JsonValue.of("stop"));
        JsonObject document = JsonObject.of("choices", JsonArray.of(choice)).with("usage", usage);
        World world = World.always(Reply.json(200, document));
        Price price = Price.of(Price.Rates.of(decimal(prices, "input"), decimal(prices, "output")));
        // The estimator is asked for the prompt, and for the answer as an assistant's message.
        TokenEstimator local = request -> new TokenEstimate(
                estimate.longValue(isAnswer(request) ? "completion_tokens" : "prompt_tokens")
                        .orElseThrow(),
                1);
        try (ResilientClient client = world.builder()
                .prices((model, at) -> Optional.of(price))
                .tokenEstimator(local)
                .build()) {
            return world.call(client).answer().attempts().getLast().spend().orElseThrow();
        }
    }

    private static boolean isAnswer(ModelRequest request) {
        return request.document()
                .list("messages")
                .getFirst()
                .asObject()
                .orElseThrow()
                .text("role")
                .filter("assistant"::equals)
                .isPresent();
    }

    private static BigDecimal decimal(JsonObject prices, String name) {
        return new BigDecimal(prices.text(name).orElseThrow());
    }

    /** Plays a row whose usage is there; what is missing is played through a client. */
    private int play(Case reported, JsonObject given, JsonObject expected) throws Exception {
        Optional<Usage> usage = usage(given.get("usage").orElseThrow());
        if (usage.isEmpty()) {
            return 0;
        }
        PriceBook book = load(Map.of("m", given.object("prices").orElseThrow()));
        Cost cost = book.estimateCost("m", usage.get()).orElseThrow();
        if (expected.text("cost_usd").isPresent()) {
            assertThat(cost)
                    .as("%s", reported)
                    .isEqualTo(new Cost(new BigDecimal(expected.text("cost_usd").get())));
        } else {
            assertThat(cost.usd()).as("%s", reported).isNotNegative();
        }
        expected.longValue("total_tokens")
                .ifPresent(total ->
                        assertThat(usage.get().total()).as("%s", reported).isEqualTo(total));
        assertThat(usage.get().contradictory())
                .as("%s", reported)
                .isEqualTo(expected.text("flag")
                        .filter("inconsistent_usage"::equals)
                        .isPresent());
        return 1;
    }

    /** As a client reads it from an answer. */
    private static Optional<Usage> usage(JsonValue usage) throws DialectException {
        JsonObject message = JsonObject.of("role", JsonValue.of("assistant")).with("content", JsonValue.of("ok"));
        JsonObject choice = JsonObject.of("message", message).with("finish_reason", JsonValue.of("stop"));
        JsonObject document = JsonObject.of("choices", JsonArray.of(choice)).with("usage", usage);
        return new OpenAiDialect().decodeAnswer(HELLO, document).usage();
    }

    private List<String> order(JsonObject given) throws IOException {
        JsonObject request = given.object("request").orElseThrow();
        var tokens = new TokenEstimate(
                request.longValue("prompt_tokens").orElseThrow(),
                request.longValue("max_tokens").orElseThrow());
        Map<String, JsonObject> prices = new TreeMap<>();
        List<ModelStatus> models = new ArrayList<>();
        for (JsonValue value : given.list("candidates")) {
            JsonObject candidate = value.asObject().orElseThrow();
            String model = candidate.text("model").orElseThrow();
            models.add(new ModelStatus(model, true, OptionalLong.empty(), Optional.empty(), Optional.empty()));
            prices.put(model, candidate);
        }
        given.object("price_table")
                .ifPresent(table -> table.members()
                        .forEach((model, price) ->
                                prices.put(model, price.asObject().orElseThrow())));
        return new CostRouter(load(prices), estimated -> tokens, Timekeeper.system())
                .route(new RouteRequest(HELLO, CallOptions.none(), models))
                .models();
    }

    /** A model without a price is not in the file. */
    private PriceBook load(Map<String, JsonObject> prices) throws IOException {
        String models = prices.entrySet().stream()
                .filter(entry -> entry.getValue().text("input").isPresent())
                .map(entry -> "{\"name\": \"" + entry.getKey() + "\", " + members(entry.getValue()) + "}")
                .collect(Collectors.joining(", "));
        Path file = directory.resolve("prices.json");
        Files.writeString(file, "{\"asOf\": \"2026-01-31\", \"models\": [" + models + "]}");
        return PriceBook.load(file);
    }

    private static String members(JsonObject prices) {
        return prices.members().entrySet().stream()
                .filter(member -> PRICES.containsKey(member.getKey()))
                .map(member -> "\"" + PRICES.get(member.getKey()) + "\": "
                        + member.getValue().asText().orElseThrow())
                .collect(Collectors.joining(", "));
    }

    private static List<String> texts(List<JsonValue> values) {
        return values.stream().map(value -> value.asText().orElseThrow()).toList();
    }
}
