package dev.holdfast.simulation.internal.provider;

import dev.holdfast.Bytes;
import dev.holdfast.simulation.Reply.Chunk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Cuts, joins and compresses the pieces of a body. */
public final class Pieces {
    private Pieces() {}

    /** All bytes in one. */
    public static Bytes join(List<Chunk> chunks) {
        var out = new ByteArrayOutputStream();
        chunks.forEach(chunk -> out.writeBytes(chunk.bytes().toByteArray()));
        return Bytes.of(out.toByteArray());
    }

    /** The pieces up to a number of bytes; the last may be shortened, and one that would be empty is left out. */
    public static List<Chunk> first(List<Chunk> chunks, int bytes) {
        var kept = new ArrayList<Chunk>();
        int left = bytes;
        for (Chunk chunk : chunks) {
            if (left == 0) {
                break;
            }
            int size = Math.min(left, chunk.bytes().size());
            kept.add(new Chunk(chunk.pause(), slice(chunk.bytes().toByteArray(), 0, size)));
            left -= size;
        }
        return kept;
    }

    /** Pieces of at most that size. */
    public static List<Chunk> split(List<Chunk> chunks, int size) {
        if (size < 1) {
            throw new IllegalArgumentException("size: " + size + " (expected: >= 1)");
        }
        var pieces = new ArrayList<Chunk>();
        for (Chunk chunk : chunks) {
            byte[] content = chunk.bytes().toByteArray();
            for (int from = 0; from < content.length; from += size) {
                Duration pause = from == 0 ? chunk.pause() : Duration.ZERO;
                pieces.add(new Chunk(pause, slice(content, from, Math.min(content.length, from + size))));
            }
        }
        return pieces;
    }

    /** A body cut behind each of its blank lines. */
    public static List<Chunk> events(Bytes body) {
        byte[] content = body.toByteArray();
        var pieces = new ArrayList<Chunk>();
        int from = 0;
        for (int at = 0; at < content.length; at++) {
            boolean blank = content[at] == '\n' && at > 0 && (content[at - 1] == '\n' || isBlankLine(content, at));
            if (blank || at == content.length - 1) {
                pieces.add(new Chunk(Duration.ZERO, slice(content, from, at + 1)));
                from = at + 1;
            }
        }
        return pieces;
    }

    private static boolean isBlankLine(byte[] content, int at) {
        return at > 1 && content[at - 1] == '\r' && content[at - 2] == '\n';
    }

    /** One gzip stream over all pieces, flushed after each; the trailer rides with the last. */
    public static List<Chunk> gzip(List<Chunk> chunks) {
        var out = new ByteArrayOutputStream();
        var pieces = new ArrayList<Chunk>();
        try (var gzip = new GZIPOutputStream(out, 512, true)) {
            for (Chunk chunk : chunks.isEmpty() ? List.of(Chunk.of("")) : chunks) {
                gzip.write(chunk.bytes().toByteArray());
                gzip.flush();
                pieces.add(new Chunk(chunk.pause(), Bytes.of(out.toByteArray())));
                out.reset();
            }
            gzip.finish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return withTrailer(pieces, out.toByteArray());
    }

    private static List<Chunk> withTrailer(List<Chunk> pieces, byte[] trailer) {
        Chunk last = pieces.removeLast();
        pieces.add(new Chunk(last.pause(), join(List.of(last, new Chunk(Duration.ZERO, Bytes.of(trailer))))));
        return pieces;
    }

    private static Bytes slice(byte[] content, int from, int to) {
        return Bytes.of(Arrays.copyOfRange(content, from, to));
    }
}
