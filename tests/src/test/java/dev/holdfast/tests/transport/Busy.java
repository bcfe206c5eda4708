package dev.holdfast.tests.transport;

import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A script that counts how many requests are answered at once, and can hold them until it is told to let go. */
final class Busy {
    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final CountDownLatch letGo = new CountDownLatch(1);
    private final boolean holds;

    private Busy(boolean holds) {
        this.holds = holds;
    }

    static Busy passing() {
        return new Busy(false);
    }

    static Busy holding() {
        return new Busy(true);
    }

    FaultScript script() {
        return FaultScript.answering(this::answer);
    }

    private Reply answer(ProviderRequest request) {
        most.accumulateAndGet(now.incrementAndGet(), Math::max);
        try {
            if (holds) {
                letGo.await();
            } else {
                Thread.sleep(2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        now.decrementAndGet();
        return Reply.completion("number " + request.number());
    }

    void letGo() {
        letGo.countDown();
    }

    int now() {
        return now.get();
    }

    int most() {
        return most.get();
    }
}
