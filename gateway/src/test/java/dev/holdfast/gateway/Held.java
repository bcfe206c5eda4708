package dev.holdfast.gateway;

import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import java.util.concurrent.CountDownLatch;

/** A healthy provider that keeps its first answer back until a test lets it go: so long the call is under way, however slow all is. */
final class Held {
    private final CountDownLatch go = new CountDownLatch(1);

    FaultScript script() {
        return FaultScript.answering(this::answer);
    }

    private Reply answer(ProviderRequest request) {
        if (request.number() == 1) {
            try {
                go.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return FaultScript.healthy().reply(request);
    }

    void letGo() {
        go.countDown();
    }
}
