package dev.holdfast.simulation.internal.weather;

import dev.holdfast.simulation.ModelProfile;
import dev.holdfast.simulation.ModelProfile.Fault;
import dev.holdfast.simulation.ModelProfile.FaultKind;
import dev.holdfast.simulation.ModelProfile.Hint;
import dev.holdfast.simulation.ModelProfile.Load;
import dev.holdfast.simulation.OutageProfile;
import dev.holdfast.simulation.ProfileWeather.Outcome;
import dev.holdfast.simulation.internal.weather.Draws.Purpose;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/** What one model does to attempts, in the order of their times. */
public final class ModelWeather {
    /** How long what is not an answer takes, in the mean. */
    private static final double FAST = 0.010;

    /** How long a connection takes to break after an outage began, as a share of that. */
    private static final double CRASH_SHARE = 0.2;

    private final ModelProfile profile;
    private final int id;
    private final Draws draws;
    private final List<Outages> outages;
    private final Optional<TokenBucket> limit;
    private final PriorityQueue<Double> inFlight = new PriorityQueue<>();

    public ModelWeather(ModelProfile profile, int id, Draws draws, double span) {
        this.profile = profile;
        this.id = id;
        this.draws = draws;
        this.outages = Outages.of(profile.outages(), draws, id, span);
        this.limit = profile.limit().map(each -> new TokenBucket(each.burst(), each.perSecond()));
    }

    /**
     * An attempt.
     *
     * @param number which of its request's, from 1
     * @param time when, in seconds
     * @param work how long it takes to answer, beside the mean of 1
     * @param region the outages of where it went
     */
    public record Asked(int request, int number, double time, double work, List<Outages> region) {}

    /** What becomes of an attempt. */
    public Outcome attempt(Asked asked, boolean refusedByAll) {
        if (refusedByAll || draws.uniform(Purpose.REFUSED_BY_MODEL, asked.request(), 0, id) < profile.refused()) {
            return plain(400, FAST);
        }
        Optional<Outages> down = down(asked);
        if (down.isPresent()) {
            double seconds = fast(Purpose.OUTAGE_LATENCY, asked);
            return new Outcome(
                    down.get().profile().status(),
                    duration(seconds),
                    Optional.empty(),
                    down.get().profile().retryAfter());
        }
        if (limit.isPresent() && !limit.get().tryTake(asked.time())) {
            return limited(asked, limit.get());
        }
        if (profile.load().isPresent() && isFull(asked, profile.load().get())) {
            return plain(profile.load().get().status(), fast(Purpose.LOAD_LATENCY, asked));
        }
        Outcome outcome = worked(asked);
        if (profile.load().isPresent()) {
            inFlight.add(asked.time() + outcome.latency().toNanos() / 1e9);
        }
        return outcome;
    }

    /** Whether a time is within one of its outages. */
    public boolean isDown(double time) {
        return outages.stream().anyMatch(each -> each.at(time));
    }

    /** Its outages. */
    public List<Outages> outages() {
        return outages;
    }

    private Outcome worked(Asked asked) {
        Optional<Fault> fault = fault(asked);
        FaultKind kind = fault.map(Fault::kind).orElse(null);
        if (kind == FaultKind.STATUS || kind == FaultKind.RESET) {
            int status = kind == FaultKind.STATUS ? fault.orElseThrow().status() : 200;
            return new Outcome(
                    status, duration(fast(Purpose.FAULT_LATENCY, asked)), Optional.of(kind), Optional.empty());
        }
        if (kind == FaultKind.HANG) {
            return new Outcome(200, Duration.ZERO, Optional.of(kind), Optional.empty());
        }
        double latency = latency(asked);
        Optional<Outages> next = nextToDrop(asked);
        double crash =
                next.map(each -> each.nextStart(asked.time()) - asked.time()).orElse(Double.POSITIVE_INFINITY);
        if (crash < latency) {
            return plain(
                    next.orElseThrow().profile().status(), crash + CRASH_SHARE * fast(Purpose.CRASH_LATENCY, asked));
        }
        return new Outcome(200, duration(latency), Optional.ofNullable(kind), Optional.empty());
    }

    private double latency(Asked asked) {
        var answer = profile.answer();
        double mean = answer.mean().toNanos() / 1e9;
        double sigma = answer.sigma();
        double normal = sigma == 0 ? 0 : draws.normal(asked.request(), asked.number(), id);
        double seconds = asked.work() * mean * StrictMath.exp(sigma * normal - sigma * sigma / 2);
        if (answer.slowShare() > 0 && draw(Purpose.SLOW, asked) < answer.slowShare()) {
            seconds *= answer.slowTimes();
        }
        return profile.load()
                        .map(load -> 1 + load.slowdown() * Math.max(0, inFlight.size() - load.free()))
                        .orElse(1.0)
                * seconds;
    }

    private List<Outages> allOutages(Asked asked) {
        if (asked.region().isEmpty()) {
            return outages;
        }
        var all = new ArrayList<>(asked.region());
        all.addAll(outages);
        return all;
    }

    /** The outage that strikes this attempt: that of the region before that of the model. */
    private Optional<Outages> down(Asked asked) {
        for (Outages each : allOutages(asked)) {
            if (isDown(each, asked)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    private boolean isDown(Outages each, Asked asked) {
        double severity = each.severity(asked.time());
        return severity >= 1
                || (severity > 0
                        && draws.uniform(Purpose.OUTAGE_SHARE, asked.request(), asked.number(), each.id()) < severity);
    }

    /** The outage that begins first of those that would end this attempt. */
    private Optional<Outages> nextToDrop(Asked asked) {
        Optional<Outages> next = Optional.empty();
        double start = Double.POSITIVE_INFINITY;
        for (Outages each : allOutages(asked)) {
            double its = each.nextStart(asked.time());
            if (its < start && mayDrop(each, asked)) {
                next = Optional.of(each);
                start = its;
            }
        }
        return next;
    }

    private boolean mayDrop(Outages each, Asked asked) {
        OutageProfile outage = each.profile();
        return outage.drops()
                && (outage.share() >= 1
                        || draws.uniform(Purpose.OUTAGE_DROP, asked.request(), asked.number(), each.id())
                                < outage.share());
    }

    private boolean isFull(Asked asked, Load load) {
        while (!inFlight.isEmpty() && inFlight.element() <= asked.time()) {
            inFlight.remove();
        }
        return load.most().isPresent() && inFlight.size() >= load.most().getAsInt();
    }

    private Outcome limited(Asked asked, TokenBucket bucket) {
        boolean says = profile.limit().filter(each -> each.hint() != Hint.NONE).isPresent();
        Optional<Duration> free = says ? Optional.of(duration(bucket.secondsToNext(asked.time()))) : Optional.empty();
        return new Outcome(429, duration(fast(Purpose.LIMIT_LATENCY, asked)), Optional.empty(), free);
    }

    private Optional<Fault> fault(Asked asked) {
        if (profile.faults().isEmpty()) {
            return Optional.empty();
        }
        double left = draw(Purpose.FAULT, asked);
        for (Fault fault : profile.faults()) {
            if (left < fault.share()) {
                return Optional.of(fault);
            }
            left -= fault.share();
        }
        return Optional.empty();
    }

    private double draw(Purpose purpose, Asked asked) {
        return draws.uniform(purpose, asked.request(), asked.number(), id);
    }

    private double fast(Purpose purpose, Asked asked) {
        return FAST * (0.5 + draw(purpose, asked));
    }

    private static Outcome plain(int status, double seconds) {
        return new Outcome(status, duration(seconds), Optional.empty(), Optional.empty());
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos(StrictMath.round(seconds * 1e9));
    }
}
