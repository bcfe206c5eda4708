package dev.holdfast;

/** The grammar of JSON numbers (RFC 8259, section 6), scanned by hand since every number of every document passes here. */
final class JsonNumbers {
    private final String text;
    private int at;

    private JsonNumbers(String text) {
        this.text = text;
    }

    static boolean isNumber(String text) {
        return new JsonNumbers(text).matches();
    }

    /** Whether a JSON number has neither fraction nor exponent. */
    static boolean isInteger(String number) {
        for (int i = 0; i < number.length(); i++) {
            char c = number.charAt(i);
            if (c > '9' || c == '.' || c == '+') {
                return false;
            }
        }
        return true;
    }

    private boolean matches() {
        take('-');
        boolean whole = take('0') || digits();
        boolean fraction = !take('.') || digits();
        return whole && fraction && exponent() && at == text.length();
    }

    private boolean exponent() {
        if (!take('e') && !take('E')) {
            return true;
        }
        if (!take('+')) {
            take('-');
        }
        return digits();
    }

    private boolean digits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at > start;
    }

    private boolean take(char expected) {
        boolean there = at < text.length() && text.charAt(at) == expected;
        at += there ? 1 : 0;
        return there;
    }
}
