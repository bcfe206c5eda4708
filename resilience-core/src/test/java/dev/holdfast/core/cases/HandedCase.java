package dev.holdfast.core.cases;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.internal.failure.ReceivedAnswer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * One failure that people reported, with the right answer; see {@code cases/handed.json}. Other runners reuse
 * {@link #all}.
 *
 * @param id its id
 * @param title where it was reported and what went wrong
 * @param capability the part of the client it is about
 * @param given what to play
 * @param expect what has to come out
 */
public record HandedCase(String id, String title, String capability, JsonObject given, JsonObject expect) {
    /** A clock for cases that give none. */
    public static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");

    private static final String OK_COMPLETION =
            "{\"id\":\"ok\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m\","
                    + "\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"ok\"},\"finish_reason\":\"stop\"}],"
                    + "\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":1,\"total_tokens\":6}}";

    /** Every case of the vendored file. */
    public static List<HandedCase> all() {
        try (InputStream file = HandedCase.class.getResourceAsStream("/cases/handed.json")) {
            return JsonText.parse(file.readAllBytes()).asList().stream()
                    .map(entry -> of(entry.asObject().orElseThrow()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static HandedCase of(JsonObject entry) {
        return new HandedCase(
                entry.text("id").orElseThrow(),
                entry.text("source").orElseThrow(),
                entry.text("capability").orElseThrow(),
                entry.object("given").orElseThrow(),
                entry.object("expect").orElseThrow());
    }

    /** What tells the runner how to play it. */
    public String kind() {
        return given.text("kind").orElse("");
    }

    /** The clock of the case. */
    public Instant now() {
        return given.text("now").map(Instant::parse).orElse(NOW);
    }

    /** The name of its test. */
    public String displayName() {
        return id + " " + title;
    }

    /** The rows of a table as whole answers, in order. */
    public List<ReceivedAnswer> rows() {
        long status = given.longValue("status").orElse(0);
        return given.list("rows").stream()
                .map(row -> answer(row.asObject().orElseThrow(), status))
                .toList();
    }

    /** What is expected of each row, in order. */
    public List<JsonObject> expectedRows() {
        return expect.list("rows").stream()
                .map(row -> row.asObject().orElseThrow())
                .toList();
    }

    /** The replies of the server, in order. */
    public List<ReceivedAnswer> replies() {
        return given.list("server").stream()
                .map(reply -> answer(reply.asObject().orElseThrow(), 0))
                .toList();
    }

    /** An entry with status, headers and a body of any spelling as the answer that a transport hands on. */
    public ReceivedAnswer answer(JsonObject entry, long defaultStatus) {
        return ReceivedAnswer.of(
                (int) entry.longValue("status").orElse(defaultStatus), headers(entry), body(entry), now());
    }

    private static Headers headers(JsonObject entry) {
        var fields = new ArrayList<Map.Entry<String, String>>();
        for (JsonValue field : entry.list("headers")) {
            fields.add(Map.entry(
                    field.asList().get(0).asText().orElseThrow(),
                    field.asList().get(1).asText().orElseThrow()));
        }
        return Headers.of(fields);
    }

    private static Bytes body(JsonObject entry) {
        if (entry.get("json").isPresent()) {
            return document(entry.get("json").get());
        }
        if (entry.get("json_gzip").isPresent()) {
            return document(entry.get("json_gzip").get());
        }
        if (entry.text("body_hex").isPresent()) {
            return ungzipped(HexFormat.of().parseHex(entry.text("body_hex").get()));
        }
        return Bytes.utf8(entry.text("body").orElse(""));
    }

    private static Bytes document(JsonValue json) {
        boolean ok = json.asObject()
                .flatMap(object -> object.text("ref"))
                .filter("ok_completion"::equals)
                .isPresent();
        return Bytes.utf8(ok ? OK_COMPLETION : json.toJson());
    }

    /** As far as the coding can be undone: what a transport has when it breaks. */
    private static Bytes ungzipped(byte[] coded) {
        var plain = new ByteArrayOutputStream();
        try (InputStream in = new GZIPInputStream(new java.io.ByteArrayInputStream(coded))) {
            in.transferTo(plain);
        } catch (IOException e) {
            return Bytes.of(plain.toByteArray());
        }
        return Bytes.of(plain.toByteArray());
    }
}
