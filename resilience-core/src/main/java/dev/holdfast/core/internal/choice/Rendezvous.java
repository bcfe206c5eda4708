package dev.holdfast.core.internal.choice;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Weighted rendezvous hashing: each endpoint has a score for each key, the highest serves it. When one is away, only its own keys
 * move, each to its next best; when it returns, they come back, each once, as its weight grows. Nothing is remembered.
 *
 * @see <a href="https://datatracker.ietf.org/doc/html/draft-ietf-bess-weighted-hrw">weighted highest random weight:
 *     {@code score = -weight / ln(hash)}</a>
 */
final class Rendezvous {
    private static final long OFFSET = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private Rendezvous() {}

    /** Who serves the key now. */
    static Contender choose(List<Contender> pool, String key) {
        return highest(pool, key, Contender::effectiveWeight);
    }

    /** Who serves the key when nobody is away and nobody has just returned. */
    static Contender home(List<Contender> all, String key) {
        return highest(all, key, Contender::weight);
    }

    private static Contender highest(List<Contender> pool, String key, ToDoubleFunction<Contender> weight) {
        Contender best = pool.getFirst();
        double highest = Double.NEGATIVE_INFINITY;
        for (Contender each : pool) {
            double score = score(each.name(), weight.applyAsDouble(each), key);
            if (score > highest) {
                highest = score;
                best = each;
            }
        }
        return best;
    }

    static double score(String endpoint, double weight, String key) {
        // 53 bits of the hash, in the middle of their interval: never 0, never 1.
        double unit = ((hash(key + '\0' + endpoint) >>> 11) + 0.5) * 0x1.0p-53;
        return -weight / StrictMath.log(unit);
    }

    /** FNV-1a over the characters, its bits mixed by the finalizer of MurmurHash3 (both in the public domain). */
    private static long hash(String text) {
        long hash = OFFSET;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * PRIME;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }
}
