package dev.holdfast;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * What a call would try, in which order, and why, as things stand. Nothing is sent and nothing is reserved for it, and no key is
 * asked for. {@code toString} is for people to read; it holds no key and no prompt.
 *
 * @param route the models, and why in that order; the likeliest where a router leaves it to chance
 * @param choice how the endpoints of the first model are chosen: {@code "failover"}
 * @param inputTokens the estimated tokens of the prompt
 * @param outputTokens the most output tokens that are reckoned with
 * @param candidates the candidates that would be tried, in their likeliest order, and between them those that would be skipped
 * @param first where the first attempt would go, the likeliest first: one where nothing is left to chance, several whose
 *     probabilities add up to 1 where it is, none where the call would end with nothing sent; where chance decides that too, their
 *     sum is less than 1
 * @param hedge what would be sent beside the likeliest first attempt if that took long, the likeliest where chance orders what comes
 *     behind it; empty where nothing would
 * @param mostAttempts how many attempts the call makes at most
 */
public record Explanation(
        Route route,
        String choice,
        long inputTokens,
        long outputTokens,
        List<Candidate> candidates,
        List<First> first,
        Optional<Hedge> hedge,
        int mostAttempts) {
    /** What is likelier prints as 100 %. */
    private static final double ALMOST_SURE = 0.995;

    /** Copies the lists. */
    public Explanation {
        candidates = List.copyOf(candidates);
        first = List.copyOf(first);
    }

    /**
     * Where the first attempt could go.
     *
     * @param target the model on an endpoint
     * @param credential the name of the key; empty where there is none, or a source issues it
     * @param probability how likely that is: above 0, at most 1, and 1 where nothing is left to chance
     * @param after how long the call would wait first, since everything rests now; zero where it would not
     */
    public record First(Target target, Optional<String> credential, double probability, Duration after) {}

    /**
     * A hedge that would be sent.
     *
     * @param target the model on an endpoint
     * @param credential the name of the key; empty where there is none, or a source issues it
     * @param after how long the first attempt would be under way by then
     */
    public record Hedge(Target target, Optional<String> credential, Duration after) {}

    /**
     * Somewhere the call could go.
     *
     * @param target the model on an endpoint
     * @param credential the name of the key; empty where there is none, or a source issues it
     * @param skipped why it would be skipped; empty if it would be tried
     * @param reason the same in words; empty if it would be tried
     * @param health how it does
     * @param neededTokens how many tokens the request takes there, in and out
     * @param contextWindow how many the model holds; empty where unknown
     * @param mostCost what an attempt there costs at most, by the estimate; empty where the price is unknown
     * @param timeout how long an attempt may take
     * @param adjusted what would be changed in the request
     */
    public record Candidate(
            Target target,
            Optional<String> credential,
            Optional<Rejection> skipped,
            String reason,
            HealthStatus health,
            long neededTokens,
            OptionalLong contextWindow,
            Optional<Cost> mostCost,
            Duration timeout,
            List<Adjustment> adjusted) {
        /** Copies the list. */
        public Candidate {
            adjusted = List.copyOf(adjusted);
        }

        /** {@return whether it would be tried} */
        public boolean isTried() {
            return skipped.isEmpty();
        }

        /** {@return one line for people} */
        @Override
        public String toString() {
            var line = new StringBuilder(target.toString());
            credential.ifPresent(name -> line.append(" with key ").append(name));
            if (!isTried()) {
                return line.append(": skipped, ").append(reason).toString();
            }
            line.append(": ").append(health.name().toLowerCase(java.util.Locale.ROOT));
            line.append(", ").append(neededTokens);
            contextWindow.ifPresent(window -> line.append(" of ").append(window));
            line.append(" tokens, ");
            line.append(mostCost.map(cost -> "at most $" + plain(cost.usd())).orElse("price unknown"));
            line.append(", timeout ").append(timeout.toMillis()).append(" ms");
            adjusted.forEach(
                    each -> line.append("; ").append(each.pointer()).append(' ').append(each.what()));
            return line.toString();
        }

        private static String plain(BigDecimal amount) {
            return amount.signum() == 0 ? "0" : amount.stripTrailingZeros().toPlainString();
        }
    }

    /** {@return the targets that would be tried, in their order, each once for each of its keys, as many as the call makes attempts} */
    public List<Target> order() {
        return candidates.stream()
                .filter(Candidate::isTried)
                .map(Candidate::target)
                .limit(mostAttempts)
                .toList();
    }

    /** {@return a line for the route, one for each candidate, and one each for what chance decides, for a wait and for a hedge} */
    @Override
    public String toString() {
        var text = new StringBuilder();
        text.append(route.models()).append(" (").append(route.reason()).append("), ");
        text.append(choice).append(", about ").append(inputTokens).append(" tokens in and at most ");
        text.append(outputTokens).append(" out");
        candidates.forEach(
                each -> text.append(each.isTried() ? "\n  try  " : "\n  skip ").append(each));
        if (first.stream().anyMatch(each -> each.probability() < ALMOST_SURE)) {
            text.append("\n  first by chance: ")
                    .append(first.stream()
                            .map(each -> each.target() + named(each.credential()) + " "
                                    + Math.round(100 * each.probability()) + " %")
                            .collect(Collectors.joining(", ")));
        }
        first.stream()
                .limit(1)
                .filter(each -> each.after().isPositive())
                .forEach(each -> text.append("\n  wait ")
                        .append(each.after().toMillis())
                        .append(" ms for ")
                        .append(each.target())
                        .append(named(each.credential())));
        hedge.ifPresent(each -> text.append("\n  hedge after ")
                .append(each.after().toMillis())
                .append(" ms: ")
                .append(each.target())
                .append(named(each.credential())));
        return text.toString();
    }

    private static String named(Optional<String> credential) {
        return credential.map(name -> " with key " + name).orElse("");
    }
}
