package dev.holdfast.core.internal.event;

import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.AttemptFinished;
import dev.holdfast.CallEvent.BreakerChanged;
import dev.holdfast.CallEvent.BudgetRefused;
import dev.holdfast.CallEvent.CallFinished;
import dev.holdfast.CallEvent.ControlChanged;
import dev.holdfast.CallEvent.CooldownStarted;
import dev.holdfast.CallEvent.Hedged;
import dev.holdfast.CallEvent.Moved;
import dev.holdfast.CallEvent.RetryScheduled;
import dev.holdfast.CallEvent.TargetRejected;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.Target;
import dev.holdfast.spi.CallListener;
import dev.holdfast.spi.Timekeeper;
import java.util.Arrays;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logging as one listener among others: one structured line for each finished call, attempts at debug, changes of a
 * breaker and refusals as warnings, repeated at most once for each target and 10 s.
 */
public final class LoggingListener implements CallListener {
    private static final Logger LOG = LoggerFactory.getLogger("dev.holdfast.calls");

    private final WarningThrottle throttle;
    private final Misconfigured misconfigured = new Misconfigured();

    /**
     * Creates the listener.
     *
     * @param timekeeper tells when a warning may be repeated
     */
    public LoggingListener(Timekeeper timekeeper) {
        this.throttle = new WarningThrottle(timekeeper);
    }

    @Override
    public void onEvent(CallEvent event) {
        switch (event) {
            case CallFinished finished -> finished(finished);
            case AttemptFinished attempt -> attempted(attempt);
            case RetryScheduled retry ->
                LOG.debug(
                        "call={} retry target={} in_ms={} suggested={}",
                        retry.callId(),
                        retry.target(),
                        retry.delay().toMillis(),
                        retry.suggested());
            case Moved moved ->
                LOG.debug(
                        "call={} {} from={} to={}",
                        moved.callId(),
                        moved.reason().wireName(),
                        moved.from(),
                        moved.to());
            case Hedged hedged ->
                LOG.debug(
                        "call={} hedge {} slow={} hedge={}",
                        hedged.callId(),
                        hedged.step(),
                        hedged.slow(),
                        hedged.hedge());
            case TargetRejected rejected -> LOG.debug("call={} skipped {}", rejected.callId(), rejected.rejection());
            case BreakerChanged changed ->
                warn(changed.target(), "breaker {} -> {} ({})", changed.from(), changed.to(), changed.reason());
            case CooldownStarted cooldown -> cooling(cooldown);
            case BudgetRefused refused -> warn(refused.target(), "retry budget is used up");
            case ControlChanged control -> LOG.warn("control: {}", control.order());
            default -> LOG.trace("{}", event);
        }
    }

    private void attempted(AttemptFinished finished) {
        LOG.debug("call={} attempt {}", finished.callId(), finished.attempt());
        Target target = finished.attempt().target();
        if (finished.attempt().failure().isEmpty() && misconfigured.serves(target)) {
            LOG.info("target={} serves again", target);
        }
    }

    /** What someone has to set right is said once; it is tried again every minute, and every minute would be noise. */
    private void cooling(CooldownStarted cooldown) {
        if (!Misconfigured.is(cooldown.kind())) {
            warn(
                    cooldown.target(),
                    "cools down for {} ms ({})",
                    cooldown.length().toMillis(),
                    cooldown.kind().wireName());
        } else if (misconfigured.add(cooldown.target())) {
            LOG.warn(
                    "target={} is misconfigured ({}); it is tried again every {} s",
                    cooldown.target(),
                    cooldown.kind().wireName(),
                    cooldown.length().toSeconds());
        }
    }

    private static void finished(CallFinished finished) {
        if (!LOG.isInfoEnabled()) {
            return;
        }
        LOG.info(
                "call={} outcome={} target={} attempts={} took_ms={} cost={}{}",
                finished.callId(),
                finished.failure().map(LoggingListener::word).orElse("ok"),
                finished.servedBy().map(Target::toString).orElse("none"),
                finished.attempts(),
                finished.took().toMillis(),
                finished.cost().map(Object::toString).orElse("unknown"),
                finished.failure().map(LoggingListener::why).orElse(""));
    }

    /** What a provider says is for the error alone; of a connection the words are ours. */
    private static String why(Failure failure) {
        return failure.kind() == FailureKind.CONNECTION ? ": " + failure.message() : "";
    }

    private static String word(Failure failure) {
        return failure.kind().wireName();
    }

    private void warn(Target target, String message, Object... arguments) {
        throttle.admit(target + message).ifPresent(suppressed -> {
            String more = suppressed == 0 ? "" : " (and " + suppressed + " more)";
            Object[] all = Stream.concat(Stream.of(target), Stream.concat(Arrays.stream(arguments), Stream.of(more)))
                    .toArray();
            LOG.warn("target={} " + message + "{}", all);
        });
    }
}
