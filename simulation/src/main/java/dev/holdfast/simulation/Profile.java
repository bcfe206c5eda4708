package dev.holdfast.simulation;

import dev.holdfast.simulation.internal.profile.ProfileReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;

/**
 * A kind of weather: which models there are, how they fail, and when requests come. A value; what happens in one run is drawn
 * from a seed: {@link #weather}.
 *
 * <p>It has a form as a file, in JSON with comments. Those that come along ({@link #names()}) are such files, to be copied and
 * changed.
 *
 * @param name what it is called
 * @param about what it is, in a line; may be empty
 * @param arrivals when requests come
 * @param places how many calls the program makes at once, backoff included; empty for any number
 * @param timeout how long the program lets an attempt take
 * @param streamed which share of the requests asks for a stream, 0 to 1
 * @param refused which share of the requests every model refuses with 400, 0 to 1
 * @param regions where each of the models is to be had; empty for one place without a name
 * @param models the models, in the order in which they are preferred; at least one
 */
public record Profile(
        String name,
        String about,
        Arrivals arrivals,
        OptionalInt places,
        Duration timeout,
        double streamed,
        double refused,
        List<Region> regions,
        List<ModelProfile> models) {
    private static final List<String> NAMES = List.of(
            "published",
            "flaky",
            "outages",
            "rate-limited",
            "rate-limited-silent",
            "brownout",
            "regional",
            "overload",
            "long-tail",
            "poisoned",
            "surge");

    /** Refuses what is no share, times and places that are not positive, and names that occur twice. */
    public Profile {
        if (places.isPresent() && places.getAsInt() < 1) {
            throw new IllegalArgumentException("places: " + places.getAsInt() + " (expected: >= 1)");
        }
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException("timeout: " + timeout + " (expected: > 0)");
        }
        Shares.check("streamed", streamed);
        Shares.check("refused", refused);
        regions = List.copyOf(regions);
        models = List.copyOf(models);
        if (models.isEmpty()) {
            throw new IllegalArgumentException("models: none (expected: at least one)");
        }
        unique("models", models.stream().map(ModelProfile::name).toList());
        unique("regions", regions.stream().map(Region::name).toList());
    }

    /**
     * A place where all models are to be had. A request says its region by the first part of its path: {@code /eu/v1/…}.
     *
     * @param name what it is called in paths: lower-case letters, digits and hyphens
     * @param outages when it is down, all models at once
     */
    public record Region(String name, List<OutageProfile> outages) {
        /** Refuses a name that cannot stand in a path. */
        public Region {
            if (!name.matches("[a-z0-9][a-z0-9-]{0,30}")) {
                throw new IllegalArgumentException(
                        "name: '" + name + "' (expected: lower-case letters, digits and hyphens)");
            }
            outages = List.copyOf(outages);
        }
    }

    /** {@return the profiles that come along} */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * {@return a profile that comes along}
     *
     * @param name one of {@link #names()}
     * @throws IllegalArgumentException if there is none of that name
     */
    public static Profile named(String name) {
        return parse(name, source(name));
    }

    /**
     * {@return the text of a profile that comes along, to be copied and changed}
     *
     * @param name one of {@link #names()}
     * @throws IllegalArgumentException if there is none of that name
     */
    public static String source(String name) {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException(
                    "no profile '" + name + "' (expected: one of " + String.join(", ", NAMES) + ")");
        }
        try (InputStream in = Profile.class.getResourceAsStream("profiles/" + name + ".json")) {
            if (in == null) {
                throw new IllegalStateException("the profile " + name + " is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * {@return the profile in a file}
     *
     * @param file the file; a trace that it names is looked for beside it
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if it is no profile; the message names file, line, and what was expected
     */
    public static Profile read(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        String fileName = String.valueOf(file.getFileName());
        String name = fileName.endsWith(".json") ? fileName.substring(0, fileName.length() - 5) : fileName;
        return new ProfileReader(file.toString(), file.toAbsolutePath().getParent()).read(name, bytes);
    }

    /**
     * {@return the profile that a text says; it cannot name a trace}
     *
     * @param name what it is called
     * @param text JSON with comments
     * @throws IllegalArgumentException if it is no profile; the message names the line, and what was expected
     */
    public static Profile parse(String name, String text) {
        return new ProfileReader(name, null).read(name, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * {@return this profile with other requests}
     *
     * @param other when they come
     */
    public Profile withArrivals(Arrivals other) {
        return new Profile(name, about, other, places, timeout, streamed, refused, regions, models);
    }

    /**
     * {@return this profile with another timeout}
     *
     * @param longest how long the program lets an attempt take
     */
    public Profile withTimeout(Duration longest) {
        return new Profile(name, about, arrivals, places, longest, streamed, refused, regions, models);
    }

    /**
     * {@return this profile under another name}
     *
     * @param other the name
     */
    public Profile withName(String other) {
        return new Profile(other, about, arrivals, places, timeout, streamed, refused, regions, models);
    }

    /**
     * {@return what happens in one run}
     *
     * @param seed what all draws come from
     * @param requests how many requests come; for a trace at most as many as it has
     */
    public ProfileWeather weather(long seed, int requests) {
        return new ProfileWeather(this, seed, requests);
    }

    /** {@return the models' names, in the order in which they are preferred} */
    public List<String> modelNames() {
        return models.stream().map(ModelProfile::name).toList();
    }

    private static void unique(String what, List<String> names) {
        var seen = new HashSet<String>();
        for (String each : names) {
            if (!seen.add(each)) {
                throw new IllegalArgumentException(what + ": '" + each + "' twice (expected: names that differ)");
            }
        }
    }
}
