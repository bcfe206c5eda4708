package dev.holdfast.simulation.internal.provider.h2;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** How much the client still takes, on the connection and on each stream (RFC 9113, section 5.2). */
final class SendWindow {
    private static final int DEFAULT = 65_535;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();
    private final Map<Integer, Long> streams = new HashMap<>();
    private long initial = DEFAULT;
    private long connection = DEFAULT;

    void open(int stream) {
        lock.lock();
        try {
            streams.put(stream, initial);
        } finally {
            lock.unlock();
        }
    }

    void close(int stream) {
        lock.lock();
        try {
            streams.remove(stream);
            opened.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until something can be sent; at most what is wanted. */
    int take(int stream, int wanted) throws InterruptedException {
        lock.lock();
        try {
            while (streams.containsKey(stream) && Math.min(connection, streams.get(stream)) <= 0) {
                opened.await();
            }
            long room = streams.getOrDefault(stream, 0L);
            if (room <= 0) {
                throw new InterruptedException("the stream is closed");
            }
            int given = (int) Math.min(wanted, Math.min(connection, room));
            connection -= given;
            streams.put(stream, room - given);
            return given;
        } finally {
            lock.unlock();
        }
    }

    /** The client takes so much more. Of streams that are over it may say so late. */
    void add(int stream, int bytes) throws ProtocolErrorException {
        if (bytes <= 0) {
            throw new ProtocolErrorException(Frame.PROTOCOL_ERROR);
        }
        lock.lock();
        try {
            if (stream == 0) {
                connection = bounded(connection + bytes);
            } else if (streams.containsKey(stream)) {
                streams.put(stream, bounded(streams.get(stream) + bytes));
            }
            opened.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Changes the beginning of all windows, those that are open included (section 6.9.2). */
    void initial(int bytes) throws ProtocolErrorException {
        if (bytes < 0) {
            throw new ProtocolErrorException(Frame.FLOW_CONTROL_ERROR);
        }
        lock.lock();
        try {
            long more = bytes - initial;
            streams.replaceAll((stream, room) -> room + more);
            initial = bytes;
            opened.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static long bounded(long window) throws ProtocolErrorException {
        if (window > Integer.MAX_VALUE) {
            throw new ProtocolErrorException(Frame.FLOW_CONTROL_ERROR);
        }
        return window;
    }
}
