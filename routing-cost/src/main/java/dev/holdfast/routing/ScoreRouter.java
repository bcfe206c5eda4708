package dev.holdfast.routing;

import dev.holdfast.Form;
import dev.holdfast.ModelRequest;
import dev.holdfast.Route;
import dev.holdfast.routing.internal.request.RequestText;
import dev.holdfast.spi.ModelRouter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Asks the strong model where the last user message scores high, else the weak one; the other stands by. A model that is not
 * configured is left out; with neither, and for an opaque request, it is the model that the request names.
 *
 * <pre>{@code
 * LexicalScorer scorer = LexicalScorer.train(graded);
 * ModelRouter router = new ScoreRouter(scorer::score, scorer.thresholdFor(0.3, prompts), "gpt-4.1", "gpt-4.1-mini");
 * }</pre>
 *
 * @param score how much a message asks for the strong model; thread-safe, must not block
 * @param threshold from this score on the strong model is asked
 * @param strong the strong model
 * @param weak the weak model
 */
public record ScoreRouter(ToDoubleFunction<String> score, double threshold, String strong, String weak)
        implements ModelRouter {
    @Override
    public Route route(RouteRequest request) {
        ModelRequest asked = request.request();
        if (asked.form() == Form.OPAQUE) {
            return Route.of("score: an opaque request stays with its model", asked.model());
        }
        double scored = score.applyAsDouble(RequestText.lastQuestion(asked));
        boolean high = scored >= threshold;
        List<String> configured =
                request.models().stream().map(ModelStatus::model).toList();
        List<String> path = (high ? List.of(strong, weak) : List.of(weak, strong))
                .stream().filter(configured::contains).toList();
        String reason = String.format(
                Locale.ROOT, "score: %.3f, %s from %.3f", scored, high ? "strong" : "weak, strong", threshold);
        return path.isEmpty()
                ? Route.of(reason + ", but neither is configured", asked.model())
                : new Route(path, reason);
    }
}
