package dev.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceTest {
    private static final String HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens\n";

    @TempDir
    private Path directory;

    @Test
    void rowsComeInTheOrderOfTheirArrivalFromTheFirst() throws IOException {
        Trace trace = read(HEADER
                + "2023-11-16 18:17:04.0319600,3180,8\r\n"
                + "2023-11-16 18:17:03.9799600,4808,10\n"
                + "2023-11-16 18:17:05,1,0\n\n");

        assertThat(trace.rows())
                .containsExactly(
                        new Trace.Row(Duration.ZERO, 4808, 10),
                        new Trace.Row(Duration.ofMillis(52), 3180, 8),
                        new Trace.Row(Duration.ofNanos(1_020_040_000), 1, 0));
        assertThat(trace.first(2).rows()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2023-11-16 18:17:04,1|line 3: 2 fields",
                "yesterday,1,2|line 3: TIMESTAMP 'yesterday'",
                "2023-11-16 18:17:04,x,2|line 3: ContextTokens 'x'",
                "2023-11-16 18:17:04,1,-2|line 3: GeneratedTokens '-2'",
                "2023-11-16 18:17:04,1,2.5|line 3: GeneratedTokens '2.5'",
                "2023-11-16 18:17:04,1,99999999999|line 3: GeneratedTokens '99999999999'",
            })
    void aMalformedRowIsRefusedWithItsLine(String row, String message) {
        assertThatThrownBy(() -> read(HEADER + "2023-11-16 18:17:03,1,2\n" + row + "\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message)
                .hasMessageContaining("(expected: ");
    }

    @Test
    void aFileThatIsNoTraceIsRefused() {
        assertThatThrownBy(() -> read("")).hasMessageStartingWith("line 1: not the header");
        assertThatThrownBy(() -> read("a,b\n1,2\n")).hasMessageStartingWith("line 1: not the header");
        assertThatThrownBy(() -> read(HEADER)).hasMessageStartingWith("line 2: missing");
        assertThatThrownBy(() -> Trace.read(directory.resolve("none"))).isInstanceOf(NoSuchFileException.class);
    }

    private Trace read(String text) throws IOException {
        return Trace.read(Files.writeString(directory.resolve("trace.csv"), text));
    }
}
