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
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Turns a call into the JDK's request and refuses what cannot be sent, since the JDK's own messages print header values. */
final class RequestHead {
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Set<String> OURS =
            Set.of("host", "content-length", "connection", "transfer-encoding", "upgrade", "expect", "http2-settings");

    private RequestHead() {}

    static HttpRequest request(TransportCall call, BodyPublisher body) throws TransportException {
        if (call.version() != HttpVersion.HTTP_1_1) {
            throw refused("version: " + call.version() + " (expected: HTTP_1_1, the only one this transport speaks)");
        }
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(checked(call.uri())).version(HttpClient.Version.HTTP_1_1);
        setMethod(builder, checked(call.method()), call.body().size() == 0, body);
        for (Map.Entry<String, String> field : call.headers().fields()) {
            if (!OURS.contains(field.getKey().toLowerCase(Locale.ROOT))) {
                check(field.getKey(), field.getValue());
                builder.header(field.getKey(), field.getValue());
            }
        }
        if (call.headers().first("Accept-Encoding").isEmpty()) {
            builder.header("Accept-Encoding", "gzip");
        }
        return builder.build();
    }

    /** Only GET() and HEAD() leave the Content-Length out. */
    private static void setMethod(HttpRequest.Builder builder, String method, boolean bodiless, BodyPublisher body) {
        switch (bodiless ? method : "") {
            case "GET" -> builder.GET();
            case "HEAD" -> builder.HEAD();
            default -> builder.method(method, bodiless ? BodyPublishers.noBody() : body);
        }
    }

    private static URI checked(URI uri) throws TransportException {
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (!Set.of("http", "https").contains(scheme) || uri.getHost() == null) {
            throw refused("uri: no scheme or host (expected: http://host… or https://host…)");
        }
        return uri;
    }

    private static String checked(String method) throws TransportException {
        if (!TOKEN.matcher(method).matches() || method.equals("CONNECT")) {
            throw refused("method: not one that can be sent (expected: POST, GET …)");
        }
        return method;
    }

    private static void check(String name, String value) throws TransportException {
        if (!TOKEN.matcher(name).matches()) {
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
