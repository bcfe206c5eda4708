package dev.holdfast.cache.internal.key;

import dev.holdfast.JsonValue.JsonNumber;
import java.math.BigInteger;

/**
 * Spells a number by its exact value, whatever its size: digits without zeros at either end, then the exponent. RFC 8785
 * would round to a double, and so would make one key of two requests.
 */
final class CanonicalNumber {
    private static final JsonNumber ZERO = new JsonNumber("0");

    private CanonicalNumber() {}

    static JsonNumber of(JsonNumber number) {
        String text = number.text();
        int exponentAt = indexOfExponent(text);
        int from = text.charAt(0) == '-' ? 1 : 0;
        int pointAt = text.indexOf('.');
        int wholeEnd = pointAt < 0 ? exponentAt : pointAt;
        String fraction = pointAt < 0 ? "" : text.substring(pointAt + 1, exponentAt);
        String digits = text.substring(from, wholeEnd) + fraction;

        int last = lastNonZero(digits);
        if (last < 0) {
            return ZERO;
        }
        BigInteger exponent = exponent(text, exponentAt)
                .subtract(BigInteger.valueOf(fraction.length()))
                .add(BigInteger.valueOf(digits.length() - 1 - last));
        String significant = digits.substring(firstNonZero(digits), last + 1);
        return new JsonNumber((from == 1 ? "-" : "") + significant + (exponent.signum() == 0 ? "" : "e" + exponent));
    }

    private static int indexOfExponent(String text) {
        int lower = text.indexOf('e');
        int at = lower < 0 ? text.indexOf('E') : lower;
        return at < 0 ? text.length() : at;
    }

    private static BigInteger exponent(String text, int exponentAt) {
        return exponentAt == text.length() ? BigInteger.ZERO : new BigInteger(text.substring(exponentAt + 1));
    }

    private static int firstNonZero(String digits) {
        int i = 0;
        while (digits.charAt(i) == '0') {
            i++;
        }
        return i;
    }

    private static int lastNonZero(String digits) {
        int i = digits.length() - 1;
        while (i >= 0 && digits.charAt(i) == '0') {
            i--;
        }
        return i;
    }
}
