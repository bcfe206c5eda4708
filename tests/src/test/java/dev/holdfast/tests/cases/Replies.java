package dev.holdfast.tests.cases;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The replies of a case's server, as a script. A field it does not know fails the case rather than being passed over. */
final class Replies {
    private static final Set<String> KNOWN = Set.of(
            "status",
            "headers",
            "json",
            "body",
            "delay_ms",
            "client_timeout_ms",
            "repeat",
            "times",
            "reset_after_request",
            "close",
            "hang");
    private static final String OK_COMPLETION = Reply.completion("ok").body().toUtf8();

    private Replies() {}

    static FaultScript script(JsonNode server, Duration latency) {
        FaultScript script = FaultScript.healthy();
        for (JsonNode entry : server) {
            Reply reply = reply(entry);
            reply = reply.withDelay(reply.delay().plus(latency));
            if (entry.path("repeat").asBoolean()) {
                return script.thenAlways(reply);
            }
            script = script.then(entry.path("times").asInt(1), reply);
        }
        return script;
    }

    private static Reply reply(JsonNode entry) {
        entry.fieldNames().forEachRemaining(name -> {
            if (!KNOWN.contains(name)) {
                throw new AssertionError("a reply with an unknown field: " + name);
            }
        });
        if (entry.path("reset_after_request").asBoolean()) {
            return Reply.reset();
        }
        if (entry.path("hang").asBoolean()) {
            return Reply.hang();
        }
        Reply reply = answer(entry);
        if (entry.path("close").asText().equals("early")) {
            reply = reply.cutAfter(reply.body().size());
        }
        return reply.withDelay(Duration.ofMillis(entry.path("delay_ms").asLong()));
    }

    private static Reply answer(JsonNode entry) {
        int status = entry.path("status").asInt(200);
        if (!entry.has("json") && !entry.has("body")) {
            return withHeaders(Reply.status(status), entry);
        }
        String body = entry.has("json")
                ? document(entry.path("json"))
                : entry.path("body").asText();
        return withHeaders(Reply.of(status, Headers.of("Content-Type", "application/json"), Bytes.utf8(body)), entry);
    }

    private static String document(JsonNode json) {
        if (!json.has("ref")) {
            return json.toString();
        }
        if (!json.path("ref").asText().equals("ok_completion")) {
            throw new AssertionError("an unknown reference: " + json);
        }
        return withMembers(OK_COMPLETION, json);
    }

    /** A document with what stands beside the reference in place of its own. */
    private static String withMembers(String document, JsonNode reference) {
        try {
            var merged = (ObjectNode) new ObjectMapper().readTree(document);
            reference.properties().stream()
                    .filter(member -> !member.getKey().equals("ref"))
                    .forEach(member -> merged.set(member.getKey(), member.getValue()));
            return merged.toString();
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static Reply withHeaders(Reply reply, JsonNode entry) {
        List<Map.Entry<String, String>> fields = new ArrayList<>(reply.headers().fields());
        for (JsonNode header : entry.path("headers")) {
            String name = header.get(0).asText();
            if (!name.equalsIgnoreCase("content-length")) {
                fields.add(Map.entry(name, header.get(1).asText()));
            }
        }
        return reply.withHeaders(Headers.of(fields));
    }
}
