package dev.holdfast.benchmarks.table;

import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.time.Instant;

/** The machine's time, running faster: a second of it takes a part of a second. */
final class CompressedTime implements Timekeeper {
    private final Timekeeper machine = Timekeeper.system();
    private final long originNanos = machine.nanoTime();
    private final Instant start = machine.now();
    private final double speed;

    CompressedTime(double speed) {
        this.speed = speed;
    }

    /** How long that takes on the machine; never shorter. */
    Duration onTheMachine(Duration duration) {
        return duration.compareTo(Duration.ofDays(36_500)) >= 0
                ? duration
                : Duration.ofNanos((long) Math.ceil(duration.toNanos() / speed));
    }

    Duration elapsed() {
        return Duration.ofNanos(nanoTime());
    }

    @Override
    public long nanoTime() {
        return (long) ((machine.nanoTime() - originNanos) * speed);
    }

    @Override
    public Instant now() {
        return start.plusNanos(nanoTime());
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        machine.sleep(onTheMachine(duration));
    }

    @Override
    public Task start(String name, Runnable body) {
        return machine.start(name, body);
    }

    @Override
    public Signal newSignal() {
        return new CompressedSignal(machine.newSignal());
    }

    private final class CompressedSignal implements Signal {
        private final Signal signal;

        CompressedSignal(Signal signal) {
            this.signal = signal;
        }

        @Override
        public void set() {
            signal.set();
        }

        @Override
        public boolean isSet() {
            return signal.isSet();
        }

        @Override
        public boolean await(long deadlineNanos) throws InterruptedException {
            double left = (deadlineNanos - nanoTime()) / speed;
            return signal.await(machine.nanoTime() + (long) Math.ceil(Math.max(0, left)));
        }

        @Override
        public void await() throws InterruptedException {
            signal.await();
        }
    }
}
