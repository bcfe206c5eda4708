package dev.holdfast.core.internal.sse;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds the end of a line, eight bytes at a time. */
final class LineEnds {
    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long TOPS = 0x8080808080808080L;
    private static final long LF = ONES * '\n';
    private static final long CR = ONES * '\r';

    private LineEnds() {}

    /** The index of the first CR or LF from there on, or the limit. */
    static int next(byte[] bytes, int from, int limit) {
        int at = from;
        for (; at <= limit - Long.BYTES; at += Long.BYTES) {
            long eight = (long) EIGHT.get(bytes, at);
            long hits = zeros(eight ^ LF) | zeros(eight ^ CR);
            if (hits != 0) {
                return at + (Long.numberOfTrailingZeros(hits) >>> 3);
            }
        }
        while (at < limit && bytes[at] != '\n' && bytes[at] != '\r') {
            at++;
        }
        return at;
    }

    /** The top bit of each byte that is zero; above the lowest such byte a borrow may set more. */
    private static long zeros(long eight) {
        return (eight - ONES) & ~eight & TOPS;
    }
}
