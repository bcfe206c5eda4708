package dev.holdfast.core.internal.dialect;

import dev.holdfast.spi.DialectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Joins base URLs and paths. The base URL's own query stays, as some gateways want one; no path leads out of the base URL. */
final class Uris {
    private static final String UNRESERVED = "-._~:@!$'()*,;";

    private Uris() {}

    /**
     * The URI of a path below a base URL.
     *
     * @param base the base URL, without a slash at its end
     * @param path the path, perhaps with a query
     */
    static URI below(URI base, String path) throws DialectException {
        String rooted = path.startsWith("/") ? path : "/" + path;
        String basePath = path(base);
        int question = rooted.indexOf('?');
        String ownQuery = question < 0 ? "" : rooted.substring(question + 1);
        String ownPath = question < 0 ? rooted : rooted.substring(0, question);
        String query = base.getRawQuery() == null ? ownQuery : join(base.getRawQuery(), ownQuery);
        try {
            URI uri = new URI(base.getScheme() + "://" + base.getRawAuthority() + basePath + ownPath
                    + (query.isEmpty() ? "" : "?" + query));
            if (leadsOut(ownPath) || uri.getRawFragment() != null) {
                throw new DialectException("/: a path that leads elsewhere (expected: one below the base URL)");
            }
            return uri;
        } catch (URISyntaxException e) {
            throw new DialectException("/: a path that no URI can hold (expected: one below the base URL)");
        }
    }

    /** The path of a base URL, as it was written; empty if it has none. */
    static String path(URI base) {
        return base.getRawPath() == null ? "" : base.getRawPath();
    }

    static boolean leadsOut(String path) {
        boolean plain = path.indexOf('%') < 0 && path.indexOf('\\') < 0;
        if (plain && !path.contains("..")) {
            return false;
        }
        String decoded = path.replaceAll("(?i)%2e", ".").replaceAll("(?i)%2f|%5c|\\\\", "/");
        return List.of(decoded.split("/")).contains("..");
    }

    /** A name as one step of a path, what cannot stand there escaped. */
    static String segment(String name) {
        var out = new StringBuilder(name.length());
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (each & 0xFF);
            boolean plain = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || UNRESERVED.indexOf(c) >= 0;
            if (plain) {
                out.append(c);
            } else {
                out.append('%').append(hex(c >> 4)).append(hex(c & 0xF));
            }
        }
        return out.toString();
    }

    private static char hex(int digit) {
        return Character.toUpperCase(Character.forDigit(digit, 16));
    }

    private static String join(String first, String second) {
        return second.isEmpty() ? first : first + "&" + second;
    }
}
