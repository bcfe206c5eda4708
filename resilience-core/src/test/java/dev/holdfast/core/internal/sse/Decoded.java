package dev.holdfast.core.internal.sse;

import dev.holdfast.spi.ServerSentEvent;
import dev.holdfast.spi.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What a decoder makes of a stream that comes in pieces. */
record Decoded(SseDecoder decoder, List<ServerSentEvent> events) {
    static Decoded whole(byte[] stream) {
        return inPieces(stream, stream.length);
    }

    static Decoded inPieces(byte[] stream, int size) {
        var decoded = new Decoded(new SseDecoder(), new ArrayList<>());
        for (int at = 0; at < stream.length; at += size) {
            decoded.add(stream, at, Math.min(size, stream.length - at));
        }
        return decoded;
    }

    static Decoded cutAt(byte[] stream, int cut) {
        var decoded = new Decoded(new SseDecoder(), new ArrayList<>());
        decoded.add(stream, 0, cut);
        decoded.add(stream, cut, stream.length - cut);
        return decoded;
    }

    static Decoded atRandom(byte[] stream, Random random) {
        var decoded = new Decoded(new SseDecoder(), new ArrayList<>());
        for (int at = 0; at < stream.length; ) {
            int length = Math.min(1 + random.nextInt(7), stream.length - at);
            decoded.add(stream, at, length);
            at += length;
        }
        return decoded;
    }

    void add(byte[] stream, int from, int length) {
        try {
            decoder.decode(stream, from, length, events::add);
        } catch (TransportException e) {
            throw new AssertionError(e);
        }
    }
}
