package dev.holdfast.routing;

import dev.holdfast.Cost;
import dev.holdfast.Form;
import dev.holdfast.ModelRequest;
import dev.holdfast.Route;
import dev.holdfast.Usage;
import dev.holdfast.routing.internal.request.RequestText;
import dev.holdfast.spi.ModelRouter;
import dev.holdfast.spi.PriceSource;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TokenEstimator;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Tries the configured models from the cheapest to the dearest, by what this request is expected to cost on each: its
 * input and its output, not the price of either alone. Models whose price is unknown come last; models that cost the same
 * keep the order they were configured in. An opaque request stays with its model.
 *
 * @param prices what models cost; the source that the costs of calls come from should be the same
 * @param estimator how many tokens a request takes
 * @param timekeeper when the prices are looked up
 */
public record CostRouter(PriceSource prices, TokenEstimator estimator, Timekeeper timekeeper) implements ModelRouter {
    private static final long CHARACTERS_PER_TOKEN = 4;
    private static final long USUAL_OUTPUT = 1_000;

    /**
     * {@return a router that reckons four characters to a token, and with the request's cap on output tokens, else 1,000}
     *
     * @param prices what models cost
     */
    public static CostRouter of(PriceSource prices) {
        return new CostRouter(prices, CostRouter::roughly, Timekeeper.system());
    }

    @Override
    public Route route(RouteRequest request) {
        ModelRequest asked = request.request();
        if (asked.form() == Form.OPAQUE || request.models().isEmpty()) {
            return Route.of("cost: the model it names", asked.model());
        }
        List<Candidate> candidates = candidates(request);
        return new Route(
                candidates.stream().map(Candidate::model).toList(),
                candidates.stream().map(Candidate::toString).collect(Collectors.joining(", ", "cost: ", "")));
    }

    private List<Candidate> candidates(RouteRequest request) {
        TokenEstimate tokens = estimator.estimate(request.request());
        Usage usage = Usage.of(tokens.input(), tokens.output());
        Instant now = timekeeper.now();
        return request.models().stream()
                .map(ModelStatus::model)
                .map(model -> new Candidate(model, prices.price(model, now).map(price -> price.of(usage))))
                .sorted(Candidate.CHEAPEST_FIRST)
                .toList();
    }

    private static TokenEstimate roughly(ModelRequest request) {
        long input = RequestText.characters(request.document()) / CHARACTERS_PER_TOKEN;
        return new TokenEstimate(input, request.maxOutputTokens().orElse(USUAL_OUTPUT));
    }

    private record Candidate(String model, Optional<Cost> cost) {
        static final Comparator<Candidate> CHEAPEST_FIRST = Comparator.comparing(
                candidate -> candidate.cost.map(Cost::usd).orElse(null),
                Comparator.nullsLast(Comparator.naturalOrder()));

        @Override
        public String toString() {
            return model + " " + cost.map(Cost::toString).orElse("unknown");
        }
    }
}
