package dev.holdfast.core.internal;

import java.util.concurrent.RejectedExecutionException;

/** Time whose threads do not start. */
public final class NoThreads extends ForwardedTime {
    public NoThreads(ManualTime time) {
        super(time);
    }

    @Override
    public Task start(String name, Runnable body) {
        throw new RejectedExecutionException("no thread");
    }
}
