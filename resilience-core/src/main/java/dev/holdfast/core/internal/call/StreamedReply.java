package dev.holdfast.core.internal.call;

import dev.holdfast.Bytes;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamTimeouts;
import dev.holdfast.core.internal.call.Outcome.Begun;
import dev.holdfast.core.internal.call.Outcome.Failed;
import dev.holdfast.core.internal.failure.RateLimitHeaders;
import dev.holdfast.core.internal.failure.ReceivedAnswer;
import dev.holdfast.core.internal.stream.BodyKind;
import dev.holdfast.core.internal.stream.StreamBrokenException;
import dev.holdfast.core.internal.stream.StreamJudge;
import dev.holdfast.core.internal.stream.StreamReader;
import dev.holdfast.core.internal.stream.StreamWatch;
import dev.holdfast.core.internal.stream.WatchedBody;
import dev.holdfast.spi.Dialect.StreamDecoder;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TransportReply;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream until its first meaningful event: then it has begun. What fails before is a failed attempt like any other. An
 * error, and a whole answer where a stream was asked for, are understood as calls have them.
 */
final class StreamedReply implements ReplyReader {
    private final StreamTimeouts timeouts;
    private final Function<Asked, StreamDecoder> decoders;
    private final WholeReply whole;
    private final Timekeeper time;
    private final Consumer<Runnable> start;

    StreamedReply(
            StreamTimeouts timeouts,
            Function<Asked, StreamDecoder> decoders,
            WholeReply whole,
            Timekeeper time,
            Consumer<Runnable> start) {
        this.timeouts = timeouts;
        this.decoders = decoders;
        this.whole = whole;
        this.time = time;
        this.start = start;
    }

    @Override
    public Outcome read(TransportReply reply, Asked asked) throws InterruptedException {
        var head = ReceivedAnswer.of(reply.status(), reply.headers(), Bytes.empty(), time.now());
        StreamWatch watch = StreamWatch.start(time, start, timeouts, asked.timeout(), asked.sentNanos(), reply::close);
        boolean begun = false;
        try {
            Outcome outcome = read(reply, head, watch, asked);
            begun = outcome instanceof Begun;
            return outcome;
        } catch (StreamBrokenException e) {
            return new Failed(e.failure(), RateLimitHeaders.parse(head.headers(), head.receivedAt()));
        } finally {
            if (!begun) {
                watch.end();
                reply.close();
            }
        }
    }

    private Outcome read(TransportReply reply, ReceivedAnswer head, StreamWatch watch, Asked asked)
            throws StreamBrokenException, InterruptedException {
        var judge = new StreamJudge(asked.judge(), head);
        var body = new WatchedBody(reply.body(), watch, judge);
        if (!head.isSuccess()) {
            return whole.understand(received(head, body, true), asked);
        }
        byte[] beginning = beginning(body);
        body.unread(beginning);
        if (BodyKind.of(ByteBuffer.wrap(beginning)) == BodyKind.DOCUMENT) {
            return whole.understand(received(head, body, false), asked);
        }
        boolean labelled = head.headers()
                .first("Content-Type")
                .filter(type -> type.startsWith("text/event-stream"))
                .isPresent();
        var reader = StreamReader.of(body, decoders.apply(asked), judge, labelled);
        return begun(reader, reply, head, watch, asked);
    }

    private static Outcome begun(
            StreamReader reader, TransportReply reply, ReceivedAnswer head, StreamWatch watch, Asked asked)
            throws StreamBrokenException, InterruptedException {
        Optional<RateLimitSnapshot> limits = RateLimitHeaders.parse(head.headers(), head.receivedAt());
        var first = new ArrayList<StreamEvent>();
        while (true) {
            @Nullable StreamEvent event = reader.next();
            if (event == null) {
                return new Failed(new StreamJudge(asked.judge(), head).empty(), limits);
            }
            first.add(event);
            if (event.isMeaningful()) {
                Optional<String> requestId = asked.judge().requestId(head.headers());
                return new Begun(
                        first, reader, watch, reply, requestId, asked.wire().adjusted(), limits);
            }
        }
    }

    /** The first bytes, up to one that is not blank. */
    private static byte[] beginning(WatchedBody body) throws StreamBrokenException, InterruptedException {
        var read = new ByteArrayOutputStream();
        byte[] buffer = new byte[4 * 1024];
        for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
            read.write(buffer, 0, count);
            if (BodyKind.of(ByteBuffer.wrap(buffer, 0, count)) != BodyKind.BLANK) {
                break;
            }
        }
        return read.toByteArray();
    }

    /** The whole body; that of an error counts as far as it came. */
    private ReceivedAnswer received(ReceivedAnswer head, WatchedBody body, boolean lenient)
            throws StreamBrokenException, InterruptedException {
        var read = new ByteArrayOutputStream();
        byte[] buffer = new byte[4 * 1024];
        boolean cut = false;
        try {
            for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
                read.write(buffer, 0, count);
            }
        } catch (StreamBrokenException e) {
            if (!lenient) {
                throw e;
            }
            cut = true;
        }
        return new ReceivedAnswer(head.status(), head.headers(), Bytes.of(read.toByteArray()), cut, head.receivedAt());
    }
}
