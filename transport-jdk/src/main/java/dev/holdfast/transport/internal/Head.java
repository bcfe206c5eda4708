package dev.holdfast.transport.internal;

import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.ResponseInfo;
import java.util.List;

/** Status and headers of an answer, and the version they came in. */
record Head(int status, HttpHeaders headers, HttpClient.Version version) {
    static Head of(ResponseInfo info) {
        return new Head(info.statusCode(), info.headers(), info.version());
    }

    /** The values of a field; none where it is absent. */
    List<String> all(String name) {
        return headers.allValues(name);
    }

    static Head of(HttpResponse<?> response) {
        return new Head(response.statusCode(), response.headers(), response.version());
    }
}
