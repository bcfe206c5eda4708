package dev.holdfast.routing;

import dev.holdfast.Form;
import dev.holdfast.ModelRequest;
import dev.holdfast.Route;
import dev.holdfast.routing.internal.request.ConfiguredPath;
import dev.holdfast.routing.internal.request.RequestText;
import dev.holdfast.spi.ModelRouter;
import java.util.List;
import java.util.Locale;

/**
 * The preset {@code seed}: cheap models for simple questions, able ones for complex questions.
 *
 * <p>Each {@link Complexity} of the last user message has a path of models. With {@code preferSpeed} the first of the path
 * is asked and the second stands by; without it the last is asked and the first stands by.
 *
 * <table>
 * <caption>The paths</caption>
 * <tr><th>complexity</th><th>models</th></tr>
 * <tr><td>simple</td><td>deepseek-v3.2, gemini-2.5-flash</td></tr>
 * <tr><td>moderate</td><td>gemini-2.5-flash, deepseek-v3.2, gpt-4.1</td></tr>
 * <tr><td>complex</td><td>gpt-4.1, claude-sonnet-4.5, gemini-2.5-flash</td></tr>
 * </table>
 *
 * <p>Models that are not configured are left out of the path; other spellings of one that is (see {@link PriceBook}) are
 * understood. A request that no model of its path is configured for, and an opaque one, goes to the model it names.
 *
 * @param preferSpeed whether the quick models go first
 */
public record SeedRouter(boolean preferSpeed) implements ModelRouter {
    private static final ConfiguredPath CONFIGURED =
            new ConfiguredPath(model -> PriceBook.blended().listedName(model));

    /** {@return the router that prefers speed} */
    public static SeedRouter defaults() {
        return new SeedRouter(true);
    }

    /**
     * {@return this router with the preference set}
     *
     * @param changed whether the quick models go first
     */
    public SeedRouter withPreferSpeed(boolean changed) {
        return new SeedRouter(changed);
    }

    @Override
    public Route route(RouteRequest request) {
        ModelRequest asked = request.request();
        if (asked.form() == Form.OPAQUE) {
            return Route.of("seed: an opaque request stays with its model", asked.model());
        }
        Complexity complexity = Complexity.of(
                RequestText.lastQuestion(asked), asked.maxOutputTokens().orElse(0));
        String name = complexity.name().toLowerCase(Locale.ROOT);
        List<String> path = CONFIGURED.of(path(complexity), request.models());
        return path.isEmpty()
                ? Route.of("seed: " + name + ", but no model of its path is configured", asked.model())
                : new Route(pick(path), "seed: " + name + ", prefers " + (preferSpeed ? "speed" : "quality"));
    }

    private static List<String> path(Complexity complexity) {
        return switch (complexity) {
            case SIMPLE -> List.of("deepseek-v3.2", "gemini-2.5-flash");
            case MODERATE -> List.of("gemini-2.5-flash", "deepseek-v3.2", "gpt-4.1");
            case COMPLEX -> List.of("gpt-4.1", "claude-sonnet-4.5", "gemini-2.5-flash");
        };
    }

    private List<String> pick(List<String> path) {
        return preferSpeed ? path.subList(0, Math.min(2, path.size())) : List.of(path.getLast(), path.getFirst());
    }
}
