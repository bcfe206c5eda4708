package dev.holdfast.gateway.internal.call;

import dev.holdfast.Explanation;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.Route;
import dev.holdfast.Target;
import dev.holdfast.spi.ModelRouter.LikelyRoute;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Writes an {@link Explanation} as a document. */
final class ExplanationJson {
    private static final MathContext DIGITS = new MathContext(6);

    private ExplanationJson() {}

    /** A call whose route is chosen by chance: on the likeliest, and where it begins on any. */
    static JsonObject of(List<LikelyRoute> routes, Function<Route, Explanation> explains) {
        LikelyRoute likeliest = routes.getFirst();
        Map<Target, Explanation.First> firsts = new LinkedHashMap<>();
        for (LikelyRoute each : routes) {
            for (Explanation.First first : explains.apply(each.route()).first()) {
                firsts.merge(first.target(), timesAs(first, each.probability()), ExplanationJson::either);
            }
        }
        return of(explains.apply(likeliest.route()))
                .with("reason", JsonValue.of(likeliest.route().reason()))
                .with(
                        "first",
                        firsts(firsts.values().stream()
                                .sorted(Comparator.comparingDouble(Explanation.First::probability)
                                        .reversed())
                                .toList()));
    }

    private static Explanation.First timesAs(Explanation.First first, double probability) {
        return new Explanation.First(
                first.target(), first.credential(), probability * first.probability(), first.after());
    }

    private static Explanation.First either(Explanation.First one, Explanation.First other) {
        return new Explanation.First(
                one.target(), one.credential(), Math.min(1, one.probability() + other.probability()), one.after());
    }

    static JsonObject of(Explanation explanation) {
        JsonObject.Builder json = JsonObject.builder()
                .with(
                        "models",
                        new JsonArray(explanation.route().models().stream()
                                .<JsonValue>map(JsonValue::of)
                                .toList()))
                .with("reason", JsonValue.of(explanation.route().reason()))
                .with("choice", JsonValue.of(explanation.choice()))
                .with("input_tokens", JsonValue.of(explanation.inputTokens()))
                .with("output_tokens", JsonValue.of(explanation.outputTokens()))
                .with(
                        "candidates",
                        new JsonArray(explanation.candidates().stream()
                                .<JsonValue>map(ExplanationJson::candidate)
                                .toList()))
                .with("first", firsts(explanation.first()));
        explanation.hedge().ifPresent(hedge -> json.with("hedge", hedge(hedge)));
        return json.with("most_attempts", JsonValue.of(explanation.mostAttempts()))
                .build();
    }

    private static JsonArray firsts(List<Explanation.First> firsts) {
        return new JsonArray(
                firsts.stream().<JsonValue>map(ExplanationJson::first).toList());
    }

    private static JsonObject first(Explanation.First first) {
        return JsonObject.builder()
                .with("model", JsonValue.of(first.target().model()))
                .with("endpoint", JsonValue.of(first.target().endpoint()))
                .with("probability", JsonValue.of(new BigDecimal(first.probability()).round(DIGITS)))
                .with("after_ms", JsonValue.of(first.after().toMillis()))
                .build();
    }

    private static JsonObject hedge(Explanation.Hedge hedge) {
        return JsonObject.builder()
                .with("model", JsonValue.of(hedge.target().model()))
                .with("endpoint", JsonValue.of(hedge.target().endpoint()))
                .with("after_ms", JsonValue.of(hedge.after().toMillis()))
                .build();
    }

    private static JsonObject candidate(Explanation.Candidate candidate) {
        JsonObject.Builder json = JsonObject.builder()
                .with("model", JsonValue.of(candidate.target().model()))
                .with("endpoint", JsonValue.of(candidate.target().endpoint()))
                .with("tried", JsonValue.of(candidate.isTried()));
        if (!candidate.isTried()) {
            json.with("skipped_since", JsonValue.of(candidate.reason()));
        }
        json.with("health", JsonValue.of(candidate.health().name().toLowerCase(Locale.ROOT)))
                .with("needed_tokens", JsonValue.of(candidate.neededTokens()));
        candidate.contextWindow().ifPresent(window -> json.with("context_window", JsonValue.of(window)));
        candidate.mostCost().ifPresent(cost -> json.with("most_cost_usd", JsonValue.of(cost.usd())));
        json.with("timeout_ms", JsonValue.of(candidate.timeout().toMillis()));
        if (!candidate.adjusted().isEmpty()) {
            json.with(
                    "adjusted",
                    new JsonArray(candidate.adjusted().stream()
                            .<JsonValue>map(each -> JsonValue.of(each.pointer() + " " + each.what()))
                            .toList()));
        }
        return json.build();
    }
}
