package dev.holdfast.simulation.internal.lab;

import dev.holdfast.simulation.Arrivals.Surge;
import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.ProfileWeather;
import dev.holdfast.simulation.ProfileWeather.Outage;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The part of a run that is worth a look: the first long outage of the first model, or of a region, with what comes before and after; else the
 * beginning of a surge; else the middle.
 *
 * @param from when it begins
 * @param length how long it is
 * @param what what is seen
 */
public record OutageWindow(Duration from, Duration length, String what) {
    private static final Duration BEFORE = Duration.ofSeconds(4);
    private static final Duration AFTER = Duration.ofSeconds(12);
    private static final Duration PLAIN = Duration.ofSeconds(30);
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Duration LONG = Duration.ofSeconds(2);

    /** The window of a run. */
    public static OutageWindow of(ProfileWeather weather) {
        return outage(weather).or(() -> surge(weather.profile())).orElseGet(() -> middle(weather));
    }

    private static Optional<OutageWindow> outage(ProfileWeather weather) {
        Profile profile = weather.profile();
        String model = profile.modelNames().getFirst();
        Stream<OutageWindow> ofModel = around(model, weather.outages(model));
        Stream<OutageWindow> ofRegion = profile.regions().stream()
                .limit(1)
                .flatMap(region -> around("region " + region.name(), weather.outagesOfRegion(region.name())));
        return Stream.concat(ofModel, ofRegion).findFirst();
    }

    /** The first that is long enough and does not begin with the run; else the longest. */
    private static Stream<OutageWindow> around(String what, List<Outage> outages) {
        Optional<Outage> first = outages.stream()
                .filter(each ->
                        each.from().compareTo(BEFORE) > 0 && length(each).compareTo(LONG) >= 0)
                .findFirst();
        return first.or(() -> outages.stream().max(Comparator.comparing(OutageWindow::length))).stream()
                .map(each -> around(what, each));
    }

    private static OutageWindow around(String what, Outage outage) {
        Duration from = outage.from().minus(BEFORE);
        Duration begin = from.isNegative() ? Duration.ZERO : whole(from);
        Duration end = outage.to().plus(AFTER).plus(length(outage).dividedBy(2));
        return new OutageWindow(begin, shorter(rounded(end.minus(begin))), "an outage of " + what);
    }

    private static Optional<OutageWindow> surge(Profile profile) {
        return profile.arrivals().surges().stream().findFirst().map(OutageWindow::of);
    }

    private static OutageWindow of(Surge surge) {
        Duration from = surge.from().minus(BEFORE);
        return new OutageWindow(from.isNegative() ? Duration.ZERO : from, PLAIN, "the beginning of a surge");
    }

    private static OutageWindow middle(ProfileWeather weather) {
        Duration from = whole(weather.span().dividedBy(2).minus(PLAIN.dividedBy(2)));
        return new OutageWindow(from.isNegative() ? Duration.ZERO : from, PLAIN, "the middle of the run (no outage)");
    }

    private static Duration length(Outage outage) {
        return outage.to().minus(outage.from());
    }

    private static Duration whole(Duration duration) {
        return Duration.ofSeconds(duration.toSeconds());
    }

    /** To steps that are round: a multiple of 5 s. */
    private static Duration rounded(Duration length) {
        return Duration.ofSeconds(5 * ((length.toSeconds() + 4) / 5));
    }

    private static Duration shorter(Duration length) {
        return length.compareTo(LONGEST) > 0 ? LONGEST : length;
    }
}
