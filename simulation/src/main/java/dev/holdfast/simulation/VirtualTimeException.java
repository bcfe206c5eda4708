package dev.holdfast.simulation;

import dev.holdfast.simulation.internal.time.Scheduler;

/** A simulation that could not come to its end: tasks wait for ever, or one threw. The message names them. */
public final class VirtualTimeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    VirtualTimeException(Scheduler.Ending ending) {
        super(ending.describe(), ending.taskFailure());
    }
}
