package dev.holdfast.gateway.internal.call;

import dev.holdfast.Bytes;
import dev.holdfast.Endpoint;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.gateway.internal.api.ProblemException;
import dev.holdfast.gateway.internal.http.Exchange;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.Dialect.OutgoingRequest;
import dev.holdfast.spi.Dialect.WireRequest;
import dev.holdfast.spi.DialectException;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportTimeouts;
import java.net.URI;
import java.util.List;

/**
 * A request without a body as an endpoint gets it: with the endpoint's key, and of the client's header fields only those that say
 * which form of the API is wanted.
 *
 * @param method the method
 * @param uri where it goes, below the endpoint's base URL
 * @param headers the header fields
 * @param endpoint the endpoint
 */
record PassedRequest(String method, URI uri, Headers headers, Endpoint endpoint) {
    private static final List<String> SENT = List.of("accept", "openai-beta", "anthropic-beta");
    private static final String VERSION = "/v1";

    static PassedRequest of(Exchange exchange, Dialect dialect, Endpoint endpoint) {
        String path = exchange.path().substring(VERSION.length());
        String whole = exchange.query().isEmpty() ? path : path + "?" + exchange.query();
        WireRequest wire;
        try {
            ModelRequest request = ModelRequest.opaque(whole, "none", JsonObject.empty());
            wire = dialect.encodeRequest(new OutgoingRequest(
                    request, "none", endpoint, endpoint.credentials().stream().findFirst()));
        } catch (DialectException | IllegalArgumentException e) {
            throw ProblemException.of(
                    404,
                    "invalid_request_error",
                    "unknown_url",
                    "a path that leads elsewhere (expected: one below /v1)");
        }
        Headers headers = Headers.of(wire.headers().fields().stream()
                .filter(field -> !field.getKey().equalsIgnoreCase("Content-Type"))
                .toList());
        for (String name : SENT) {
            String value = exchange.headers().first(name).orElse("");
            if (!value.isEmpty()) {
                headers = headers.with(name, value);
            }
        }
        return new PassedRequest(exchange.method(), wire.uri(), headers, endpoint);
    }

    TransportCall call(TransportTimeouts timeouts) {
        return new TransportCall(method, uri, headers, Bytes.empty(), endpoint.httpVersion(), timeouts);
    }
}
