package dev.holdfast.core.internal.call;

import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.Failure;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.Price;
import dev.holdfast.Spend;
import dev.holdfast.Spend.Basis;
import dev.holdfast.ToolCall;
import dev.holdfast.Usage;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.spi.SpendGuard.SpendRequest;
import dev.holdfast.spi.TokenEstimator;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the attempts of one call use and cost. What the provider reports is a fact; what it leaves out of an answer, and what
 * a lost attempt may have used, is estimated and said to be. Tokens are guessed once for each call, and only where they are
 * asked for.
 */
final class Spending {
    private static final Logger LOG = LoggerFactory.getLogger(Spending.class);
    /** No answer has more tokens than this; sums of such counts do not overflow. */
    private static final long MOST = 1_000_000_000_000_000L;

    private final ModelRequest request;
    private final TokenEstimator estimator;
    private final Function<String, Optional<Price>> prices;
    private @Nullable TokenEstimate guess;

    Spending(ModelRequest request, TokenEstimator estimator, Function<String, Optional<Price>> prices) {
        this.request = request;
        this.estimator = estimator;
        this.prices = prices;
    }

    TokenEstimate estimate() {
        TokenEstimate known = guess;
        if (known == null) {
            known = estimator.estimate(request);
            guess = known;
        }
        return known;
    }

    /** Whether the request itself says how much may come out. */
    boolean capsOutput() {
        return request.maxOutputTokens().isPresent();
    }

    /** What an attempt on this model may cost. */
    Optional<Cost> most(ModelSettings model) {
        return prices.apply(model.name())
                .map(price -> price.of(Usage.of(estimate().input(), outputOf(model))));
    }

    /** No model is sent a larger cap than its own. */
    private long outputOf(ModelSettings model) {
        long output = estimate().output();
        return Math.min(output, model.maxOutput().orElse(output));
    }

    SpendRequest requestFor(Candidate candidate, CallOptions options) {
        return new SpendRequest(options, candidate.target(), most(candidate.model()));
    }

    Spend of(ModelAnswer answer, String model) {
        if (answer.usage().isPresent()) {
            Usage usage = answer.usage().get();
            return new Spend(usage, prices.apply(model).map(price -> price.of(usage)), Basis.REPORTED);
        }
        try {
            Usage usage = estimated(answer);
            return new Spend(usage, prices.apply(model).map(price -> price.of(usage)), Basis.ESTIMATED);
        } catch (RuntimeException e) {
            LOG.warn("the token estimator threw; what an answer without usage cost is unknown", e);
            return new Spend(Usage.NONE, Optional.empty(), Basis.ESTIMATED);
        }
    }

    /**
     * What a failed attempt may have cost: nothing where nothing was sent or the provider refused; else as much as it was
     * reckoned with. An answer that came and cannot be used was made all the same.
     */
    Optional<Spend> of(Failure failure, ModelSettings model) {
        boolean unusable =
                switch (failure.kind()) {
                    case MALFORMED_RESPONSE, EMPTY_RESPONSE, TRUNCATED ->
                        failure.status().orElse(200) < 300;
                    default -> false;
                };
        return failure.mayHaveBeenBilled() || unusable ? Optional.of(possible(model)) : Optional.empty();
    }

    /** Told after the fact: an estimator that throws must not cost an answer or hide a failure. */
    Spend possible(ModelSettings model) {
        try {
            return new Spend(Usage.of(estimate().input(), outputOf(model)), most(model), Basis.POSSIBLE);
        } catch (RuntimeException e) {
            LOG.warn("the token estimator threw; what an attempt may have cost is unknown", e);
            return new Spend(Usage.NONE, Optional.empty(), Basis.POSSIBLE);
        }
    }

    /** The server said nothing of tokens, or only of one side: that side is kept. */
    private Usage estimated(ModelAnswer answer) {
        Optional<JsonObject> said =
                answer.document().object("usage").or(() -> answer.document().object("usageMetadata"));
        long input = said(said, "prompt_tokens", "input_tokens", "promptTokenCount")
                .orElseGet(() -> estimate().input());
        long output = said(said, "completion_tokens", "output_tokens", "candidatesTokenCount")
                .orElseGet(() -> tokensOf(answer));
        return Usage.of(input, output);
    }

    private long tokensOf(ModelAnswer answer) {
        String calls = answer.toolCalls().stream().map(Spending::written).collect(Collectors.joining("\n"));
        ModelRequest written = ModelRequest.chat(request.model())
                .assistant(answer.text().orElse("") + calls)
                .build();
        return estimator.estimate(written).input();
    }

    private static String written(ToolCall call) {
        return call.name() + call.arguments();
    }

    private static OptionalLong said(Optional<JsonObject> usage, String... names) {
        for (String name : names) {
            OptionalLong count = usage.map(each -> each.longValue(name)).orElse(OptionalLong.empty());
            if (count.isPresent() && count.getAsLong() >= 0) {
                return OptionalLong.of(Math.min(count.getAsLong(), MOST));
            }
        }
        return OptionalLong.empty();
    }
}
