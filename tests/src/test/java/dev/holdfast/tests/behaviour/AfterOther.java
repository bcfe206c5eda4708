package dev.holdfast.tests.behaviour;

import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;

/**
 * A healthy provider that answers its first request when another has got its first, the second when that has got its second, and so
 * on: who wins a hedge by it has a loser whose request arrived, however slow the machine is.
 */
public final class AfterOther {
    private final FaultyProvider other;

    private AfterOther(FaultyProvider other) {
        this.other = other;
    }

    /** {@return the script of the provider that waits for the other} */
    public static FaultScript script(FaultyProvider other) {
        return FaultScript.answering(new AfterOther(other)::answer);
    }

    private Reply answer(ProviderRequest request) {
        try {
            while (other.requests().size() < request.number()) {
                Thread.sleep(2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return FaultScript.healthy().reply(request);
    }
}
