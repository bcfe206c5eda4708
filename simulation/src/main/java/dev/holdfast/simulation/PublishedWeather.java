package dev.holdfast.simulation;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.simulation.internal.provider.OpenAiAnswers;
import dev.holdfast.simulation.internal.weather.Draws;
import dev.holdfast.simulation.internal.weather.Draws.Purpose;
import dev.holdfast.simulation.internal.weather.Outages;
import dev.holdfast.simulation.internal.weather.TokenBucket;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The weather under which the published table of retry strategies comes out: four models, each with outages of 3 to 4
 * seconds that drop what is open when they begin, requests that a model refuses, a rate limit on one of them, and light-tailed
 * times to answer. Every draw is a hash of the seed and what it is for, so that every strategy meets the same weather.
 *
 * <p>An attempt is, in this order: refused by every model (400, a request in 500) or by this one (3 in 1,000); 503 during an
 * outage; on {@code claude-sonnet-4.5}, 429 where 3 at once or 10 a second are passed; 503 if an outage begins before the answer; else an answer
 * after 0.89 s in the mean ({@code gpt-4.1}) or 1.4 times that (the others), log-normal with sigma 0.225.
 *
 * <p>The provider's answers are documents of OpenAI's dialect. A request says which it is by {@code "user": "r17"}, from 0; its
 * attempts are counted here. So an instance serves one run.
 */
public final class PublishedWeather implements Weather {
    private static final List<String> MODELS =
            List.of("gpt-4.1", "claude-sonnet-4.5", "gemini-2.5-flash", "deepseek-v3.2");
    private static final int LIMITED_MODEL = 1;
    private static final double ARRIVALS_PER_SECOND = 11.0;
    private static final int PRIMARY_OUTAGES = 11;
    private static final int FALLBACK_OUTAGES = 6;
    private static final double REQUESTS = 10_000;

    private static final double REFUSED_BY_ALL = 0.002;
    private static final double REFUSED_BY_MODEL = 0.003;
    private static final double FAST = 0.010;
    private static final double CRASH_SHARE = 0.2;
    private static final double ANSWER = 0.89;
    private static final double FALLBACK_FACTOR = 1.4;
    private static final double SIGMA = 0.225;

    private static final long EQUAL_TOKENS = 100;

    /** What of the time to answer does not depend on the length of the answer, where a trace tells the lengths. */
    private static final double LENGTH_FREE_SHARE = 0.25;

    private final Draws draws;
    private final Load load;
    private final List<Outages> outages;
    private final TokenBucket limit = new TokenBucket(3, 10);
    private final Map<String, Reply> written = new HashMap<>();
    private final int[] attempts;

    /** A request to come; its work is 1 in the mean. */
    private record Arrival(Duration at, double work, long tokensIn, long tokensOut) {}

    private record Load(double spanSeconds, List<Arrival> arrivals, boolean traced) {}

    private PublishedWeather(Draws draws, Load load) {
        this.draws = draws;
        this.load = load;
        this.attempts = new int[load.arrivals().size()];
        this.outages = IntStream.range(0, MODELS.size()).mapToObj(this::plan).toList();
    }

    /**
     * {@return the published weather: requests that arrive independently, 11 a second in the mean}
     *
     * @param seed what the draws come from
     * @param requests how many arrive
     */
    public static PublishedWeather of(long seed, int requests) {
        if (requests < 1) {
            throw new IllegalArgumentException("requests: " + requests + " (expected: >= 1)");
        }
        var draws = new Draws(seed);
        double span = requests / ARRIVALS_PER_SECOND;
        var arrivals = IntStream.range(0, requests)
                .mapToLong(i -> nanos(span * draws.uniform(Purpose.ARRIVAL, i, 0, 0)))
                .sorted()
                .mapToObj(at -> new Arrival(Duration.ofNanos(at), 1, EQUAL_TOKENS, EQUAL_TOKENS))
                .toList();
        return new PublishedWeather(draws, new Load(span, arrivals, false));
    }

    /**
     * {@return the same weather over the arrivals and the lengths of a trace: a quarter of the time to answer is the same for all,
     * the rest in proportion to the generated tokens; outages are as frequent as in the published weather}
     *
     * @param seed what the draws come from
     * @param trace the trace
     */
    public static PublishedWeather of(long seed, Trace trace) {
        double mean = StrictMath.max(
                1,
                trace.rows().stream()
                        .mapToLong(Trace.Row::generatedTokens)
                        .average()
                        .orElse(1));
        var arrivals = trace.rows().stream()
                .map(row -> new Arrival(
                        row.at(),
                        LENGTH_FREE_SHARE + (1 - LENGTH_FREE_SHARE) * row.generatedTokens() / mean,
                        row.contextTokens(),
                        row.generatedTokens()))
                .toList();
        double span = StrictMath.max(1, seconds(arrivals.getLast().at()));
        return new PublishedWeather(new Draws(seed), new Load(span, arrivals, true));
    }

    /** {@return the models, in the order in which the published router tries them} */
    public static List<String> models() {
        return MODELS;
    }

    /** {@return how many requests arrive} */
    public int requests() {
        return attempts.length;
    }

    /**
     * {@return when a request arrives, from the beginning of the simulation}
     *
     * @param request which, from 0
     */
    public Duration arrival(int request) {
        return load.arrivals().get(request).at();
    }

    @Override
    public Reply reply(ProviderRequest request, Duration at) {
        JsonObject document = request.json().orElse(JsonObject.empty());
        int number = number(document);
        String model = document.text("model").orElse("");
        if (number < 0 || !MODELS.contains(model)) {
            return Reply.status(404);
        }
        Outcome outcome = attempt(number, model, at);
        return document(outcome.status(), number, model).withDelay(outcome.latency());
    }

    /**
     * {@return what becomes of the next attempt of a request; it is counted}
     *
     * @param request which, from 0
     * @param model the model asked
     * @param at when; not before the attempts so far
     */
    public Outcome attempt(int request, String model, Duration at) {
        int m = MODELS.indexOf(model);
        int attempt = ++attempts[request];
        double time = seconds(at);
        if (draws.uniform(Purpose.REFUSED_BY_ALL, request, 0, 0) < REFUSED_BY_ALL
                || draws.uniform(Purpose.REFUSED_BY_MODEL, request, 0, m) < REFUSED_BY_MODEL) {
            return outcome(400, FAST);
        }
        if (outages.get(m).at(time)) {
            return outcome(503, fast(Purpose.OUTAGE_LATENCY, request, attempt, m));
        }
        if (m == LIMITED_MODEL && !limit.tryTake(time)) {
            return outcome(429, fast(Purpose.LIMIT_LATENCY, request, attempt, m));
        }
        double latency = load.arrivals().get(request).work()
                * ANSWER
                * (m == 0 ? 1 : FALLBACK_FACTOR)
                * StrictMath.exp(SIGMA * draws.normal(request, attempt, m) - SIGMA * SIGMA / 2);
        double crash = outages.get(m).nextStart(time) - time;
        return crash < latency
                ? outcome(503, crash + CRASH_SHARE * fast(Purpose.CRASH_LATENCY, request, attempt, m))
                : outcome(200, latency);
    }

    /**
     * What becomes of an attempt.
     *
     * @param status 200, 400, 429 or 503
     * @param latency how long it takes
     */
    public record Outcome(int status, Duration latency) {}

    private Outages plan(int model) {
        double requests = load.spanSeconds() * ARRIVALS_PER_SECOND;
        if (model == 0) {
            int count = (int) StrictMath.max(1, StrictMath.round(PRIMARY_OUTAGES * requests / REQUESTS));
            return Outages.plan(draws, model, count, load.spanSeconds(), 0.25, 0.5);
        }
        int count = (int) StrictMath.round(FALLBACK_OUTAGES * requests / REQUESTS);
        return Outages.plan(draws, model, count, load.spanSeconds(), 0, 1);
    }

    private double fast(Purpose purpose, int request, int attempt, int model) {
        return FAST * (0.5 + draws.uniform(purpose, request, attempt, model));
    }

    /** Without a trace all answers of a model are the same, and none is written twice. */
    private Reply document(int status, int number, String model) {
        if (status == 200 && load.traced()) {
            Arrival arrival = load.arrivals().get(number);
            return answer(model, arrival.tokensIn(), arrival.tokensOut());
        }
        return written.computeIfAbsent(model + status, key -> document(status, model));
    }

    private static Reply document(int status, String model) {
        return switch (status) {
            case 200 -> answer(model, EQUAL_TOKENS, EQUAL_TOKENS);
            case 400 ->
                Reply.error(
                        400,
                        "invalid_request_error",
                        "content_policy_violation",
                        "The request was rejected by the safety system.");
            default -> Reply.status(status);
        };
    }

    private static Reply answer(String model, long tokensIn, long tokensOut) {
        JsonObject usage = JsonObject.of("prompt_tokens", JsonValue.of(tokensIn))
                .with("completion_tokens", JsonValue.of(tokensOut))
                .with("total_tokens", JsonValue.of(tokensIn + tokensOut));
        return Reply.json(200, OpenAiAnswers.completion(model, "as you wish").with("usage", usage));
    }

    private int number(JsonObject document) {
        String user = document.text("user").orElse("");
        if (!user.startsWith("r")) {
            return -1;
        }
        try {
            int number = Integer.parseInt(user, 1, user.length(), 10);
            return number < attempts.length ? number : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static Outcome outcome(int status, double latencySeconds) {
        return new Outcome(status, Duration.ofNanos(nanos(latencySeconds)));
    }

    private static long nanos(double seconds) {
        return StrictMath.round(seconds * 1e9);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
