package dev.holdfast.core.config;

import dev.holdfast.FailureKind;
import dev.holdfast.core.Backoff;
import dev.holdfast.core.KindPolicy;
import dev.holdfast.core.RetryBudgetPolicy;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.spi.BackoffStrategy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The section {@code retry}. */
final class RetryKeys {
    private static final Key<RetryPolicy> PRESET = Key.of(
                    "preset",
                    Kinds.written(
                            "a preset ("
                                    + String.join(
                                            ", ",
                                            new TreeSet<>(RetryPolicy.presets().keySet()))
                                    + ") or a text such as retry(4 attempts, exponential(1s, x2, max 60s))",
                            RetryKeys::named),
                    "what holds where nothing else in this section says otherwise")
            .usually("standard");
    private static final Key<Integer> MAX_ATTEMPTS = Key.of(
                    "max-attempts", Kinds.count(1, 1_000), "attempts on one target, the first included")
            .usually("4");
    private static final Key<Integer> PER_CALL = Key.of(
                    "max-attempts-per-call", Kinds.count(1, 10_000), "attempts of a call on all its targets")
            .usually("8");
    private static final Key<BackoffStrategy> BACKOFF = Key.of(
                    "backoff",
                    Kinds.<BackoffStrategy>written(
                            "a backoff such as exponential(1s, x2, max 60s, jitter 0.5)", Backoff::parse),
                    "how long to wait before a retry that no server asked for")
            .usually("exponential(1s, x2, max 60s, jitter 0.5)");
    private static final Key<Double> RATIO = Key.of(
                    "ratio", Kinds.number(0, 10), "how many retries and hedges each first attempt earns")
            .usually("0.2");
    private static final Key<Integer> RESERVE = Key.of(
                    "reserve", Kinds.count(0, 1_000_000), "how many more are allowed, refilled over a minute")
            .usually("100");
    private static final Schema BUDGET = Schema.of("the retry budget of each target", RATIO, RESERVE);
    private static final Key<Section> BUDGET_KEY = Key.of("budget", Kinds.section(BUDGET), BUDGET.title());
    private static final Key<Duration> MAX_SUGGESTED = Key.of(
                    "max-suggested-delay", Kinds.DURATION, "the longest wait that a server may ask for")
            .usually("60s");
    private static final Key<Duration> FALLBACK_OVER = Key.of(
                    "fallback-if-wait-over",
                    Kinds.DURATION,
                    "a longer wait moves the call to the next model, if there is one")
            .usually("5s");
    private static final Key<Duration> MIN_INTERVAL = Key.of(
                    "min-interval", Kinds.DURATION, "the least time between two attempts of a call")
            .usually("0s");
    private static final Key<List<FailureKind>> FALLBACK_ON = Key.of(
            "fallback-on",
            Kinds.list(Kinds.choice(kindsByName())),
            "failures that another model may mend, beside those that do");
    private static final Key<Boolean> COOLDOWNS = Key.of(
                    "cooldowns", Kinds.FLAG, "whether a limited, used-up or misconfigured target rests")
            .usually("true");
    private static final Key<Boolean> WAIT_WHEN_OPEN = Key.of(
                    "wait-when-open",
                    Kinds.FLAG,
                    "whether a call waits for an open breaker as long as max-suggested-delay when nothing else is left; otherwise no longer than fallback-if-wait-over")
            .usually("false");
    private static final Key<Boolean> ONLY_IF_IDEMPOTENT = Key.of(
                    "only-if-idempotent",
                    Kinds.FLAG,
                    "whether what may have been executed is sent again only where idempotency keys are honoured")
            .usually("false");
    private static final Key<Map<String, KindPolicy>> BY_FAILURE = Key.of(
            "by-failure",
            Kinds.byName(Kinds.written("never, 2 attempts, or backoff fixed(1s)", RetryKeys::kindPolicy)),
            "other bounds and backoffs for kinds of failure, by their names");

    private static final Schema SCHEMA = Schema.of(
                    "retries on the same target",
                    PRESET,
                    MAX_ATTEMPTS,
                    PER_CALL,
                    BACKOFF,
                    BUDGET_KEY,
                    MAX_SUGGESTED,
                    FALLBACK_OVER,
                    MIN_INTERVAL,
                    FALLBACK_ON,
                    COOLDOWNS,
                    WAIT_WHEN_OPEN,
                    ONLY_IF_IDEMPOTENT,
                    BY_FAILURE)
            .withShorthand(PRESET);
    static final Key<Section> RETRY = Key.of("retry", Kinds.section(SCHEMA), SCHEMA.title());

    private RetryKeys() {}

    static RetryPolicy read(Section section) {
        RetryPolicy policy = section.get(PRESET).orElseGet(RetryPolicy::standard);
        policy = section.change(policy, MAX_ATTEMPTS, RetryPolicy::withMaxAttempts);
        policy = section.change(policy, PER_CALL, RetryPolicy::withMaxAttemptsPerCall);
        policy = section.change(policy, BACKOFF, RetryPolicy::withBackoff);
        policy = section.change(policy, BUDGET_KEY, (so, budget) -> so.withBudget(budget(so, budget)));
        policy = section.change(policy, MAX_SUGGESTED, RetryPolicy::withMaxSuggestedDelay);
        policy = section.change(policy, FALLBACK_OVER, RetryPolicy::withFallbackIfWaitOver);
        policy = section.change(policy, MIN_INTERVAL, RetryPolicy::withMinInterval);
        policy = section.change(
                policy, FALLBACK_ON, (so, kinds) -> so.withFallbackOn(kinds.toArray(FailureKind[]::new)));
        policy = section.change(policy, COOLDOWNS, (so, on) -> on ? so : so.withoutCooldowns());
        policy = section.change(policy, WAIT_WHEN_OPEN, RetryPolicy::withWaitWhenOpen);
        policy = section.change(policy, ONLY_IF_IDEMPOTENT, RetryPolicy::withOnlyIfIdempotent);
        return section.change(policy, BY_FAILURE, RetryKeys::withKinds);
    }

    private static RetryBudgetPolicy budget(RetryPolicy policy, Section section) {
        RetryBudgetPolicy budget = policy.budget().orElseGet(RetryBudgetPolicy::defaults);
        budget = section.change(budget, RATIO, RetryBudgetPolicy::withRatio);
        return section.change(budget, RESERVE, RetryBudgetPolicy::withReserve);
    }

    private static RetryPolicy withKinds(RetryPolicy policy, Map<String, KindPolicy> byName) {
        Map<String, FailureKind> known = kindsByName();
        RetryPolicy changed = policy;
        for (var each : byName.entrySet()) {
            FailureKind kind = known.get(each.getKey());
            if (kind == null) {
                throw new IllegalArgumentException(each.getKey() + ": no kind of failure (expected: one of "
                        + String.join(", ", known.keySet()) + ")");
            }
            changed = changed.withKind(kind, each.getValue());
        }
        return changed;
    }

    private static RetryPolicy named(String text) {
        return text.contains("(") ? RetryPolicy.parse(text) : RetryPolicy.parse(text + "()");
    }

    /** Read by the text form of the whole policy, so that both say the same. */
    private static KindPolicy kindPolicy(String text) {
        KindPolicy read =
                RetryPolicy.parse("retry(timeout " + text + ")").kinds().get(FailureKind.TIMEOUT);
        if (read == null) {
            throw new IllegalArgumentException(text + " (expected: never, 2 attempts, or backoff fixed(1s))");
        }
        return read;
    }

    private static Map<String, FailureKind> kindsByName() {
        var byName = new LinkedHashMap<String, FailureKind>();
        for (FailureKind kind : FailureKind.values()) {
            byName.put(kind.wireName(), kind);
        }
        return byName;
    }
}
