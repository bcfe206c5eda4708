package dev.holdfast.transport.internal;

import dev.holdfast.Delivery;
import dev.holdfast.HttpVersion;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Turns a call into the JDK's request and refuses what cannot be sent, since the JDK's own messages print header values. */
final class RequestHead {
    private static final String SIGNS_OF_TOKENS = "!#$%&'*+.^_`|~-";
    private static final Set<String> OURS = caseless(
            "host", "content-length", "connection", "transfer-encoding", "upgrade", "expect", "http2-settings");

    private RequestHead() {}

    /** Refuses what cannot be sent, before anything is waited for. */
    static void check(TransportCall call) throws TransportException {
        String scheme = scheme(call.uri());
        if (call.version() == HttpVersion.HTTP_2 && scheme.equals("http")) {
            throw refused("version: HTTP_2 over plain http (expected: https, where both sides agree on it first)");
        }
        checkedUri(call.uri(), scheme);
        checkedMethod(call.method());
        for (Map.Entry<String, String> field : call.headers().fields()) {
            if (!isOurs(field.getKey())) {
                check(field.getKey(), field.getValue());
            }
        }
    }

    /** Only GET() and HEAD() leave the Content-Length out, and with it all that could tell us of the connection. */
    static boolean goesWithoutBody(TransportCall call) {
        return call.body().size() == 0
                && (call.method().equals("GET") || call.method().equals("HEAD"));
    }

    /** The request of a call that was checked. */
    static HttpRequest request(
            TransportCall call, boolean multiplexed, Optional<String> proxyAuthorization, BodyPublisher body) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(call.uri())
                .version(multiplexed ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1);
        if (!goesWithoutBody(call)) {
            builder.method(call.method(), body);
        } else if (call.method().equals("HEAD")) {
            builder.HEAD();
        }
        for (Map.Entry<String, String> field : call.headers().fields()) {
            if (!isOurs(field.getKey())) {
                builder.header(field.getKey(), field.getValue());
            }
        }
        if (call.headers().first("Accept-Encoding").isEmpty()) {
            builder.header("Accept-Encoding", "gzip");
        }
        proxyAuthorization.ifPresent(value -> builder.setHeader("Proxy-Authorization", value));
        return builder.build();
    }

    private static boolean isOurs(String name) {
        return OURS.contains(name);
    }

    private static Set<String> caseless(String... names) {
        var set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        set.addAll(List.of(names));
        return Collections.unmodifiableSet(set);
    }

    /** Of RFC 9110, section 5.6.2. */
    private static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && (c < '0' || c > '9') && SIGNS_OF_TOKENS.indexOf(c) < 0) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    private static String scheme(URI uri) {
        return String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    }

    private static void checkedUri(URI uri, String scheme) throws TransportException {
        if (!Set.of("http", "https").contains(scheme) || uri.getHost() == null) {
            throw refused("uri: no scheme or host (expected: http://host… or https://host…)");
        }
    }

    private static void checkedMethod(String method) throws TransportException {
        if (!isToken(method) || method.equals("CONNECT")) {
            throw refused("method: not one that can be sent (expected: POST, GET …)");
        }
    }

    private static void check(String name, String value) throws TransportException {
        if (!isToken(name)) {
            throw refused("headers: a name is empty or holds a character that cannot stand in a header's name");
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c != '\t' && (c < 0x20 || c > 0x7E)) {
                throw refused(name + ": a character at position " + (i + 1)
                        + " cannot stand in an HTTP header (expected: visible ASCII)");
            }
        }
    }

    private static TransportException refused(String message) {
        return new TransportException(Fault.PROTOCOL, Delivery.NEVER_SENT, message, null);
    }
}
