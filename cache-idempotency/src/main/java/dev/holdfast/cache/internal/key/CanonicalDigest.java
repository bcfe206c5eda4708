package dev.holdfast.cache.internal.key;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonBoolean;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.function.BiPredicate;

/**
 * A SHA-256 digest that is fed values, in a form that leaves no two ways to read it: a letter for the sort of value, then
 * its length, then what it holds. Members come in the order of RFC 8785, numbers are spelled one way, and no text is built on
 * the way. For one thread and one digest.
 */
final class CanonicalDigest {
    private static final MessageDigest FRESH = newDigest();

    private static final int LENGTH = 512;
    private static final int MOST_BYTES_OF_A_CHARACTER = 3;
    private static final int MOST_BYTES_OF_A_BEGINNING = 6;

    private final MessageDigest digest = copyOf(FRESH);
    private final byte[] buffer = new byte[LENGTH];
    private final MemberStack members = new MemberStack();
    private int at;

    /** The sorts of values in the order of their frequency; a switch over them costs a look-up for each value. */
    CanonicalDigest add(JsonValue value) {
        if (value instanceof JsonString(String text)) {
            add(text);
        } else if (value instanceof JsonObject object) {
            addMembers(members.push(object));
        } else if (value instanceof JsonArray array) {
            add(array);
        } else if (value instanceof JsonNumber(String text)) {
            tagged('n', CanonicalNumber.of(text));
        } else if (value instanceof JsonBoolean(boolean truth)) {
            put(truth ? 't' : 'f');
        } else {
            addNull();
        }
        return this;
    }

    private void add(JsonArray array) {
        begin('l', array.elements().size());
        for (JsonValue element : array.elements()) {
            add(element);
        }
    }

    CanonicalDigest addNull() {
        put('z');
        return this;
    }

    CanonicalDigest add(String text) {
        tagged('s', text);
        return this;
    }

    CanonicalDigest add(Collection<String> texts) {
        begin('l', texts.size());
        texts.forEach(this::add);
        return this;
    }

    /** Adds the members of an object that count. */
    CanonicalDigest add(JsonObject object, BiPredicate<String, JsonValue> counts) {
        addMembers(members.push(object, counts));
        return this;
    }

    private void addMembers(int from) {
        int to = members.top();
        begin('o', to - from);
        for (int i = from; i < to; i++) {
            add(members.name(i));
            add(members.value(i));
        }
        members.pop(from);
    }

    /** The digest of all that was added, 64 hexadecimal digits. */
    String finish() {
        digest.update(buffer, 0, at);
        return HexFormat.of().formatHex(digest.digest());
    }

    private void tagged(char tag, String text) {
        begin(tag, text.length());
        characters(text);
    }

    /** A letter, and a length in groups of seven bits. */
    private void begin(char tag, int length) {
        if (LENGTH - at < MOST_BYTES_OF_A_BEGINNING) {
            flush();
        }
        int next = at;
        buffer[next++] = (byte) tag;
        int left = length;
        while (left > 0x7f) {
            buffer[next++] = (byte) ((left & 0x7f) | 0x80);
            left >>>= 7;
        }
        buffer[next++] = (byte) left;
        at = next;
    }

    private void put(char tag) {
        if (at == LENGTH) {
            flush();
        }
        buffer[at++] = (byte) tag;
    }

    private void flush() {
        digest.update(buffer, 0, at);
        at = 0;
    }

    private void characters(String text) {
        int from = 0;
        while (from < text.length()) {
            int to = Math.min(text.length(), from + LENGTH - at);
            int plain = endOfAscii(text, from, to);
            copyAscii(text, from, plain);
            from = plain < text.length() ? characters(text, plain) : plain;
        }
    }

    private static int endOfAscii(String text, int from, int to) {
        int i = from;
        while (i < to && text.charAt(i) < 0x80) {
            i++;
        }
        return i;
    }

    /** The method is deprecated since it drops the high byte; of these characters it is zero. */
    @SuppressWarnings("deprecation")
    private void copyAscii(String text, int from, int to) {
        text.getBytes(from, to, buffer, at);
        at += to - from;
    }

    /** Adds characters as UTF-8 up to the end of the buffer or of what is not ASCII; a lone surrogate by itself. */
    private int characters(String text, int from) {
        if (LENGTH - at < MOST_BYTES_OF_A_CHARACTER + 1) {
            flush();
        }
        int i = from;
        while (i < text.length() && LENGTH - at > MOST_BYTES_OF_A_CHARACTER) {
            int point = text.codePointAt(i);
            if (point < 0x80) {
                return i;
            }
            encode(point);
            i += Character.charCount(point);
        }
        return i;
    }

    private void encode(int point) {
        if (point < 0x800) {
            buffer[at++] = (byte) (0xc0 | (point >> 6));
        } else {
            if (point < 0x10000) {
                buffer[at++] = (byte) (0xe0 | (point >> 12));
            } else {
                buffer[at++] = (byte) (0xf0 | (point >> 18));
                buffer[at++] = (byte) (0x80 | ((point >> 12) & 0x3f));
            }
            buffer[at++] = (byte) (0x80 | ((point >> 6) & 0x3f));
        }
        buffer[at++] = (byte) (0x80 | (point & 0x3f));
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: missing (expected: in every JDK)", e);
        }
    }

    /** To copy a digest that has seen nothing is faster than to ask every provider for one. */
    private static MessageDigest copyOf(MessageDigest fresh) {
        try {
            return (MessageDigest) fresh.clone();
        } catch (CloneNotSupportedException e) {
            return newDigest();
        }
    }
}
