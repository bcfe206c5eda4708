package dev.holdfast.tests.peers;

import dev.holdfast.testkit.BreakerContract.Permit;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/**
 * A permit of a breaker that has none by hand: a call that has begun on a thread of its own and ends when the permit is
 * ended, once.
 */
final class CallPermit implements Permit {
    private final CompletableFuture<Callable<Object>> end = new CompletableFuture<>();
    private final CountDownLatch over = new CountDownLatch(1);

    private CallPermit() {}

    /** The target's fault. */
    static final class FailedException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Says nothing about the target; breakers are told to skip it. */
    static final class IgnoredException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    static Optional<Permit> of(Engine engine) {
        var permit = new CallPermit();
        var admitted = new CompletableFuture<Boolean>();
        Thread.ofVirtual().start(() -> {
            try {
                engine.call(() -> {
                    admitted.complete(true);
                    return permit.end.get().call();
                });
            } catch (Exception e) {
                // the rejection, or how the permit was ended
            } finally {
                admitted.complete(false);
                permit.over.countDown();
            }
        });
        return admitted.join() ? Optional.of(permit) : Optional.empty();
    }

    @Override
    public void succeeded() {
        end(() -> "good");
    }

    @Override
    public void failed() {
        end(() -> {
            throw new FailedException();
        });
    }

    @Override
    public void ignored() {
        end(() -> {
            throw new IgnoredException();
        });
    }

    private void end(Callable<Object> how) {
        end.complete(how);
        try {
            over.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
