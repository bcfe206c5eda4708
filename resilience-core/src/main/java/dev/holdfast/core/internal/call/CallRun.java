package dev.holdfast.core.internal.call;

import dev.holdfast.ModelResponse;
import dev.holdfast.core.internal.call.Admission.Admitted;
import dev.holdfast.core.internal.call.Admission.Ask;
import dev.holdfast.core.internal.call.NextMove.Send;
import dev.holdfast.core.internal.call.NextMove.Stop;
import dev.holdfast.core.internal.call.NextMove.StopReason;
import dev.holdfast.core.internal.call.Outcome.Answered;
import dev.holdfast.core.internal.call.Outcome.Begun;
import dev.holdfast.core.internal.stream.SourceStream;
import dev.holdfast.spi.Interceptor.Call;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One call on its way, streamed or not: asks the rules what is next, does it, and asks again, until there is an answer, or a
 * stream has begun.
 */
final class CallRun {
    private final Progress progress;
    private final Moves moves;
    private final Clearance clearance;
    private final Attempts attempts;
    private final AttemptSender sender;
    private final Sending sending;

    CallRun(Call call, CallState begun, Services services) {
        this.progress = new Progress(call, begun, services);
        this.moves = services.movesFor(call);
        this.clearance = new Clearance(progress);
        this.attempts = new Attempts(progress);
        this.sender = services.senderFor(call);
        this.sending = services.sendingFor(progress, attempts, sender);
    }

    /** Makes the call and returns its answer, which has come as a whole. */
    ModelResponse answer() {
        Won won = win();
        return switch (won.outcome()) {
            case Answered answered -> answers().answered(won, answered);
            case Begun begun -> throw new IllegalStateException("a stream came of a call that asked for none");
        };
    }

    /**
     * Makes the call and returns its stream: one that has begun, and holds its place among the calls in flight, or one of an
     * answer that came as a whole.
     */
    Opened open(InFlight.Stay stay, StreamSettlement.Finished finished) {
        Won won = win();
        Consumer<Runnable> start = work -> progress.services().async().start("holdfast-stream", work);
        return switch (won.outcome()) {
            case Answered answered -> {
                ModelResponse response = answers().answered(won, answered);
                yield new Opened(SourceStream.replayed(progress.time(), start, response), Optional.of(response));
            }
            case Begun begun -> {
                var settlement = new StreamSettlement(answers(), won, stay, finished);
                SourceStream live = SourceStream.live(
                        progress.time(), start, begun.first(), begun.flow(), begun.watch(), begun.reply(), settlement);
                stay.handOver(() -> live.close("the client was closed"));
                yield new Opened(live, Optional.empty());
            }
        };
    }

    /** Made at the end: a call that waits does without. */
    private Answers answers() {
        return new Answers(progress, attempts, sender);
    }

    /**
     * A stream for the consumer.
     *
     * @param stream the stream
     * @param whole the response, where it came as a whole and nothing is open
     */
    record Opened(SourceStream stream, Optional<ModelResponse> whole) {}

    private Won win() {
        try {
            while (true) {
                switch (next()) {
                    case Stop(StopReason why) -> throw Endings.of(why, progress.state());
                    case Send send -> {
                        Optional<Won> won = go(send);
                        if (won.isPresent()) {
                            return won.get();
                        }
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Endings.interrupted(progress.state());
        }
    }

    private NextMove next() {
        NextMove move = moves.next(progress.asOfNow());
        if (!(move instanceof Send send) || !progress.state().isNewThere(send.candidate())) {
            return move;
        }
        Routes routes = progress.services().routes();
        CallState arrived = routes.arrived(
                progress.state(), send.candidate(), Ask.patient(progress, availableIn -> {}), routes::tries);
        progress.update(state -> arrived);
        return moves.next(arrived);
    }

    private Optional<Won> go(Send send) throws InterruptedException {
        Optional<Admitted> admitted = clearance.clear(send);
        if (admitted.isEmpty()) {
            return Optional.empty();
        }
        Optional<Underway> underway = attempts.begin(send, admitted.get());
        if (underway.isEmpty()) {
            clearance.giveBack(send);
            throw Endings.of(StopReason.DEADLINE, progress.state());
        }
        Optional<Won> won = sending.send(underway.get());
        if (won.isEmpty() && progress.isCutByDeadline()) {
            throw Endings.of(StopReason.DEADLINE, progress.state());
        }
        return won;
    }
}
