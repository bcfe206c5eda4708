package dev.holdfast.core.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BoundedRegistryTest {
    @Test
    void givesTheSameInstanceForTheSameKey() {
        var registry = new BoundedRegistry<String, Object>(10, key -> new Object());
        assertThat(registry.get("a")).isSameAs(registry.get("a")).isNotSameAs(registry.get("b"));
    }

    @Test
    void evictsWhoWasIdleLongest() {
        var registry = new BoundedRegistry<String, String>(2, key -> key);
        registry.get("a");
        registry.get("b");
        registry.get("a");
        registry.get("c");
        assertThat(registry.snapshot()).containsOnlyKeys("a", "c");
        registry.get("c");
        registry.get("d");
        assertThat(registry.snapshot()).containsOnlyKeys("c", "d");
    }

    @Test
    void neverKeepsMoreThanItMay() {
        var registry = new BoundedRegistry<Integer, Integer>(100, key -> key);
        for (int key = 0; key < 10_000; key++) {
            assertThat(registry.get(key)).isEqualTo(key);
            assertThat(registry.size()).isLessThanOrEqualTo(100);
        }
    }

    @Test
    @Tag("concurrency")
    void givesRacingCallersTheSameInstanceAndStaysBounded() throws InterruptedException {
        var registry = new BoundedRegistry<Integer, Object>(64, key -> new Object());
        for (int round = 0; round < 200; round++) {
            int key = round;
            var instances = ConcurrentHashMap.<Object>newKeySet();
            var start = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                threads.add(Thread.ofVirtual().start(() -> {
                    awaitQuietly(start);
                    instances.add(registry.get(key));
                }));
            }
            start.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(instances).hasSize(1);
            assertThat(registry.size()).isLessThanOrEqualTo(64);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
