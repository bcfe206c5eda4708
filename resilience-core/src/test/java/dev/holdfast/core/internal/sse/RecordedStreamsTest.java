package dev.holdfast.core.internal.sse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Streams of every provider that others recorded; skipped where they are not at hand. */
class RecordedStreamsTest {
    private static List<byte[]> streams() throws IOException {
        Path folder = Path.of(System.getProperty("holdfast.shared", "../../shared"), "data", "exchanges");
        assumeThat(folder)
                .as("recorded exchanges at ../shared/data/exchanges from the project's root")
                .isDirectory();
        var streams = new ArrayList<byte[]>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                for (String line : Files.readAllLines(file)) {
                    JsonObject entry = JsonText.parse(line).asObject().orElseThrow();
                    String body =
                            entry.object("response").orElseThrow().text("body").orElse("");
                    if (entry.text("kind").orElseThrow().equals("stream") && body.contains("data:")) {
                        streams.add(body.getBytes(StandardCharsets.UTF_8));
                    }
                }
            }
        }
        return streams;
    }

    @Test
    void everyRecordedStreamIsDecodedAsTheRulesSayHoweverItIsCut() throws IOException {
        var random = new Random(7);
        assertThat(streams()).hasSizeGreaterThan(80).allSatisfy(stream -> {
            var expected = Reference.of(stream).events();

            assertThat(expected).isNotEmpty();
            assertThat(Decoded.whole(stream).events()).isEqualTo(expected);
            assertThat(Decoded.inPieces(stream, 1).events()).isEqualTo(expected);
            assertThat(Decoded.atRandom(stream, random).events()).isEqualTo(expected);
        });
    }

    @Test
    void everyEventOfARecordedStreamHoldsJsonOrTheEndMark() throws IOException {
        assertThat(streams())
                .allSatisfy(stream -> assertThat(Decoded.whole(stream).events()).allSatisfy(event -> {
                    if (!event.data().equals("[DONE]")) {
                        assertThat(JsonText.parse(event.data())).isNotNull();
                    }
                }));
    }
}
