package dev.holdfast.simulation.internal.provider.h2;

import java.io.ByteArrayOutputStream;

/**
 * The code of RFC 7541, appendix B. It is canonical: ordered by length and then by symbol, each code is its predecessor's successor,
 * so the lengths say it all.
 */
final class HuffmanCode {
    /** The length of each symbol's code as a digit of base 36; the last symbol is the end of the string. */
    private static final String LENGTHS = "dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6ca"
            + "d67777777777777777777777878djde6f56565666577666567655677777fbeds"
            + "kmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmn"
            + "qqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrq"
            + "u";

    private static final int END = 256;
    private static final int LONGEST = 30;

    /** The symbols ordered by length and value; of each length the first code, and where its symbols begin. */
    private static final int[] SYMBOLS = new int[LENGTHS.length()];

    private static final int[] FIRST_CODE = new int[LONGEST + 2];
    private static final int[] FIRST_SYMBOL = new int[LONGEST + 2];

    static {
        int code = 0;
        int symbols = 0;
        for (int length = 1; length <= LONGEST; length++) {
            code <<= 1;
            FIRST_CODE[length] = code;
            FIRST_SYMBOL[length] = symbols;
            for (int symbol = 0; symbol < LENGTHS.length(); symbol++) {
                if (length(symbol) == length) {
                    SYMBOLS[symbols++] = symbol;
                    code++;
                }
            }
        }
        FIRST_SYMBOL[LONGEST + 1] = symbols;
    }

    private HuffmanCode() {}

    private static int length(int symbol) {
        return Character.digit(LENGTHS.charAt(symbol), 36);
    }

    /** The text behind the code. What fills up the last byte is shorter than eight bits, and all ones. */
    static byte[] decode(byte[] coded) throws ProtocolErrorException {
        var text = new ByteArrayOutputStream(coded.length * 2);
        int code = 0;
        int length = 0;
        for (int bit = 0; bit < coded.length * 8; bit++) {
            code = (code << 1) | ((coded[bit >> 3] >> (7 - (bit & 7))) & 1);
            length++;
            int symbol = symbol(code, length);
            if (symbol == END || length > LONGEST) {
                throw new ProtocolErrorException(Frame.COMPRESSION_ERROR);
            }
            if (symbol >= 0) {
                text.write(symbol);
                code = 0;
                length = 0;
            }
        }
        if (length > 7 || code != (1 << length) - 1) {
            throw new ProtocolErrorException(Frame.COMPRESSION_ERROR);
        }
        return text.toByteArray();
    }

    /** -1 while more bits are wanted. */
    private static int symbol(int code, int length) {
        if (length > LONGEST) {
            return -1;
        }
        int at = code - FIRST_CODE[length];
        int count = FIRST_SYMBOL[length + 1] - FIRST_SYMBOL[length];
        return at >= 0 && at < count ? SYMBOLS[FIRST_SYMBOL[length] + at] : -1;
    }
}
