package dev.holdfast.spi;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.HttpVersion;
import java.net.URI;

/**
 * One HTTP request.
 *
 * @param method the method: {@code "POST"}
 * @param uri the absolute URI
 * @param headers the header fields, ready to be sent
 * @param body the body; empty for none
 * @param version the version of HTTP to speak
 * @param timeouts how long each part may take
 */
public record TransportCall(
        String method, URI uri, Headers headers, Bytes body, HttpVersion version, TransportTimeouts timeouts) {
    /**
     * {@return this call with a header set}
     *
     * @param name the field's name
     * @param value its only value
     */
    public TransportCall withHeader(String name, String value) {
        return new TransportCall(method, uri, headers.with(name, value), body, version, timeouts);
    }

    @Override
    public String toString() {
        return "TransportCall[" + method + " " + uri.getScheme() + "://" + uri.getRawAuthority() + uri.getRawPath()
                + ", " + body + "]";
    }
}
