package dev.holdfast.gateway.internal.faults;

import dev.holdfast.core.config.ConfigException;
import dev.holdfast.core.config.Configuration;
import dev.holdfast.core.config.Key;
import dev.holdfast.core.config.Kinds;
import dev.holdfast.core.config.Schema;
import dev.holdfast.core.config.Section;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/** What a file says of a provider that fails on purpose. Immutable. */
public final class FaultFile {
    private static final int HIGHEST_PORT = 65_535;
    private static final int MOST_TIMES = 1_000_000;
    private static final int USUAL_SEED = 1;

    private static final Key<Integer> TIMES = Key.of(
                    "times", Kinds.count(1, MOST_TIMES), "to how many requests in a row")
            .usually("1");
    private static final Key<Double> SHARE =
            Key.of("share", Kinds.SHARE, "to how many of all requests, 0.1 for a tenth");
    private static final Key<List<Section>> REPLIES = Key.of(
            "replies",
            Kinds.list(Kinds.section(ReplyKeys.SCHEMA.with(TIMES))),
            "the replies to the first requests, in this order");
    private static final Key<List<Section>> THEN = Key.of(
            "then",
            Kinds.list(Kinds.section(ReplyKeys.SCHEMA.with(SHARE))),
            "the replies to those after, by chance; what is left over is answered well");
    private static final Key<Integer> SEED = Key.of(
                    "seed",
                    Kinds.count(0, Integer.MAX_VALUE),
                    "another number draws other chances; the same one the same")
            .usually(Integer.toString(USUAL_SEED));
    private static final Key<Integer> PORT =
            Key.of("port", Kinds.count(0, HIGHEST_PORT), "where it listens on this machine; 0 for a free one");
    private static final Key<Boolean> HONOURS = Key.of(
                    "honours-idempotency-keys", Kinds.FLAG, "whether a repeated Idempotency-Key is executed once")
            .usually("false");

    /** The keys of such a file. */
    public static final Schema SCHEMA =
            Schema.of("a provider that fails on purpose", REPLIES, THEN, SEED, PORT, HONOURS);

    /** One kind of fault and how often it comes. */
    private record Chance(double share, ReplyKeys reply) {}

    private final FaultScript script;
    private final OptionalInt port;
    private final boolean honoursKeys;

    private FaultFile(Section root) {
        List<Chance> chances = chances(root);
        int seed = root.get(SEED).orElse(USUAL_SEED);
        FaultScript all = FaultScript.answering(request -> drawn(chances, seed, request));
        this.script = inOrder(root, all);
        this.port = root.get(PORT).map(OptionalInt::of).orElse(OptionalInt.empty());
        this.honoursKeys = root.get(HONOURS).orElse(false);
    }

    /**
     * {@return what a configuration says}
     *
     * @param configuration the file
     * @throws ConfigException if a key is unknown, a value does not fit, or the shares are more than all
     */
    public static FaultFile of(Configuration configuration) {
        return new FaultFile(configuration.root(SCHEMA));
    }

    private static List<Chance> chances(Section root) {
        var chances = new ArrayList<Chance>();
        double sum = 0;
        for (Section section : root.get(THEN).orElse(List.of())) {
            double share = section.require(SHARE);
            sum += share;
            if (sum > 1 + 1e-9) {
                throw section.refused(
                        SHARE, "with those before it more than all (expected: shares that sum to at most 1)");
            }
            chances.add(new Chance(share, ReplyKeys.read(section)));
        }
        return List.copyOf(chances);
    }

    /** The replies in their order, each for its number of requests, and then the rest. */
    private static FaultScript inOrder(Section root, FaultScript rest) {
        var replies = new ArrayList<ReplyKeys>();
        var last = new ArrayList<Long>();
        long before = 0;
        for (Section section : root.get(REPLIES).orElse(List.of())) {
            before += section.get(TIMES).orElse(1);
            replies.add(ReplyKeys.read(section));
            last.add(before);
        }
        return FaultScript.answering(request -> {
            for (int i = 0; i < replies.size(); i++) {
                if (request.number() <= last.get(i)) {
                    return replies.get(i).to(request);
                }
            }
            return rest.reply(request);
        });
    }

    /** The same for the same seed and number, so that a run can be repeated. */
    private static Reply drawn(List<Chance> chances, int seed, ProviderRequest request) {
        double left = new SplittableRandom(seed * 1_000_003L + request.number()).nextDouble();
        for (Chance chance : chances) {
            left -= chance.share();
            if (left < 0) {
                return chance.reply().to(request);
            }
        }
        return FaultScript.healthy().reply(request);
    }

    /** {@return what it answers} */
    public FaultScript script() {
        return script;
    }

    /** {@return where it listens, if the file says so} */
    public OptionalInt port() {
        return port;
    }

    /**
     * {@return a running provider}
     *
     * @param at the port; 0 for a free one
     * @param spoken what it answers: the script, or that of one who listens along
     */
    public FaultyProvider start(int at, FaultScript spoken) {
        FaultyProvider.Builder builder = FaultyProvider.builder(spoken).port(at);
        return (honoursKeys ? builder.honoursIdempotencyKeys() : builder).start();
    }
}
