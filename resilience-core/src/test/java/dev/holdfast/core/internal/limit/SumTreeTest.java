package dev.holdfast.core.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SumTreeTest {
    @Property(tries = 200)
    void agreesWithASortedMap(@ForAll @Size(max = 400) List<@IntRange(max = 999) Integer> steps) {
        SumTree<Long> tree = SumTree.empty();
        var model = new TreeMap<Long, long[]>();
        long end = 0;
        for (int step : steps) {
            long any = end == 0 ? 0 : step * 7L % end;
            switch (step % 5) {
                case 0, 1 -> {
                    tree = tree.plus(end, 1, new Need(step, 0));
                    model.put(end++, new long[] {1, step});
                    assertThat(tree.lastIndex()).isEqualTo(end - 1);
                }
                case 2 -> {
                    tree = tree.without(any);
                    model.remove(any);
                }
                case 3 -> {
                    tree = tree.with(any, any, 2, new Need(step / 2, step - step / 2));
                    model.computeIfPresent(any, (index, old) -> new long[] {2, step});
                }
                default -> {
                    tree = tree.without(tree.firstIndex());
                    model.pollFirstEntry();
                }
            }
            agree(tree, model, step);
        }
    }

    private static void agree(SumTree<Long> tree, TreeMap<Long, long[]> model, int step) {
        assertThat(tree.isEmpty()).isEqualTo(model.isEmpty());
        assertThat(tree.count()).isEqualTo(model.size());
        assertThat(tree.sum(Weight.REQUESTS)).isEqualTo(sum(model, 0));
        assertThat(tree.sum(Weight.TOKENS)).isEqualTo(sum(model, 1));
        assertThat(tree.firstIndex()).isEqualTo(model.isEmpty() ? -1 : model.firstKey());
        assertThat(tree.first()).isEqualTo(model.isEmpty() ? null : model.firstKey());
        List<Long> items = new ArrayList<>();
        tree.forEach(items::add);
        assertThat(items).containsExactlyElementsOf(model.keySet());
        long from = model.isEmpty() ? 3 : model.firstKey() + step % 5;
        assertThat(tree.sumUpTo(from, Weight.TOKENS)).isEqualTo(sum(new TreeMap<>(model.headMap(from, true)), 1));
        assertThat(tree.reaching(Weight.TOKENS, step + 1)).isEqualTo(reaching(model, 1, step + 1));
        assertThat(tree.reaching(Weight.REQUESTS, step % 9 + 1)).isEqualTo(reaching(model, 0, step % 9 + 1));
    }

    private static long sum(TreeMap<Long, long[]> model, int which) {
        return model.values().stream().mapToLong(weights -> weights[which]).sum();
    }

    private static Long reaching(TreeMap<Long, long[]> model, int which, long amount) {
        long sum = 0;
        for (Map.Entry<Long, long[]> entry : model.entrySet()) {
            sum += entry.getValue()[which];
            if (sum >= amount) {
                return entry.getKey();
            }
        }
        return null;
    }

    @Test
    void isNoTallerThanWhatItHolds() {
        SumTree<Integer> tree = SumTree.empty();
        for (int i = 0; i < 100_000; i++) {
            tree = tree.plus(i, 1, new Need(1, 0));
            if (tree.count() > 50) {
                tree = tree.without(tree.firstIndex());
            }
        }
        assertThat(tree.height()).isLessThanOrEqualTo(7);
        assertThat(tree.count()).isEqualTo(50);
    }

    @Test
    void leavesEarlierVersionsAsTheyWere() {
        SumTree<String> one = SumTree.<String>empty().plus("a", 1, new Need(10, 0));
        SumTree<String> two = one.plus("b", 1, new Need(0, 20));
        two.without(0);
        two.with(1, "c", 5, new Need(5, 0));
        assertThat(one.sum(Weight.TOKENS)).isEqualTo(10);
        assertThat(two.sum(Weight.TOKENS)).isEqualTo(30);
        assertThat(two.first()).isEqualTo("a");
    }

    @Test
    void saturatesItsSums() {
        var most = new Need(Long.MAX_VALUE, Long.MAX_VALUE);
        SumTree<String> tree = SumTree.empty();
        for (int i = 0; i < 10_000; i++) {
            tree = tree.plus("a", Long.MAX_VALUE, most);
        }
        assertThat(tree.sum(Weight.TOKENS)).isEqualTo(Long.MAX_VALUE);
        assertThat(tree.sum(Weight.REQUESTS)).isEqualTo(Long.MAX_VALUE);
        assertThat(tree.sum(Weight.INPUT)).isPositive();
    }
}
