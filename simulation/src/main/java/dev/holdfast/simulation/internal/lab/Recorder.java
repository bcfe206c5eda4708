package dev.holdfast.simulation.internal.lab;

import dev.holdfast.BreakerState;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.AttemptFinished;
import dev.holdfast.CallEvent.BreakerChanged;
import dev.holdfast.Target;
import dev.holdfast.simulation.ProfileWeather;
import dev.holdfast.simulation.ProfileWeather.Outage;
import dev.holdfast.simulation.lab.Timeline;
import dev.holdfast.simulation.lab.Timeline.Lane;
import dev.holdfast.simulation.lab.Timeline.Stretch;
import dev.holdfast.spi.CallListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Takes down what happens in a part of a run. On virtual time only: tasks take turns. */
public final class Recorder {
    private static final int STEPS = 100;

    private final OutageWindow window;
    private final Duration step;
    private final Map<Target, Track> tracks = new LinkedHashMap<>();
    private final int[] inFlight = new int[STEPS];
    private final int[] waiting = new int[STEPS];
    private final int[] failedCalls = new int[STEPS];
    private int levelsKnownTo;
    private int lastInFlight;
    private int lastWaiting;

    /** Takes down what happens within a window. */
    public Recorder(OutageWindow window) {
        this.window = window;
        this.step = window.length().dividedBy(STEPS);
    }

    private static final class Track {
        private final int[] answered = new int[STEPS];
        private final int[] failed = new int[STEPS];
        private final List<Change> changes = new ArrayList<>();
    }

    private record Change(Duration at, BreakerState to) {}

    /** Hears the client of a run. */
    public CallListener listener(dev.holdfast.simulation.VirtualTime time) {
        return event -> hear(event, time.elapsed());
    }

    private void hear(CallEvent event, Duration at) {
        switch (event) {
            case AttemptFinished finished -> {
                int number = step(at);
                if (number >= 0) {
                    Track track = track(finished.attempt().target());
                    (finished.attempt().succeeded() ? track.answered : track.failed)[number]++;
                }
            }
            case BreakerChanged changed -> track(changed.target()).changes.add(new Change(at, changed.to()));
            default -> {
                // Shown nowhere.
            }
        }
    }

    /** So many calls hold a place, and so many wait for one, from now on. */
    public void queue(Duration at, int taken, int queued) {
        int number = step(at);
        if (number >= 0) {
            fillTo(number);
            inFlight[number] = Math.max(inFlight[number], taken);
            waiting[number] = Math.max(waiting[number], queued);
        }
        if (at.compareTo(window.from().plus(window.length())) < 0) {
            lastInFlight = taken;
            lastWaiting = queued;
        }
    }

    /** A call ended. */
    public void ended(Duration at, boolean answered) {
        int number = step(at);
        if (number >= 0 && !answered) {
            failedCalls[number]++;
        }
    }

    /** Steps in which nothing changed are as the last change left them, and so is the beginning of the next. */
    private void fillTo(int number) {
        for (; levelsKnownTo <= number && levelsKnownTo < STEPS; levelsKnownTo++) {
            inFlight[levelsKnownTo] = lastInFlight;
            waiting[levelsKnownTo] = lastWaiting;
        }
    }

    private int step(Duration at) {
        Duration since = at.minus(window.from());
        if (since.isNegative() || since.compareTo(window.length()) >= 0) {
            return -1;
        }
        return Math.min(STEPS - 1, (int) (since.toNanos() / step.toNanos()));
    }

    private Track track(Target target) {
        return tracks.computeIfAbsent(target, key -> new Track());
    }

    /** What was taken down. */
    public Timeline timeline(String policy, long seed, ProfileWeather weather, Map<String, String> regionsByEndpoint) {
        fillTo(STEPS - 1);
        List<String> models = weather.profile().modelNames();
        boolean several =
                tracks.keySet().stream().map(Target::endpoint).distinct().count() > 1;
        List<Lane> lanes = tracks.entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<Target, Track> each) ->
                        models.indexOf(each.getKey().model())))
                .map(each -> lane(each.getKey(), each.getValue(), several, weather, regionsByEndpoint))
                .filter(Recorder::isWorthALook)
                .toList();
        return new Timeline(
                policy,
                seed,
                window.from(),
                step,
                window.what(),
                lanes,
                list(inFlight),
                list(waiting),
                list(failedCalls));
    }

    private static boolean isWorthALook(Lane lane) {
        return !lane.breaker().isEmpty()
                || Stream.concat(lane.answered().stream(), lane.failed().stream())
                        .anyMatch(count -> count > 0);
    }

    private Lane lane(
            Target target, Track track, boolean several, ProfileWeather weather, Map<String, String> regions) {
        Stream<Outage> ofModel = weather.outages(target.model()).stream();
        String region = regions.get(target.endpoint());
        Stream<Outage> ofRegion = region == null ? Stream.of() : weather.outagesOfRegion(region).stream();
        List<Stretch> down = Stream.concat(ofModel, ofRegion)
                .flatMap(each -> clipped(each.from(), each.to(), BreakerState.OPEN))
                .toList();
        return new Lane(
                several ? target.toString() : target.model(),
                down,
                breaker(track.changes),
                list(track.answered),
                list(track.failed));
    }

    private List<Stretch> breaker(List<Change> changes) {
        var stretches = new ArrayList<Stretch>();
        for (int i = 0; i < changes.size(); i++) {
            Duration end = i + 1 < changes.size()
                    ? changes.get(i + 1).at()
                    : window.from().plus(window.length());
            if (changes.get(i).to() != BreakerState.CLOSED) {
                clipped(changes.get(i).at(), end, changes.get(i).to()).forEach(stretches::add);
            }
        }
        return stretches;
    }

    private Stream<Stretch> clipped(Duration from, Duration to, BreakerState state) {
        Duration begin = from.compareTo(window.from()) < 0 ? window.from() : from;
        Duration last = window.from().plus(window.length());
        Duration end = to.compareTo(last) > 0 ? last : to;
        return begin.compareTo(end) < 0 ? Stream.of(new Stretch(begin, end, state)) : Stream.of();
    }

    private static List<Integer> list(int[] counts) {
        return Arrays.stream(counts).boxed().toList();
    }
}
