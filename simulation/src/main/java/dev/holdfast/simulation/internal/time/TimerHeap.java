package dev.holdfast.simulation.internal.time;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The timers, earliest first; of equal ones those that come last behind, else the one set first. A task knows its place, so
 * that a timer is taken back in logarithmic time. Guarded by the scheduler's lock.
 */
final class TimerHeap {
    private @Nullable SimulatedTask[] tasks = new SimulatedTask[64];
    private int size;
    private long nextOrder;

    @Nullable
    SimulatedTask earliest() {
        return tasks[0];
    }

    void add(SimulatedTask task, long dueNanos, boolean last) {
        task.dueNanos = dueNanos;
        task.last = last;
        task.order = nextOrder++;
        if (size == tasks.length) {
            tasks = Arrays.copyOf(tasks, size * 2);
        }
        siftUp(size++, task);
    }

    void remove(SimulatedTask task) {
        int index = task.heapIndex;
        task.heapIndex = -1;
        SimulatedTask moved = at(--size);
        tasks[size] = null;
        if (moved != task) {
            siftDown(index, moved);
            if (moved.heapIndex == index) {
                siftUp(index, moved);
            }
        }
    }

    private void siftUp(int start, SimulatedTask task) {
        int index = start;
        while (index > 0) {
            int parent = (index - 1) >>> 1;
            if (!before(task, at(parent))) {
                break;
            }
            place(index, at(parent));
            index = parent;
        }
        place(index, task);
    }

    private void siftDown(int start, SimulatedTask task) {
        int index = start;
        for (int child = 2 * index + 1; child < size; child = 2 * index + 1) {
            if (child + 1 < size && before(at(child + 1), at(child))) {
                child++;
            }
            if (!before(at(child), task)) {
                break;
            }
            place(index, at(child));
            index = child;
        }
        place(index, task);
    }

    private void place(int index, SimulatedTask task) {
        tasks[index] = task;
        task.heapIndex = index;
    }

    @SuppressWarnings("NullAway") // every place below size is taken
    private SimulatedTask at(int index) {
        return tasks[index];
    }

    private static boolean before(SimulatedTask a, SimulatedTask b) {
        if (a.dueNanos != b.dueNanos) {
            return a.dueNanos < b.dueNanos;
        }
        return a.last == b.last ? a.order < b.order : b.last;
    }
}
