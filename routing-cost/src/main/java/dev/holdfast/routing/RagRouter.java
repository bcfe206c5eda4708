package dev.holdfast.routing;

import dev.holdfast.Form;
import dev.holdfast.ModelRequest;
import dev.holdfast.Route;
import dev.holdfast.routing.internal.request.ConfiguredPath;
import dev.holdfast.routing.internal.request.RequestText;
import dev.holdfast.spi.ModelRouter;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The preset {@code rag}, for answers from retrieved documents: deepseek-v3.2 for more than 8,000 tokens of context, else
 * gpt-4.1 for premium users, else gemini-2.5-flash; gemini-2.5-flash and deepseek-v3.2 stand by. A token is four
 * characters, reckoned document by document.
 *
 * <p>A user is premium if the call's tag {@code tier} is {@code premium} or {@code enterprise}.
 *
 * <p>Models that are not configured are left out; other spellings of one that is (see {@link PriceBook}) are understood. A
 * request that no model is configured for, and an opaque one, goes to the model it names.
 *
 * @param context the documents that a request brings along
 */
public record RagRouter(Function<ModelRequest, List<String>> context) implements ModelRouter {
    private static final String BUDGET = "deepseek-v3.2";
    private static final String DETAILED = "gpt-4.1";
    private static final String BALANCED = "gemini-2.5-flash";
    private static final long LARGE_CONTEXT_TOKENS = 8_000;
    private static final Set<String> PREMIUM = Set.of("premium", "enterprise");
    private static final ConfiguredPath CONFIGURED =
            new ConfiguredPath(model -> PriceBook.blended().listedName(model));

    /** {@return the router that takes the last user message, whole, for the context} */
    public static RagRouter defaults() {
        return new RagRouter(request -> List.of(RequestText.lastQuestion(request)));
    }

    /**
     * {@return this router with another way to find the context}
     *
     * @param changed the documents that a request brings along
     */
    public RagRouter withContext(Function<ModelRequest, List<String>> changed) {
        return new RagRouter(changed);
    }

    @Override
    public Route route(RouteRequest request) {
        ModelRequest asked = request.request();
        if (asked.form() == Form.OPAQUE) {
            return Route.of("rag: an opaque request stays with its model", asked.model());
        }
        long tokens = context.apply(asked).stream().mapToLong(RagRouter::tokens).sum();
        boolean premium = PREMIUM.contains(request.options().tags().getOrDefault("tier", "standard"));
        String reason = "rag: " + tokens + " tokens of context, " + (premium ? "premium" : "standard");
        List<String> path = CONFIGURED.of(List.of(first(tokens, premium), BALANCED, BUDGET), request.models());
        return path.isEmpty()
                ? Route.of(reason + ", but no model of its path is configured", asked.model())
                : new Route(path, reason);
    }

    private static String first(long tokens, boolean premium) {
        if (tokens > LARGE_CONTEXT_TOKENS) {
            return BUDGET;
        }
        return premium ? DETAILED : BALANCED;
    }

    private static long tokens(String document) {
        return document.codePointCount(0, document.length()) / 4;
    }
}
