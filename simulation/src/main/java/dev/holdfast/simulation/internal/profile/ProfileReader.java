package dev.holdfast.simulation.internal.profile;

import dev.holdfast.simulation.Arrivals;
import dev.holdfast.simulation.Arrivals.ArrivalProcess;
import dev.holdfast.simulation.Arrivals.Surge;
import dev.holdfast.simulation.ModelProfile;
import dev.holdfast.simulation.ModelProfile.AnswerTime;
import dev.holdfast.simulation.ModelProfile.Fault;
import dev.holdfast.simulation.ModelProfile.FaultKind;
import dev.holdfast.simulation.ModelProfile.Hint;
import dev.holdfast.simulation.ModelProfile.Load;
import dev.holdfast.simulation.ModelProfile.RequestLimit;
import dev.holdfast.simulation.OutageProfile;
import dev.holdfast.simulation.OutageProfile.Alternating;
import dev.holdfast.simulation.OutageProfile.Planned;
import dev.holdfast.simulation.OutageProfile.Timing;
import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.Profile.Region;
import dev.holdfast.simulation.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Reads the file form of a profile, strictly: what it does not know is an error with its line. */
public final class ProfileReader {
    private static final String[] ROOT = {
        "about", "arrivals", "places", "timeout", "streamed", "refused", "regions", "models"
    };
    private static final String[] ARRIVALS = {"process", "rate", "size", "surges", "trace"};
    private static final String[] MODEL = {"name", "price", "answer", "refused", "outages", "limit", "load", "faults"};
    private static final String[] OUTAGE = {
        "every",
        "length",
        "spread",
        "from",
        "width",
        "least",
        "up",
        "down",
        "share",
        "status",
        "recovery",
        "drops",
        "retryAfter"
    };

    private final String source;
    private final @Nullable Path directory;

    /**
     * A reader.
     *
     * @param source what messages call the file
     * @param directory where a trace is looked for; null where there is no file
     */
    public ProfileReader(String source, @Nullable Path directory) {
        this.source = source;
        this.directory = directory;
    }

    /** The profile. */
    public Profile read(String name, byte[] bytes) {
        Section root = Section.root(source, LinedJson.read(source, bytes), ROOT);
        var models = root.sections("models", MODEL).stream().map(this::model).toList();
        if (models.isEmpty()) {
            throw root.problem("models", "none", "a list of at least one model");
        }
        var regions = root.sections("regions", "name", "outages").stream()
                .map(region -> region.checked(() -> new Region(region.text("name"), outages(region))))
                .toList();
        OptionalInt places =
                root.has("places") ? OptionalInt.of(root.whole("places", 1, 1_000_000)) : OptionalInt.empty();
        Duration timeout = root.has("timeout") ? root.positive("timeout") : Duration.ofSeconds(60);
        Arrivals arrivals = arrivals(root.section("arrivals", ARRIVALS));
        return root.checked(() -> new Profile(
                name,
                root.text("about", ""),
                arrivals,
                places,
                timeout,
                root.share("streamed", 0),
                root.share("refused", 0),
                regions,
                models));
    }

    private Arrivals arrivals(Section section) {
        String word = section.word("process", null, "poisson", "uniform", "ticks", "bursts", "trace");
        ArrivalProcess process = ArrivalProcess.valueOf(word.toUpperCase(Locale.ROOT));
        only(section, process == ArrivalProcess.TRACE, "trace", "\"process\": \"trace\"");
        only(section, process == ArrivalProcess.BURSTS, "size", "\"process\": \"bursts\"");
        if (process == ArrivalProcess.TRACE) {
            only(section, false, "rate", "another process: a trace has its own times");
            only(section, false, "surges", "another process: a trace has its own times");
            return Arrivals.of(trace(section));
        }
        int size = process == ArrivalProcess.BURSTS ? section.whole("size", 1, 1_000_000) : 1;
        List<Surge> surges = section.sections("surges", "from", "length", "times").stream()
                .map(surge -> new Surge(
                        surge.duration("from"), surge.positive("length"), surge.number("times", 1, 0.001, 1_000)))
                .toList();
        double rate = section.rate("rate");
        return section.checked(() -> new Arrivals(process, rate, size, surges, Optional.empty()));
    }

    private Trace trace(Section section) {
        String named = section.text("trace");
        if (directory == null) {
            throw section.problem("trace", "\"" + named + "\"", "no trace where there is no file");
        }
        Path file = directory.resolve(named);
        try {
            return Trace.read(file);
        } catch (IOException e) {
            throw section.problem("trace", "\"" + named + "\" cannot be read", "a CSV file beside the profile");
        } catch (IllegalArgumentException e) {
            throw section.problem(
                    "trace", "\"" + named + "\", " + e.getMessage(), "TIMESTAMP,ContextTokens,GeneratedTokens");
        }
    }

    private ModelProfile model(Section section) {
        AnswerTime answer = answer(section.section("answer", "mean", "sigma", "slow"));
        Optional<RequestLimit> limit = section.has("limit")
                ? Optional.of(limit(section.section("limit", "rate", "burst", "retryAfter")))
                : Optional.empty();
        Optional<Load> load = section.has("load")
                ? Optional.of(load(section.section("load", "free", "slowdown", "most", "status")))
                : Optional.empty();
        List<Fault> faults = section.sections("faults", "kind", "share", "status").stream()
                .map(ProfileReader::fault)
                .toList();
        return section.checked(() -> new ModelProfile(
                section.text("name"),
                section.number("price", 1, 0, 1_000_000),
                answer,
                section.share("refused", 0),
                outages(section),
                limit,
                load,
                faults));
    }

    private static AnswerTime answer(Section section) {
        double share = 0;
        double times = 1;
        if (section.has("slow")) {
            Section slow = section.section("slow", "share", "times");
            share = slow.share("share");
            times = slow.number("times", 10, 1, 100_000);
        }
        return new AnswerTime(section.positive("mean"), section.number("sigma", 0, 0, 5), share, times);
    }

    private static RequestLimit limit(Section section) {
        String hint = section.word("retryAfter", null, "none", "seconds", "milliseconds");
        return new RequestLimit(
                section.rate("rate"),
                section.number("burst", 1, 1, 1_000_000),
                Hint.valueOf(hint.toUpperCase(Locale.ROOT)));
    }

    private static Load load(Section section) {
        OptionalInt most =
                section.has("most") ? OptionalInt.of(section.whole("most", 1, 1_000_000)) : OptionalInt.empty();
        return new Load(
                section.whole("free", 0, 1_000_000),
                section.number("slowdown", 0, 0, 1_000),
                most,
                section.whole("status", 503, 400, 599));
    }

    private static Fault fault(Section section) {
        String word = section.word(
                "kind", null, "status", "reset", "hang", "error-in-200", "empty", "malformed", "truncated");
        FaultKind kind =
                word.equals("error-in-200") ? FaultKind.ERROR_IN_OK : FaultKind.valueOf(word.toUpperCase(Locale.ROOT));
        only(section, kind == FaultKind.STATUS, "status", "\"kind\": \"status\"");
        return new Fault(kind, section.share("share"), section.whole("status", 500, 400, 599));
    }

    private static List<OutageProfile> outages(Section section) {
        return section.sections("outages", OUTAGE).stream()
                .map(ProfileReader::outage)
                .toList();
    }

    private static OutageProfile outage(Section section) {
        return section.checked(() -> new OutageProfile(
                timing(section),
                section.share("share", 1),
                section.whole("status", 503, 500, 599),
                section.duration("recovery", Duration.ZERO),
                section.flag("drops", true),
                section.optional("retryAfter")));
    }

    private static Timing timing(Section section) {
        boolean planned = section.has("every");
        for (String key : List.of("length", "spread", "from", "width", "least")) {
            only(section, planned, key, "\"every\", for planned outages");
        }
        for (String key : List.of("up", "down")) {
            only(section, !planned, key, "no \"every\": outages are planned, or come by \"up\" and \"down\"");
        }
        return planned
                ? new Planned(
                        section.positive("every"),
                        section.positive("length"),
                        section.share("spread", 0),
                        section.share("from", 0),
                        section.share("width", 1 - section.share("from", 0)),
                        section.whole("least", 0, 0, 1_000_000))
                : new Alternating(section.positive("up"), section.positive("down"));
    }

    /** A key that goes with something else only. */
    private static void only(Section section, boolean fits, String key, String with) {
        if (!fits && section.has(key)) {
            throw section.problem(key, "does not fit here", "this key beside " + with);
        }
    }
}
