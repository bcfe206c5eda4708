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

    @Override
    public String toString() {
        return scheme + "://" + host + ":" + port;
    }
}
