package dev.holdfast.transport.internal;

import java.net.URI;
import java.util.Locale;

/** Scheme, host and port: what connections, limits and redirects are kept apart by. Names are compared without regard to case. */
record Origin(String scheme, String host, int port) {
    static Origin of(URI uri) {
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
        return new Origin(scheme, String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT), port);
    }

    /** Whether nothing is encrypted. */
    boolean isPlain() {
        return scheme.equals("http");
    }

    /** Whether the host is an address, so that there is no name to resolve. What only looks like one counts as a name. */
    boolean isAddress() {
        return host.startsWith("[") || isFourNumbers();
    }

    private boolean isFourNumbers() {
        int dots = 0;
        int digits = 0;
        int number = 0;
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            if (c == '.' && digits > 0) {
                dots++;
                digits = 0;
                number = 0;
            } else if (c >= '0' && c <= '9' && digits < 3) {
                digits++;
                number = 10 * number + c - '0';
            } else {
                return false;
            }
            if (number > 255) {
                return false;
            }
        }
        return dots == 3 && digits > 0;
    }

    @Override
    public String toString() {
        return scheme + "://" + host + ":" + port;
    }
}
