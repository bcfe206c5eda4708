package dev.holdfast.core.internal.stream;

import dev.holdfast.Bytes;
import dev.holdfast.Failure;
import dev.holdfast.ModelAnswer;
import dev.holdfast.StreamEvent;
import dev.holdfast.core.internal.sse.SseDecoder;
import dev.holdfast.spi.Dialect.StreamDecoder;
import dev.holdfast.spi.DialectException;
import dev.holdfast.spi.ServerSentEvent;
import dev.holdfast.spi.TransportException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream: bytes, server-sent events, what they mean. Keep-alives are passed over; what else cannot be read is an error,
 * since no one can tell what part of the answer it was. The end is good if the dialect says that the answer is complete, and then
 * nothing that happens afterwards makes it bad.
 */
public final class StreamReader implements EventFlow {
    /** How long usage is waited for once the answer is complete. */
    private static final Duration TAIL = Duration.ofSeconds(5);
    /** How long the end of the body is waited for, so that the connection can be used again. */
    private static final Duration DRAIN = Duration.ofMillis(100);

    private static final int DRAINED_READS = 16;

    private final EventBytes body;
    private final StreamDecoder decoder;
    private final StreamJudge judge;
    private final boolean labelled;
    private final SseDecoder events = new SseDecoder();
    private final ArrayDeque<StreamEvent> ready = new ArrayDeque<>();
    private final byte[] buffer = new byte[8 * 1024];
    private @Nullable Failure failed;
    private boolean over;
    private boolean atEnd;
    private boolean cutWithin;
    private boolean undrained;
    private boolean empty = true;
    private boolean anyEvent;
    private int passedOver;

    private StreamReader(EventBytes body, StreamDecoder decoder, StreamJudge judge, boolean labelled) {
        this.body = body;
        this.decoder = decoder;
        this.judge = judge;
        this.labelled = labelled;
    }

    /**
     * Reads a stream as it comes.
     *
     * @param body the bytes
     * @param decoder the dialect's decoder of this stream
     * @param judge says what is wrong
     * @param labelled whether the head says that this is an event stream
     */
    public static StreamReader of(WatchedBody body, StreamDecoder decoder, StreamJudge judge, boolean labelled) {
        return new StreamReader(body, decoder, judge, labelled);
    }

    /**
     * Reads a stream that is there as a whole.
     *
     * @param body the bytes
     * @param decoder the dialect's decoder of this stream
     * @param judge says what is wrong
     */
    public static StreamReader of(Bytes body, StreamDecoder decoder, StreamJudge judge) {
        return new StreamReader(EventBytes.of(body.asByteBuffer()), decoder, judge, true);
    }

    @Override
    public @Nullable StreamEvent next() throws StreamBrokenException, InterruptedException {
        while (true) {
            StreamEvent event = ready.poll();
            if (event != null) {
                return event;
            }
            Failure failure = failed;
            if (failure != null) {
                throw new StreamBrokenException(failure);
            }
            if (over) {
                drain();
                return null;
            }
            fill();
        }
    }

    @Override
    public boolean isReady() {
        try {
            while (ready.isEmpty() && failed == null && !over && body.isThere()) {
                fill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !ready.isEmpty();
    }

    @Override
    public ModelAnswer answer() {
        return decoder.answer();
    }

    /** How many keep-alives came as events. */
    public int passedOver() {
        return passedOver;
    }

    private void fill() throws InterruptedException {
        try {
            int count = body.read(buffer);
            if (count < 0) {
                atEnd();
                return;
            }
            empty &= count == 0;
            events.decode(buffer, 0, count, this::take);
        } catch (StreamBrokenException e) {
            end(e.failure());
        } catch (TransportException e) {
            end(judge.fromTransport(e));
        }
    }

    /** A bad end, unless the answer was complete before it. */
    private void end(Failure failure) {
        if (failed == null && !decoder.isComplete()) {
            failed = failure;
        }
        over = true;
    }

    private void take(ServerSentEvent event) {
        if (over) {
            return;
        }
        anyEvent = true;
        if (KeepAlives.isOne(event)) {
            passedOver++;
            return;
        }
        Optional<Failure> error = judge.classify(event);
        if (error.isPresent()) {
            failed = error.get();
            over = true;
            return;
        }
        try {
            List<StreamEvent> more = decoder.decode(event);
            if (decoder.isFinal() && !decoder.isComplete()) {
                end(judge.ending(event));
            } else {
                add(more);
            }
        } catch (DialectException e) {
            if (atEnd) {
                cutWithin = true;
            } else {
                end(judge.malformed(String.valueOf(e.getMessage())));
            }
        }
    }

    private void add(List<StreamEvent> more) {
        boolean meaningful = false;
        for (StreamEvent event : more) {
            meaningful |= event.isMeaningful();
            ready.add(event);
        }
        if (meaningful) {
            body.meaningful();
        }
        if (decoder.isFinal()) {
            over = true;
            undrained = true;
        } else if (decoder.isComplete()) {
            body.complete(TAIL);
        }
    }

    /** An event that only lacks its blank line is taken; one that is cut within cannot be read, and counts for nothing. */
    private void atEnd() throws TransportException {
        Optional<ServerSentEvent> last = over ? Optional.empty() : events.unterminated();
        atEnd = true;
        last.ifPresent(this::take);
        undrained = false;
        if (!over && !cutWithin && decoder.mayEndHere()) {
            over = true;
        } else if (!over) {
            end(badEnd());
        }
    }

    private Failure badEnd() {
        if (anyEvent || (labelled && !empty)) {
            return judge.truncated();
        }
        return empty ? judge.empty() : judge.malformed("the answer is neither an event stream nor JSON");
    }

    /** Reads on to the end of the body, if that is near: a connection that is left before it cannot be used again. */
    private void drain() {
        if (!undrained) {
            return;
        }
        undrained = false;
        body.complete(DRAIN);
        try {
            for (int i = 0; i < DRAINED_READS && body.read(buffer) >= 0; i++) {
                // what follows the end is nothing
            }
        } catch (StreamBrokenException e) {
            // the answer is whole all the same
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
