package dev.holdfast.core.internal.limit;

import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.RateLimitSnapshot.Dimension;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * What an answer's headers say of the limits that are kept here, by what is counted. Of two that speak of the same thing the
 * narrower one is heeded.
 *
 * @param said by what is counted
 */
public record Reading(Map<Weight, Reading.Said> said) {
    /** Windows other than a minute: what remains of them is heeded, their limits are not ours to compare with. */
    private static final Pattern OTHER_WINDOW =
            Pattern.compile("(?i).*(day|hour|month|week|second|\\d+[hd]|unified).*");

    /** A reset further off is not believed: a call finds out. */
    private static final Duration LONGEST = Duration.ofDays(1);

    /**
     * What is said of one thing.
     *
     * @param limit how much a window allows; {@link Limits#NONE} if it is not said
     * @param left how much is left; {@link Limits#NONE} if it is not said
     * @param resetNanos until the window is full again; -1 if it is not said
     */
    public record Said(long limit, long left, long resetNanos) {}

    /**
     * {@return what a snapshot says}
     *
     * @param snapshot the snapshot
     * @param shares by how many processes the limits are shared
     */
    public static Reading of(RateLimitSnapshot snapshot, long shares) {
        var all = new EnumMap<Weight, Said>(Weight.class);
        snapshot.dimensions().forEach((name, dimension) -> {
            Weight weight = weightOf(name);
            Said said = said(name, dimension, shares);
            if (weight != null && (said.limit != Limits.NONE || said.left != Limits.NONE)) {
                all.merge(weight, said, Reading::narrower);
            }
        });
        return new Reading(all);
    }

    private static Said said(String name, Dimension dimension, long shares) {
        boolean comparable = !OTHER_WINDOW.matcher(name).matches();
        OptionalLong limit = comparable ? dimension.limit() : OptionalLong.empty();
        return new Said(
                limit.isPresent() && limit.getAsLong() > 0 ? Limits.share(limit.getAsLong(), shares) : Limits.NONE,
                dimension.remaining().isPresent() ? dimension.remaining().getAsLong() / shares : Limits.NONE,
                dimension.resetIn().map(Reading::bounded).map(Duration::toNanos).orElse(-1L));
    }

    /** What was reset in the past is full by now. */
    private static Duration bounded(Duration reset) {
        if (reset.isNegative()) {
            return Duration.ZERO;
        }
        return reset.compareTo(LONGEST) > 0 ? LONGEST : reset;
    }

    private static Said narrower(Said a, Said b) {
        Said less = a.left <= b.left ? a : b;
        return new Said(Math.min(a.limit, b.limit), less.left, less.resetNanos);
    }

    private static @org.jspecify.annotations.Nullable Weight weightOf(String name) {
        boolean tokens = name.contains("token") || name.contains("size");
        if (tokens && name.contains("input")) {
            return Weight.INPUT;
        }
        if (tokens && name.contains("output")) {
            return Weight.OUTPUT;
        }
        if (tokens) {
            return Weight.TOKENS;
        }
        return name.isEmpty() || name.contains("request") || name.contains("req") ? Weight.REQUESTS : null;
    }

    boolean isSilent() {
        return said.isEmpty();
    }
}
