package dev.holdfast.core.internal.limit;

import dev.holdfast.core.internal.limit.SumTree.Node;

/**
 * What was granted in the last window; its sums are what is used.
 *
 * <p>Up to {@value #EXACT} grants each keep their own time; beyond that a grant joins the one before it if both lie within
 * a small part of the window, dated at the later of the two: memory is bounded, and the limit still holds.
 *
 * @param tree the grants, oldest first
 */
record GrantLog(SumTree<GrantLog.Grant> tree) {
    static final int EXACT = 1024;
    private static final int PARTS = 4096;
    private static final Weight[] WEIGHTS = Weight.values();

    static final GrantLog EMPTY = new GrantLog(SumTree.empty());

    /** Grants of one time. */
    record Grant(long sinceNanos, long nanos) {}

    long used(Weight weight) {
        return tree.sum(weight);
    }

    long lastIndex() {
        return tree.lastIndex();
    }

    /** {@return this log without what a window has passed since} */
    GrantLog at(Limits limits, long now) {
        SumTree<Grant> live = tree;
        Grant oldest = live.first();
        while (oldest != null && now - oldest.nanos >= limits.windowNanos()) {
            live = live.without(live.firstIndex());
            oldest = live.first();
        }
        return live == tree ? this : new GrantLog(live);
    }

    /** {@return whether a window has passed since the oldest grant} */
    boolean isOutdated(Limits limits, long now) {
        Grant oldest = tree.first();
        return oldest != null && now - oldest.nanos >= limits.windowNanos();
    }

    GrantLog with(Limits limits, long now, long requests, Need need) {
        return joinsLast(limits, now)
                ? joined(now, requests, need)
                : new GrantLog(tree.plus(new Grant(now, now), requests, need));
    }

    /** {@return whether a grant of now would join the one before it} */
    boolean joinsLast(Limits limits, long now) {
        if (tree.count() < EXACT) {
            return false;
        }
        Node<Grant> last = tree.leaf(tree.lastIndex());
        return last != null && last.item() != null && now - last.item().sinceNanos < partNanos(limits);
    }

    /** {@return until when grants may join the last one; now if there is none} */
    long joinsUntilNanos(Limits limits, long now) {
        Node<Grant> last = tree.leaf(tree.lastIndex());
        return last == null || last.item() == null ? now : last.item().sinceNanos + partNanos(limits);
    }

    /** {@return this log with more in its last grant, or with a new one where there is none} */
    GrantLog joined(long now, long requests, Need need) {
        Node<Grant> last = tree.leaf(tree.lastIndex());
        Grant grant = last == null ? null : last.item();
        if (last == null || grant == null) {
            return new GrantLog(tree.plus(new Grant(now, now), requests, need));
        }
        var both = new Grant(grant.sinceNanos, now - grant.nanos > 0 ? now : grant.nanos);
        var sum = new Need(last.input() + need.input(), last.output() + need.output());
        return new GrantLog(tree.with(tree.lastIndex(), both, last.requests() + requests, sum));
    }

    private static long partNanos(Limits limits) {
        return limits.windowNanos() / PARTS;
    }

    /** {@return this log with less in one grant; unchanged where its window has passed} */
    GrantLog without(long index, long requests, Need refund) {
        Node<Grant> leaf = tree.leaf(index);
        if (leaf == null || leaf.item() == null || (requests == 0 && refund.isNothing())) {
            return this;
        }
        long leftRequests = leaf.requests() - requests;
        var left = new Need(leaf.input() - refund.input(), leaf.output() - refund.output());
        return new GrantLog(
                leftRequests <= 0 && left.isNothing()
                        ? tree.without(index)
                        : tree.with(index, leaf.item(), leftRequests, left));
    }

    /** {@return whether so much may be granted now; more than a whole limit may once nothing is used} */
    boolean fits(Limits limits, Need need) {
        for (Weight weight : WEIGHTS) {
            long limit = limits.of(weight);
            if (limit != Limits.NONE && used(weight) > limit - Math.min(limit, need.of(weight))) {
                return false;
            }
        }
        return true;
    }

    /** {@return from when so many requests with so many tokens fit, if nothing else is granted; now where they do already} */
    long freeAtNanos(Limits limits, long now, long requests, long tokens, long input, long output) {
        long at = freedAtNanos(limits, now, Weight.REQUESTS, requests);
        at = later(at, freedAtNanos(limits, now, Weight.TOKENS, tokens));
        at = later(at, freedAtNanos(limits, now, Weight.INPUT, input));
        return later(at, freedAtNanos(limits, now, Weight.OUTPUT, output));
    }

    private long freedAtNanos(Limits limits, long now, Weight weight, long wanted) {
        long limit = limits.of(weight);
        long surplus = limit == Limits.NONE ? 0 : used(weight) - (limit - Math.min(limit, wanted));
        Grant last = surplus <= 0 ? null : tree.reaching(weight, surplus);
        return last == null ? now : later(now, last.nanos + limits.windowNanos());
    }

    /** {@return how much was granted after the grant} */
    long since(long index, Weight weight) {
        return used(weight) - tree.sumUpTo(index, weight);
    }

    static long later(long a, long b) {
        return a - b > 0 ? a : b;
    }
}
