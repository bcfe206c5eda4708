package dev.holdfast.core.config;

import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.HttpVersion;
import dev.holdfast.Secret;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An element of {@code endpoints}. */
final class EndpointKeys {
    static final Key<String> NAME = Key.of("name", Kinds.TEXT, "what models, reports and metrics call it");
    private static final Key<URI> BASE_URL = Key.of("base-url", Kinds.URL, "where its API begins");
    private static final Key<String> DIALECT =
            Key.of("dialect", Kinds.TEXT, "the language it speaks").usually("openai");
    private static final Key<String> API_VERSION =
            Key.of("api-version", Kinds.TEXT, "the version of its API, which azure needs in most forms of its URL");
    private static final Key<Secret> API_KEY = Key.of("api-key", Kinds.SECRET, "its key");
    private static final Key<List<Secret>> API_KEYS =
            Key.of("api-keys", Kinds.list(Kinds.SECRET), "several keys, tried in this order");
    private static final Key<Map<String, String>> HEADERS =
            Key.of("headers", Kinds.byName(Kinds.HIDDEN_TEXT), "header fields that every request carries");
    private static final Key<Integer> WEIGHT = Key.of(
                    "weight", Kinds.count(1, 1_000_000), "its share where endpoints take turns")
            .usually("1");
    private static final Key<String> REGION = Key.of("region", Kinds.TEXT, "where it is, for allow lists");
    private static final Key<String> VENDOR = Key.of("vendor", Kinds.TEXT, "whose it is, for allow lists");
    private static final Key<String> RETENTION =
            Key.of("retention", Kinds.TEXT, "what it keeps of requests, for allow lists");
    private static final Key<Boolean> HONOURS_KEY = Key.of(
                    "honours-idempotency-key", Kinds.FLAG, "whether it executes requests of one key once")
            .usually("false");
    private static final Key<Boolean> PLAIN_HTTP = Key.of(
                    "allow-plain-http", Kinds.FLAG, "whether a key may go there over http")
            .usually("false");
    private static final Key<HttpVersion> HTTP = Key.of("http-version", Kinds.choice(versions()), "the version of HTTP")
            .usually("1.1");

    private static final Schema SCHEMA = Schema.of(
            "an endpoint",
            NAME,
            BASE_URL,
            DIALECT,
            API_VERSION,
            API_KEY,
            API_KEYS,
            HEADERS,
            WEIGHT,
            REGION,
            VENDOR,
            RETENTION,
            HONOURS_KEY,
            PLAIN_HTTP,
            HTTP);
    static final Key<List<Section>> ENDPOINTS = Key.of(
            "endpoints", Kinds.list(Kinds.section(SCHEMA)), "where models are served, in the order they are tried");

    private EndpointKeys() {}

    static Endpoint read(Section section) {
        Endpoint.Builder builder = Endpoint.builder(section.require(NAME), section.require(BASE_URL));
        builder = section.change(builder, DIALECT, Endpoint.Builder::dialect);
        builder = section.change(builder, API_VERSION, Endpoint.Builder::apiVersion);
        builder = section.change(builder, API_KEY, (so, key) -> so.credential(credential(section, 0, key)));
        builder = section.change(builder, API_KEYS, (so, keys) -> credentials(section, so, keys));
        builder = section.change(builder, HEADERS, EndpointKeys::headers);
        builder = section.change(builder, WEIGHT, Endpoint.Builder::weight);
        builder = section.change(builder, REGION, Endpoint.Builder::region);
        builder = section.change(builder, VENDOR, Endpoint.Builder::vendor);
        builder = section.change(builder, RETENTION, Endpoint.Builder::retention);
        builder = section.change(builder, HONOURS_KEY, Endpoint.Builder::honoursIdempotencyKey);
        builder = section.change(builder, PLAIN_HTTP, Endpoint.Builder::allowPlainHttp);
        builder = section.change(builder, HTTP, Endpoint.Builder::httpVersion);
        try {
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw section.refused(BASE_URL, section.shown(String.valueOf(e.getMessage())));
        }
    }

    private static Endpoint.Builder credentials(Section section, Endpoint.Builder builder, List<Secret> keys) {
        if (section.has(API_KEY)) {
            throw section.refused(API_KEYS, "beside api-key (expected: one of the two)");
        }
        Endpoint.Builder changed = builder;
        for (int i = 0; i < keys.size(); i++) {
            changed = changed.credential(credential(section, i, keys.get(i)));
        }
        return changed;
    }

    /** Keys have names of their own in reports: that of the endpoint, and which it is. */
    private static Credential credential(Section section, int index, Secret key) {
        String endpoint = section.require(NAME);
        return new Credential(index == 0 ? endpoint : endpoint + "-" + (index + 1), key);
    }

    private static Endpoint.Builder headers(Endpoint.Builder builder, Map<String, String> headers) {
        Endpoint.Builder changed = builder;
        for (var header : headers.entrySet()) {
            changed = changed.header(header.getKey(), header.getValue());
        }
        return changed;
    }

    private static Map<String, HttpVersion> versions() {
        var versions = new LinkedHashMap<String, HttpVersion>();
        versions.put("1.1", HttpVersion.HTTP_1_1);
        versions.put("2", HttpVersion.HTTP_2);
        return versions;
    }
}
