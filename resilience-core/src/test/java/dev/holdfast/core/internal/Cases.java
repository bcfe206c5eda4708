package dev.holdfast.core.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** Failures that users of other libraries reported, as data. */
public final class Cases {
    private Cases() {}

    /** {@return one test for each case of a capability and kind} */
    public static Stream<DynamicTest> replay(String capability, String kind, Consumer<JsonNode> player) {
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode each : all()) {
            if (each.get("capability").asText().equals(capability)
                    && each.get("given").get("kind").asText().equals(kind)) {
                tests.add(DynamicTest.dynamicTest(
                        each.get("id").asText() + " " + each.get("source").asText(), () -> player.accept(each)));
            }
        }
        if (tests.isEmpty()) {
            throw new AssertionError("no case of " + capability + "/" + kind);
        }
        return tests.stream();
    }

    private static JsonNode all() {
        try (InputStream in = Cases.class.getResourceAsStream("/cases/handed.json")) {
            return new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
