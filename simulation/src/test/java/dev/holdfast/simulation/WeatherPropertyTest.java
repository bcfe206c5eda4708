package dev.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.simulation.Arrivals.ArrivalProcess;
import dev.holdfast.simulation.Arrivals.Surge;
import dev.holdfast.simulation.ModelProfile.FaultKind;
import dev.holdfast.simulation.ProfileWeather.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

class WeatherPropertyTest {
    private static final String MODEL = "\"name\": \"m\", \"answer\": {\"mean\": \"1s\"}";

    /** So many standard errors that none of the tries misses by chance. */
    private static final double SURE = 6;

    @Property(tries = 60)
    void requestsArriveInOrderAndAsOftenAsWasSaid(
            @ForAll long seed, @ForAll ArrivalProcess process, @ForAll @DoubleRange(min = 0.1, max = 500) double rate) {
        if (process == ArrivalProcess.TRACE) {
            return;
        }
        int requests = 2_000;
        int size = process == ArrivalProcess.BURSTS ? 4 : 1;
        var weather = with(new Arrivals(process, rate, size, List.of(), Optional.empty()))
                .weather(seed, requests);
        var arrivals = IntStream.range(0, requests).mapToObj(weather::arrival).toList();

        assertThat(arrivals).isSorted();
        assertThat(arrivals.getFirst()).isGreaterThanOrEqualTo(Duration.ZERO);
        double expected = requests / rate;
        double error = expected * Math.sqrt((double) size / requests);
        assertThat(arrivals.getLast().toNanos() / 1e9).isCloseTo(expected, within(SURE * error));
    }

    @Property(tries = 40)
    void aSurgeBringsItsTimesAsMany(@ForAll long seed, @ForAll @DoubleRange(min = 2, max = 20) double times) {
        var surge = new Surge(Duration.ofSeconds(100), Duration.ofSeconds(50), times);
        var arrivals = new Arrivals(ArrivalProcess.POISSON, 10, 1, List.of(surge), Optional.empty());
        int requests = 2_000 + (int) (500 * times);
        var weather = with(arrivals).weather(seed, requests);
        double before = count(weather, 0, 100);
        double within = count(weather, 100, 150);

        assertThat(before).isCloseTo(1_000, within(SURE * Math.sqrt(1_000)));
        assertThat(within).isCloseTo(500 * times, within(SURE * Math.sqrt(500 * times)));
    }

    @Property(tries = 25)
    void aModelThatIsUpAndDownInTurnsIsDownForItsShareOfTheTime(
            @ForAll long seed,
            @ForAll @IntRange(min = 5, max = 60) int upSeconds,
            @ForAll @IntRange(min = 1, max = 20) int downSeconds) {
        Profile profile =
                profile("\"outages\": [{\"up\": \"" + upSeconds + "s\", \"down\": \"" + downSeconds + "s\"}]");
        double length = 40_000;
        double share = profile.weather(seed, (int) (10 * length)).downShare("m", Duration.ofMillis(200));
        double stationary = (double) downSeconds / (upSeconds + downSeconds);
        // Of the renewal process: its variance is 2 u² d² / (u + d)³ for each second.
        double variance =
                2.0 * upSeconds * upSeconds * downSeconds * downSeconds / Math.pow(upSeconds + downSeconds, 3) / length;

        assertThat(share).isCloseTo(stationary, within(SURE * Math.sqrt(variance) + 0.002));
    }

    @Property(tries = 20)
    void whetherItBeginsDownIsDrawnByTheSameShare(@ForAll @IntRange(min = 0, max = 1_000_000) int first) {
        Profile profile = profile("\"outages\": [{\"up\": \"30s\", \"down\": \"10s\"}]");
        int runs = 1_000;
        long down = IntStream.range(first, first + runs)
                .filter(seed ->
                        profile.weather(seed, 1).attempt(0, "m", Duration.ZERO).status() == 503)
                .count();

        assertThat(down / (double) runs).isCloseTo(0.25, within(SURE * Math.sqrt(0.25 * 0.75 / runs)));
    }

    @Property(tries = 20)
    void faultsStrikeByTheirShares(@ForAll long seed) {
        Profile profile =
                profile("\"faults\": [{\"kind\": \"reset\", \"share\": 0.1}, {\"kind\": \"hang\", \"share\": 0.05},"
                        + "{\"kind\": \"status\", \"status\": 502, \"share\": 0.2}]");
        int requests = 4_000;
        var weather = profile.weather(seed, requests);
        Map<String, Long> kinds = IntStream.range(0, requests)
                .mapToObj(i -> weather.attempt(i, "m", weather.arrival(i)))
                .collect(Collectors.groupingBy(
                        outcome -> outcome.fault().map(FaultKind::name).orElse("none"), Collectors.counting()));

        assertThat(kinds.get("RESET") / (double) requests).isCloseTo(0.1, within(0.03));
        assertThat(kinds.get("HANG") / (double) requests).isCloseTo(0.05, within(0.021));
        assertThat(kinds.get("STATUS") / (double) requests).isCloseTo(0.2, within(0.038));
    }

    @Property(tries = 30)
    void theHintOfALimitIsTrue(@ForAll long seed, @ForAll @IntRange(min = 1, max = 50) int perSecond) {
        Profile profile = profile(
                "\"limit\": {\"rate\": \"" + perSecond + "/s\", \"burst\": 2, \"retryAfter\": \"milliseconds\"}");
        var weather = profile.weather(seed, 10);
        weather.attempt(0, "m", Duration.ZERO);
        weather.attempt(1, "m", Duration.ZERO);
        Outcome refused = weather.attempt(2, "m", Duration.ofMillis(3));
        Duration hint = refused.retryAfter().orElseThrow();

        assertThat(refused.status()).isEqualTo(429);
        assertThat(weather.attempt(3, "m", Duration.ofMillis(2).plus(hint)).status())
                .isEqualTo(429);
        assertThat(weather.attempt(4, "m", Duration.ofMillis(3).plus(hint).plusNanos(1_000))
                        .status())
                .isEqualTo(200);
    }

    @Property(tries = 10)
    void theSameSeedGivesTheSameBytesAndAnotherOthers(@ForAll @IntRange(min = 0, max = 1_000_000) int seed) {
        for (String name : Profile.names()) {
            Profile profile = Profile.named(name);
            assertThat(bytes(profile, seed)).as(name).isEqualTo(bytes(profile, seed));
            assertThat(bytes(profile, seed)).as(name).isNotEqualTo(bytes(profile, seed + 1));
        }
    }

    private static String bytes(Profile profile, long seed) {
        var weather = profile.weather(seed, 60);
        String region = profile.regions().isEmpty()
                ? ""
                : "/" + profile.regions().getFirst().name();
        return IntStream.range(0, 60)
                .mapToObj(i -> {
                    String body =
                            "{\"model\":\"gpt-4.1\",\"user\":\"r" + i + "\",\"stream\":" + weather.isStreamed(i) + "}";
                    var request = new ProviderRequest(
                            1, "POST", region + "/v1/chat/completions", Headers.empty(), Bytes.utf8(body));
                    Reply reply = weather.reply(request, weather.arrival(i));
                    return weather.arrival(i) + " " + reply + reply.headers()
                            + reply.body().toUtf8();
                })
                .collect(Collectors.joining("\n"));
    }

    private static long count(ProfileWeather weather, int from, int to) {
        return IntStream.range(0, weather.requests())
                .mapToObj(weather::arrival)
                .filter(at -> at.compareTo(Duration.ofSeconds(from)) >= 0 && at.compareTo(Duration.ofSeconds(to)) < 0)
                .count();
    }

    private static Profile with(Arrivals arrivals) {
        return profile("\"refused\": 0").withArrivals(arrivals);
    }

    private static Profile profile(String more) {
        return Profile.parse(
                "test",
                "{\"arrivals\": {\"process\": \"ticks\", \"rate\": \"10/s\"}, \"models\": [{" + MODEL + ", " + more
                        + "}]}");
    }
}
