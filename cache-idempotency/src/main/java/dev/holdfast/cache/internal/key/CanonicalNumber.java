package dev.holdfast.cache.internal.key;

import java.math.BigInteger;

/**
 * Spells a number by its exact value, whatever its size: digits without zeros at either end, then the exponent. RFC 8785
 * would round to a double, and so would make one key of two requests.
 */
final class CanonicalNumber {
    /** Exponents of so many characters and what is added to them stay within a long. */
    private static final int SHORT_EXPONENT = 17;
    /** So many characters hold no number that a long does not. */
    private static final int SHORT_DECIMAL = 18;

    private CanonicalNumber() {}

    /** One text for each value. The argument is a JSON number. */
    static String of(String text) {
        if (isCanonicalInteger(text)) {
            return text;
        }
        return text.length() <= SHORT_DECIMAL && indexOfExponent(text) == text.length() ? decimal(text) : spelled(text);
    }

    /** Digits that fit into a long, with or without a point: by far the most of the rest. */
    private static String decimal(String text) {
        long digits = 0;
        int exponent = 0;
        boolean afterPoint = false;
        for (int i = text.charAt(0) == '-' ? 1 : 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each == '.') {
                afterPoint = true;
            } else {
                digits = 10 * digits + (each - '0');
                exponent -= afterPoint ? 1 : 0;
            }
        }
        if (digits == 0) {
            return "0";
        }
        while (digits % 10 == 0) {
            digits /= 10;
            exponent++;
        }
        String significant = Long.toString(text.charAt(0) == '-' ? -digits : digits);
        return exponent == 0 ? significant : significant + 'e' + exponent;
    }

    /** A whole number that does not end with 0, or 0 itself: by far the most numbers in requests. */
    private static boolean isCanonicalInteger(String text) {
        int last = text.length() - 1;
        for (int i = text.charAt(0) == '-' ? 1 : 0; i <= last; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return text.charAt(last) != '0' || last == 0;
    }

    private static String spelled(String text) {
        int exponentAt = indexOfExponent(text);
        int from = text.charAt(0) == '-' ? 1 : 0;
        int pointAt = text.indexOf('.');
        int wholeEnd = pointAt < 0 ? exponentAt : pointAt;
        String fraction = pointAt < 0 ? "" : text.substring(pointAt + 1, exponentAt);
        String digits = text.substring(from, wholeEnd).concat(fraction);

        int last = lastNonZero(digits);
        if (last < 0) {
            return "0";
        }
        long shift = (long) digits.length() - 1 - last - fraction.length();
        String exponent = exponent(text, exponentAt, shift);
        String significant = digits.substring(firstNonZero(digits), last + 1);
        return (from == 1 ? "-" : "") + significant + (exponent.equals("0") ? "" : "e" + exponent);
    }

    private static int indexOfExponent(String text) {
        int lower = text.indexOf('e');
        int at = lower < 0 ? text.indexOf('E') : lower;
        return at < 0 ? text.length() : at;
    }

    private static String exponent(String text, int exponentAt, long shift) {
        if (exponentAt == text.length()) {
            return Long.toString(shift);
        }
        String written = text.substring(exponentAt + 1);
        return written.length() <= SHORT_EXPONENT
                ? Long.toString(Long.parseLong(written) + shift)
                : new BigInteger(written).add(BigInteger.valueOf(shift)).toString();
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
