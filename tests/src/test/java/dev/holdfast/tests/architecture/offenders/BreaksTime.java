package dev.holdfast.tests.architecture.offenders;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import java.util.Timer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** One class for each way around the Timekeeper, so that each way is caught by itself. */
public final class BreaksTime {
    private BreaksTime() {}

    static final class SleepsByThread {
        void run() throws InterruptedException {
            Thread.sleep(1);
        }
    }

    static final class SleepsByUnit {
        void run() throws InterruptedException {
            TimeUnit.SECONDS.sleep(1);
        }
    }

    static final class StartsAThread {
        void run(Thread thread) {
            thread.start();
        }
    }

    static final class MakesAThread {
        Thread run() {
            return new Thread("offender");
        }
    }

    static final class StartsAVirtualThread {
        void run(Runnable body) {
            Thread.ofVirtual().start(body);
        }
    }

    static final class StartsAVirtualThreadAtOnce {
        void run(Runnable body) {
            Thread.startVirtualThread(body);
        }
    }

    static final class JoinsAThread {
        void run(Thread thread) throws InterruptedException {
            thread.join();
        }
    }

    static final class Yields {
        void run() {
            Thread.yield();
        }
    }

    static final class ReadsNanoTime {
        long run() {
            return System.nanoTime();
        }
    }

    static final class ReadsNanoTimeByReference {
        LongSupplier run() {
            return System::nanoTime;
        }
    }

    static final class ReadsMillis {
        long run() {
            return System.currentTimeMillis();
        }
    }

    static final class ReadsInstant {
        Instant run() {
            return Instant.now();
        }
    }

    static final class ReadsLocalTime {
        LocalDateTime run() {
            return LocalDateTime.now();
        }
    }

    static final class ReadsZonedTime {
        ZonedDateTime run() {
            return ZonedDateTime.now();
        }
    }

    static final class ReadsADate {
        Date run() {
            return new Date();
        }
    }

    static final class TakesTheSystemClock {
        Clock run() {
            return Clock.systemUTC();
        }
    }

    static final class TakesTheSystemSource {
        InstantSource run() {
            return InstantSource.system();
        }
    }

    static final class Locks {
        private final ReentrantLock lock = new ReentrantLock();
    }

    static final class LocksForReading {
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    }

    static final class Parks {
        void run() {
            LockSupport.park();
        }
    }

    static final class CountsPermits {
        private final Semaphore permits = new Semaphore(1);
    }

    static final class Latches {
        private final CountDownLatch latch = new CountDownLatch(1);
    }

    static final class Meets {
        private final CyclicBarrier barrier = new CyclicBarrier(1);
    }

    static final class Phases {
        private final Phaser phaser = new Phaser();
    }

    static final class Queues {
        private final ArrayBlockingQueue<String> queue = new ArrayBlockingQueue<>(1);
    }

    static final class QueuesArrays {
        private LinkedTransferQueue<?>[] queues = {};
    }

    static final class Executes {
        void run(Executor executor) {
            executor.execute(() -> {});
        }
    }

    static final class MakesAnExecutor {
        AutoCloseable run() {
            return Executors.newVirtualThreadPerTaskExecutor();
        }
    }

    static final class GetsAFuture {
        Object run(Future<?> future) throws Exception {
            return future.get();
        }
    }

    static final class GetsACompletableFuture {
        Object run(CompletableFuture<?> future) throws Exception {
            return future.get();
        }
    }

    static final class JoinsACompletableFuture {
        Object run(CompletableFuture<?> future) {
            return future.join();
        }
    }

    static final class JoinsByReference {
        List<Object> run(Stream<CompletableFuture<Object>> futures) {
            return futures.map(CompletableFuture::join).toList();
        }
    }

    static final class TimesAFuture {
        CompletableFuture<?> run(CompletableFuture<?> future) {
            return future.orTimeout(1, TimeUnit.SECONDS);
        }
    }

    static final class BorrowsTheCommonPool {
        CompletableFuture<Void> run(Runnable body) {
            return CompletableFuture.runAsync(body);
        }
    }

    static final class WaitsOnAnObject {
        void run(Object monitor) throws InterruptedException {
            monitor.wait();
        }
    }

    static final class NotifiesAnObject {
        void run(Object monitor) {
            monitor.notifyAll();
        }
    }

    static final class SetsATimer {
        private final Timer timer = new Timer();
    }

    static final class WorksInParallel {
        long run(List<String> values) {
            return values.parallelStream().count();
        }
    }
}
