package dev.holdfast.simulation.internal.time;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.util.Set;

/**
 * Hears of {@link Thread#interrupt()} on a waiting thread at once, on the thread that interrupts. Otherwise the woken thread
 * would have to tell the scheduler by itself, while another one runs: too late, if time has gone on meanwhile.
 *
 * <p>The JDK makes this promise to selectors only ({@link AbstractSelector#begin()}): an interrupt between {@code begin} and
 * {@code end} calls {@code wakeup}. So this is a selector that selects nothing.
 */
final class InterruptHook extends AbstractSelector {
    private final Runnable onInterrupt;

    @SuppressWarnings("NullAway") // it has no provider, and nothing asks for it
    InterruptHook(Runnable onInterrupt) {
        super(null);
        this.onInterrupt = onInterrupt;
    }

    void arm() {
        begin();
    }

    void disarm() {
        end();
    }

    @Override
    public Selector wakeup() {
        onInterrupt.run();
        return this;
    }

    @Override
    protected void implCloseSelector() {
        throw new UnsupportedOperationException();
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<SelectionKey> keys() {
        return Set.of();
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        return Set.of();
    }

    @Override
    public int selectNow() {
        return 0;
    }

    @Override
    public int select(long timeout) {
        return 0;
    }

    @Override
    public int select() {
        return 0;
    }
}
