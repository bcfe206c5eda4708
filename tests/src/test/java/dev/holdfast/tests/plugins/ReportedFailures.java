package dev.holdfast.tests.plugins;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.JsonText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** The failures that others reported, as cases to be played. */
final class ReportedFailures {
    private static final List<JsonObject> ALL = read();

    private ReportedFailures() {}

    /** The cases of a capability that are played one way. */
    static List<Case> of(String capability, String kind) {
        return ALL.stream()
                .filter(entry -> entry.text("capability").orElseThrow().equals(capability))
                .map(Case::new)
                .filter(entry -> entry.given().text("kind").orElseThrow().equals(kind))
                .toList();
    }

    /** One case. */
    record Case(JsonObject entry) {
        JsonObject given() {
            return entry.object("given").orElseThrow();
        }

        JsonObject expected() {
            return entry.object("expect").orElseThrow();
        }

        @Override
        public String toString() {
            return entry.text("source").orElseThrow();
        }
    }

    private static List<JsonObject> read() {
        try (InputStream in = ReportedFailures.class.getResourceAsStream("/cases/handed.json")) {
            return JsonText.parse(Objects.requireNonNull(in).readAllBytes()).asList().stream()
                    .map(JsonValue::asObject)
                    .map(entry -> entry.orElseThrow())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
