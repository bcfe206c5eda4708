package dev.holdfast.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CacheMode;
import dev.holdfast.CallCancelledException;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.CallTrail;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.Interceptor.CallChain;
import java.time.Duration;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Callers on threads of their own, and a provider that answers when a test lets it. */
abstract class FlightSetting {
    static final ModelRequest HELLO = ModelRequest.chat("m").user("hello").build();
    static final Duration LENGTH = Duration.ofSeconds(10);

    final ManualTime time = new ManualTime();
    final GatedUpstream upstream = new GatedUpstream();
    final ResponseCaching caching = ResponseCaching.of(
            new CaffeineResponseCache(1 << 20, time),
            CachePolicy.defaults().withMode(CacheMode.ALL),
            time,
            new SplittableRandom(1));

    Caller start(String id, Duration length) {
        return start(call(id, length, CallOptions.none()));
    }

    Caller start(Call call) {
        return new Caller(caching, call);
    }

    Call call(String id, Duration length, CallOptions options) {
        long now = time.nanoTime();
        return new Call(id, HELLO, options, now, now + length.toNanos(), Calls.heardBy(options));
    }

    /** A caller on a thread of its own. */
    final class Caller {
        final String id;
        final Call call;
        private final Thread thread;
        private volatile ModelResponse response;
        volatile Throwable failure;
        private volatile boolean interruptedAtTheEnd;

        Caller(ResponseCaching interceptor, Call call) {
            this(interceptor, call, upstream, new CountDownLatch(0));
        }

        Caller(ResponseCaching interceptor, Call call, CallChain chain, CountDownLatch start) {
            this.id = call.id();
            this.call = call;
            this.thread = Thread.ofVirtual().start(() -> {
                try {
                    while (start.getCount() > 0) {
                        Thread.onSpinWait();
                        Thread.yield();
                    }
                    response = interceptor.aroundCall(call, chain);
                } catch (RuntimeException | Error e) {
                    failure = e;
                }
                interruptedAtTheEnd = Thread.currentThread().isInterrupted();
            });
        }

        void interrupt() {
            thread.interrupt();
        }

        void join() throws InterruptedException {
            thread.join();
        }

        boolean wasInterruptedAtTheEnd() {
            return interruptedAtTheEnd;
        }

        ModelResponse response() throws InterruptedException {
            thread.join();
            assertThat(failure).isNull();
            return response;
        }

        Throwable failure() throws InterruptedException {
            thread.join();
            assertThat(response).isNull();
            return failure;
        }
    }

    /** Answers only when a test lets it, and notes when it is interrupted. */
    static final class GatedUpstream implements CallChain {
        private final Semaphore gate = new Semaphore(0);
        private final Semaphore entered = new Semaphore(0);
        private final AtomicInteger aborted = new AtomicInteger();
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Queue<Call> seen = new ConcurrentLinkedQueue<>();
        final Queue<String> threads = new ConcurrentLinkedQueue<>();
        private int awaited;

        void letPass() {
            gate.release();
        }

        void awaitCalls(int calls) throws InterruptedException {
            entered.acquire(calls - awaited);
            awaited = calls;
        }

        int calls() {
            return seen.size();
        }

        int aborted() {
            return aborted.get();
        }

        @Override
        public ModelResponse proceed(Call call) {
            seen.add(call);
            threads.add(Thread.currentThread().getName());
            entered.release();
            try {
                gate.acquire();
            } catch (InterruptedException e) {
                aborted.incrementAndGet();
                throw cancelled(call);
            }
            return answer();
        }

        private ModelResponse answer() {
            Throwable thrown = failure.get();
            if (thrown instanceof RuntimeException e) {
                throw e;
            }
            if (thrown instanceof Error e) {
                throw e;
            }
            return Calls.response("answer");
        }
    }

    static CallException cancelled(Call call) {
        Failure failure = Failure.of(FailureKind.CANCELLED, FailureScope.REQUEST, Delivery.AMBIGUOUS, "interrupted");
        return new CallCancelledException("interrupted", failure, CallTrail.empty(call.id()), null);
    }
}
