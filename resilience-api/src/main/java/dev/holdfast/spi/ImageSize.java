package dev.holdfast.spi;

import java.util.Base64;
import java.util.Optional;

/** The size of an image in pixels, each side at least 1. */
record ImageSize(int width, int height) {
    /** Enough of a file to find the size in; a JPEG with a long preface is not searched further. */
    private static final int MOST_CHARACTERS = 64 * 1_024;

    /** The size that the head of a PNG, GIF or JPEG tells; empty for all else. Never throws. */
    static Optional<ImageSize> ofBase64(String text) {
        int length = Math.min(text.length(), MOST_CHARACTERS) / 4 * 4;
        try {
            return of(Base64.getDecoder().decode(text.substring(0, length)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<ImageSize> of(byte[] head) {
        if (head.length >= 24 && word(head, 0) == 0x8950 && word(head, 2) == 0x4e47) {
            return sized(word(head, 16) << 16 | word(head, 18), word(head, 20) << 16 | word(head, 22));
        }
        if (head.length >= 10 && head[0] == 'G' && head[1] == 'I' && head[2] == 'F') {
            return sized(littleWord(head, 6), littleWord(head, 8));
        }
        return head.length >= 4 && word(head, 0) == 0xffd8 ? ofJpeg(head) : Optional.empty();
    }

    /** The size stands in the first frame header (SOF0 to SOF15 without DHT, JPG and DAC: ITU-T T.81, B.1). */
    private static Optional<ImageSize> ofJpeg(byte[] head) {
        int at = 2;
        while (at + 9 < head.length && (head[at] & 0xff) == 0xff) {
            int marker = head[at + 1] & 0xff;
            boolean frame = marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
            if (frame) {
                return sized(word(head, at + 7), word(head, at + 5));
            }
            at += 2 + Math.max(2, word(head, at + 2));
        }
        return Optional.empty();
    }

    private static Optional<ImageSize> sized(int width, int height) {
        return width > 0 && height > 0 ? Optional.of(new ImageSize(width, height)) : Optional.empty();
    }

    private static int word(byte[] bytes, int at) {
        return ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
    }

    private static int littleWord(byte[] bytes, int at) {
        return ((bytes[at + 1] & 0xff) << 8) | (bytes[at] & 0xff);
    }

    /** This size, made smaller so that its longer side is at most so long. */
    ImageSize fitInto(int side) {
        return scaledTo(Math.min(1.0, (double) side / Math.max(width, height)));
    }

    ImageSize scaledTo(double factor) {
        return new ImageSize(side(width * factor), side(height * factor));
    }

    private static int side(double length) {
        return (int) Math.max(1, Math.round(length));
    }

    /** How many squares of that side cover it. */
    long tiles(int side) {
        return ((width + (long) side - 1) / side) * ((height + (long) side - 1) / side);
    }
}
