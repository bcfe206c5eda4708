package dev.holdfast.core.internal.call;

import java.util.Optional;

/** Sends on the call's own thread. */
final class DirectSending implements Sending {
    private final AttemptSender sender;
    private final Attempts attempts;

    DirectSending(AttemptSender sender, Attempts attempts) {
        this.sender = sender;
        this.attempts = attempts;
    }

    /** Whatever happens in there, the permit comes back, and what may have been paid for is told. */
    @Override
    public Optional<Won> send(Underway underway) throws InterruptedException {
        boolean ended = false;
        boolean interrupted = false;
        Outcome outcome;
        try {
            outcome = sender.send(underway, Departure.FREE);
            ended = true;
        } catch (InterruptedException e) {
            interrupted = true;
            throw e;
        } finally {
            if (!ended) {
                attempts.brokeOff(underway, interrupted);
            }
        }
        return attempts.ended(underway, outcome);
    }
}
