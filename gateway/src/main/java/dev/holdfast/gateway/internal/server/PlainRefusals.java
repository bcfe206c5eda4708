package dev.holdfast.gateway.internal.server;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonObject;
import io.helidon.http.DirectHandler;
import io.helidon.http.DirectHandler.EventType;
import io.helidon.http.DirectHandler.TransportResponse;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import java.nio.charset.StandardCharsets;

/** What is answered to what is no HTTP, before a request has come about. Quotes nothing of it. */
final class PlainRefusals {
    /** What who does not finish a head in time is sent, as it is on the wire. */
    static final byte[] LATE_HEAD = late("the head did not come in time");

    /** The same of a body. */
    static final byte[] LATE_BODY = late("the body did not come in time");

    private PlainRefusals() {}

    private static byte[] late(String words) {
        String body = body(Status.REQUEST_TIMEOUT_408, "invalid_request", words);
        return ("HTTP/1.1 408 Request Timeout\r\nContent-Type: application/json\r\nx-should-retry: false\r\n"
                        + "Connection: close\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    static DirectHandlers all() {
        DirectHandlers.Builder builder = DirectHandlers.builder();
        for (EventType type : EventType.values()) {
            builder.addHandler(type, refusal());
        }
        return builder.build();
    }

    private static DirectHandler refusal() {
        return (request, type, status, headers, message) -> isEncoded(request, status)
                ? answer(
                        Status.UNSUPPORTED_MEDIA_TYPE_415,
                        "unsupported_encoding",
                        "a body with a content-encoding (expected: none)")
                : answer(status, status.code() < 500 ? "invalid_request" : "internal_error", status.reasonPhrase());
    }

    /** The server does not come as far as the request where it knows no way to decode its body. */
    private static boolean isEncoded(DirectHandler.TransportRequest request, Status status) {
        return status.code() == 400 && request.headers().contains(HeaderNames.CONTENT_ENCODING);
    }

    private static TransportResponse answer(Status status, String code, String words) {
        return TransportResponse.builder()
                .status(status)
                .header(HeaderNames.CONTENT_TYPE, "application/json")
                .header(HeaderNames.create("x-should-retry"), "false")
                .header(HeaderValues.CONNECTION_CLOSE)
                .keepAlive(false)
                .entity(body(status, code, words))
                .build();
    }

    private static String body(Status status, String code, String words) {
        String type = status.code() < 500 ? "invalid_request_error" : "server_error";
        JsonObject error = JsonObject.of("message", JsonValue.of(words))
                .with("type", JsonValue.of(type))
                .with("param", JsonNull.NULL)
                .with("code", JsonValue.of(code));
        return JsonObject.of("error", error).toJson();
    }
}
