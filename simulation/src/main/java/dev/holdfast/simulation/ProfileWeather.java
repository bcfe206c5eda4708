package dev.holdfast.simulation;

import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.simulation.ModelProfile.FaultKind;
import dev.holdfast.simulation.internal.weather.Answers;
import dev.holdfast.simulation.internal.weather.ArrivalTimes;
import dev.holdfast.simulation.internal.weather.Draws;
import dev.holdfast.simulation.internal.weather.Draws.Purpose;
import dev.holdfast.simulation.internal.weather.ModelWeather;
import dev.holdfast.simulation.internal.weather.Outages;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * One run under a {@link Profile}. Every draw is a hash of the seed and what it is for, so that every strategy meets the same
 * weather.
 *
 * <p>An attempt is, in this order: refused by every model, or by this one (400); failed by an outage of its region or its model;
 * beyond the rate limit (429); one too many at once; struck by a fault; dropped by an outage that begins before the answer;
 * else answered.
 *
 * <p>The provider's answers are documents of OpenAI's dialect. A request says which it is by {@code "user": "r17"}, from 0, and,
 * where the profile has regions, its region by the first part of its path. Its attempts are counted here. So an instance
 * serves one run. Not for use by several threads at once.
 */
public final class ProfileWeather implements Weather {
    private static final double NANOS = 1e9;

    private final Profile profile;
    private final Draws draws;
    private final ArrivalTimes arrivals;
    private final Map<String, ModelWeather> models = new HashMap<>();
    private final Map<String, List<Outages>> regions = new HashMap<>();
    private final Answers answers;
    private final int[] attempts;

    ProfileWeather(Profile profile, long seed, int requests) {
        this.profile = profile;
        this.draws = new Draws(seed);
        this.arrivals = ArrivalTimes.of(profile.arrivals(), draws, requests);
        this.attempts = new int[requests];
        this.answers = new Answers(arrivals, profile.models());
        double span = arrivals.spanSeconds();
        for (ModelProfile model : profile.models()) {
            models.put(model.name(), new ModelWeather(model, models.size(), draws, span));
        }
        for (Profile.Region region : profile.regions()) {
            regions.put(region.name(), Outages.of(region.outages(), draws, Outages.idOfRegion(regions.size()), span));
        }
    }

    /**
     * What becomes of an attempt.
     *
     * @param status the status; 200 also where the answer is broken
     * @param latency how long it takes until all of it has come; zero for {@link FaultKind#HANG}
     * @param fault what struck it; empty for a good answer and for every status that no fault brought
     * @param retryAfter in what time the provider says to come again; empty where it says nothing
     */
    public record Outcome(int status, Duration latency, Optional<FaultKind> fault, Optional<Duration> retryAfter) {}

    /**
     * A time in which something is down.
     *
     * @param from when it begins
     * @param to when it ends
     */
    public record Outage(Duration from, Duration to) {}

    /** {@return the profile} */
    public Profile profile() {
        return profile;
    }

    /** {@return how many requests arrive} */
    public int requests() {
        return attempts.length;
    }

    /**
     * {@return when a request arrives, from the beginning of the simulation}
     *
     * @param request which, from 0; they arrive in their order
     */
    public Duration arrival(int request) {
        return Duration.ofNanos(arrivals.nanos(request));
    }

    /**
     * {@return whether a request asks for a stream}
     *
     * @param request which, from 0
     */
    public boolean isStreamed(int request) {
        return profile.streamed() > 0 && draws.uniform(Purpose.STREAMED, request, 0, 0) < profile.streamed();
    }

    @Override
    public Reply reply(ProviderRequest request, Duration at) {
        JsonObject document = request.json().orElse(JsonObject.empty());
        int number = number(document);
        String model = document.text("model").orElse("");
        String region = region(request.path());
        if (number < 0 || !models.containsKey(model) || (!regions.isEmpty() && !regions.containsKey(region))) {
            return Reply.status(404);
        }
        return answers.of(document, model, number, attempt(number, region, model, at));
    }

    /**
     * {@return what becomes of the next attempt of a request, where the profile has no regions; it is counted}
     *
     * @param request which, from 0
     * @param model the model asked
     * @param at when; not before the attempts so far
     */
    public Outcome attempt(int request, String model, Duration at) {
        return attempt(request, "", model, at);
    }

    /**
     * {@return what becomes of the next attempt of a request; it is counted}
     *
     * @param request which, from 0
     * @param region the region asked; blank where there are none
     * @param model the model asked
     * @param at when; not before the attempts so far
     * @throws IllegalArgumentException if there is no such model
     */
    public Outcome attempt(int request, String region, String model, Duration at) {
        ModelWeather weather = modelNamed(model);
        boolean refusedByAll = draws.uniform(Purpose.REFUSED_BY_ALL, request, 0, 0) < profile.refused();
        var asked = new ModelWeather.Asked(
                request,
                ++attempts[request],
                at.toNanos() / NANOS,
                arrivals.work(request),
                regions.getOrDefault(region, List.of()));
        return weather.attempt(asked, refusedByAll);
    }

    /** {@return how long requests come} */
    public Duration span() {
        return duration(arrivals.spanSeconds());
    }

    /**
     * {@return when a model is down, as far as that begins while requests come, in the order of time; outages of regions do not count}
     *
     * @param model the model
     * @throws IllegalArgumentException if there is no such model
     */
    public List<Outage> outages(String model) {
        return windows(modelNamed(model).outages());
    }

    /**
     * {@return when a region is down, as far as that begins while requests come, in the order of time}
     *
     * @param region the region
     * @throws IllegalArgumentException if there is no such region
     */
    public List<Outage> outagesOfRegion(String region) {
        List<Outages> outages = regions.get(region);
        if (outages == null) {
            throw new IllegalArgumentException("region: '" + region + "' (expected: one of " + regions.keySet() + ")");
        }
        return windows(outages);
    }

    private List<Outage> windows(List<Outages> outages) {
        return outages.stream()
                .flatMap(each -> each.before(arrivals.spanSeconds()).stream())
                .sorted(Comparator.comparingDouble(window -> window[0]))
                .map(window -> new Outage(duration(window[0]), duration(window[1])))
                .toList();
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos(StrictMath.round(seconds * NANOS));
    }

    private ModelWeather modelNamed(String model) {
        ModelWeather weather = models.get(model);
        if (weather == null) {
            throw new IllegalArgumentException(
                    "model: '" + model + "' (expected: one of " + profile.modelNames() + ")");
        }
        return weather;
    }

    /**
     * {@return the times within the run's arrivals at which a model is down, as a share of all, by looking at it every so often; a
     * region's outages do not count}
     *
     * @param model the model
     * @param step how often
     */
    public double downShare(String model, Duration step) {
        ModelWeather weather = modelNamed(model);
        double seconds = step.toNanos() / NANOS;
        int looks = (int) Math.max(1, arrivals.spanSeconds() / seconds);
        return IntStream.range(0, looks)
                        .filter(i -> weather.isDown(i * seconds))
                        .count()
                / (double) looks;
    }

    private String region(String path) {
        int end = path.indexOf('/', 1);
        return regions.isEmpty() || end < 0 ? "" : path.substring(1, end);
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
}
