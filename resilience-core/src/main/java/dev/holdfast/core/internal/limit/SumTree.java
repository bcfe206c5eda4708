package dev.holdfast.core.internal.limit;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A persistent sequence of weighted items that knows the sums of their weights, so that a limiter's whole state is one
 * immutable value and still each change and each question takes only logarithmic time. An item keeps its index for life.
 *
 * @param <T> the items
 */
public final class SumTree<T> {
    private final @Nullable Node<T> root;
    private final int height;
    private final long base;
    private final long end;

    private SumTree(@Nullable Node<T> root, int height, long base, long end) {
        this.root = root;
        this.height = height;
        this.base = base;
        this.end = end;
    }

    static <T> SumTree<T> empty() {
        return new SumTree<>(null, 0, 0, 0);
    }

    int height() {
        return height;
    }

    public boolean isEmpty() {
        return root == null;
    }

    public long count() {
        return root == null ? 0 : root.count;
    }

    long sum(Weight weight) {
        return root == null ? 0 : root.weight(weight);
    }

    /** {@return the sum of the items up to and with the index} */
    long sumUpTo(long index, Weight weight) {
        if (root == null || index < base) {
            return 0;
        }
        if (index >= end - 1) {
            return root.weight(weight);
        }
        Node<T> node = root;
        long sum = 0;
        for (int level = height - 1; level >= 0 && node != null; level--) {
            boolean left = isLeft(index - base, level);
            sum = left || node.left == null ? sum : add(sum, node.left.weight(weight));
            node = left ? node.left : node.right;
        }
        return node == null ? sum : add(sum, node.weight(weight));
    }

    /** {@return the index of the item that was added last, or -1} */
    public long lastIndex() {
        return end - 1;
    }

    /** {@return this sequence with one more item, at {@link #lastIndex()}} */
    SumTree<T> plus(T item, long requests, Need need) {
        var leaf = new Node<>(1, requests, need.input(), need.output(), item, null, null);
        if (root == null) {
            return new SumTree<>(leaf, 0, end, end + 1);
        }
        boolean full = end - base == 1L << height;
        int newHeight = full ? height + 1 : height;
        Node<T> wide = full ? branch(root, null) : root;
        return new SumTree<>(put(wide, newHeight, end - base, leaf), newHeight, base, end + 1);
    }

    /** {@return this sequence with another item at the index; unchanged if there is none} */
    SumTree<T> with(long index, T item, long requests, Need need) {
        Node<T> leaf = leaf(index);
        return leaf == null
                ? this
                : replaced(index, new Node<>(1, requests, need.input(), need.output(), item, null, null));
    }

    /** {@return this sequence without the item at the index; unchanged if there is none} */
    SumTree<T> without(long index) {
        return leaf(index) == null ? this : replaced(index, null).shrunk();
    }

    private SumTree<T> replaced(long index, @Nullable Node<T> leaf) {
        return new SumTree<>(put(root, height, index - base, leaf), height, base, end);
    }

    private SumTree<T> shrunk() {
        Node<T> node = root;
        int level = height;
        long from = base;
        while (node != null && level > 0 && node.left == null) {
            node = node.right;
            level--;
            from += 1L << level;
        }
        return node == null ? new SumTree<>(null, 0, end, end) : new SumTree<>(node, level, from, end);
    }

    /** {@return the leaf at the index, or null} */
    @Nullable
    Node<T> leaf(long index) {
        if (index < base || index >= end) {
            return null;
        }
        Node<T> node = root;
        for (int level = height - 1; level >= 0 && node != null; level--) {
            node = isLeft(index - base, level) ? node.left : node.right;
        }
        return node;
    }

    /** {@return the index of the oldest item, or -1} */
    public long firstIndex() {
        return root == null ? -1 : indexReaching(node -> node.count, 1);
    }

    /** {@return the oldest item, or null} */
    public @Nullable T first() {
        Node<T> leaf = leaf(firstIndex());
        return leaf == null ? null : leaf.item;
    }

    /** {@return the oldest item that makes up the amount together with all before it, or null} */
    @Nullable
    T reaching(Weight weight, long amount) {
        if (root == null || root.weight(weight) < amount) {
            return null;
        }
        Node<T> leaf = leaf(indexReaching(node -> node.weight(weight), amount));
        return leaf == null ? null : leaf.item;
    }

    private long indexReaching(Measure<T> measure, long amount) {
        Node<T> node = root;
        long index = base;
        long missing = amount;
        for (int level = height - 1; level >= 0 && node != null; level--) {
            long left = node.left == null ? 0 : measure.of(node.left);
            if (left >= missing) {
                node = node.left;
            } else {
                missing -= left;
                node = node.right;
                index += 1L << level;
            }
        }
        return index;
    }

    public void forEach(Consumer<T> action) {
        visit(root, action);
    }

    private static <T> void visit(@Nullable Node<T> node, Consumer<T> action) {
        if (node == null) {
            return;
        }
        if (node.item != null) {
            action.accept(node.item);
        }
        visit(node.left, action);
        visit(node.right, action);
    }

    private static <T> @Nullable Node<T> put(@Nullable Node<T> node, int level, long offset, @Nullable Node<T> leaf) {
        if (level == 0) {
            return leaf;
        }
        Node<T> left = node == null ? null : node.left;
        Node<T> right = node == null ? null : node.right;
        boolean goesLeft = isLeft(offset, level - 1);
        return goesLeft
                ? branch(put(left, level - 1, offset, leaf), right)
                : branch(left, put(right, level - 1, offset, leaf));
    }

    private static <T> @Nullable Node<T> branch(@Nullable Node<T> left, @Nullable Node<T> right) {
        if (left == null && right == null) {
            return null;
        }
        return new Node<>(
                (left == null ? 0 : left.count) + (right == null ? 0 : right.count),
                add(left == null ? 0 : left.requests, right == null ? 0 : right.requests),
                add(left == null ? 0 : left.input, right == null ? 0 : right.input),
                add(left == null ? 0 : left.output, right == null ? 0 : right.output),
                null,
                left,
                right);
    }

    private static boolean isLeft(long offset, int level) {
        return ((offset >> level) & 1) == 0;
    }

    private static long add(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    private interface Measure<T> {
        long of(Node<T> node);
    }

    /** A leaf, which has an item, or a branch, which has children; an empty branch does not exist. */
    record Node<T>(
            long count,
            long requests,
            long input,
            long output,
            @Nullable T item,
            @Nullable Node<T> left,
            @Nullable Node<T> right) {
        private long weight(Weight weight) {
            return switch (weight) {
                case REQUESTS -> requests;
                case TOKENS -> add(input, output);
                case INPUT -> input;
                case OUTPUT -> output;
            };
        }
    }
}
