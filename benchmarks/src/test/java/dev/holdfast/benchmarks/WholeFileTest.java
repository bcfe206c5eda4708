package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
    @TempDir
    private Path directory;

    @Test
    void aFileIsReplacedWholeAndNothingIsLeftBeside() throws IOException {
        Path file = Files.writeString(directory.resolve("report"), "old, and longer than what comes");

        WholeFile.write("new\n", file);

        assertThat(file).hasContent("new\n");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void itsModeIsThatOfAnyNewFile() throws IOException {
        Path plain = Files.createFile(directory.resolve("plain"));
        Path file = directory.resolve("report");

        WholeFile.write("new", file);

        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(Files.getPosixFilePermissions(plain));
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aLinkStaysALink() throws IOException {
        Path file = Files.writeString(directory.resolve("report"), "old");
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);

        WholeFile.write("new", link);

        assertThat(link).isSymbolicLink();
        assertThat(file).hasContent("new");
    }

    @Test
    void whatCannotBeWrittenLeavesNothing() {
        Path file = directory.resolve("missing").resolve("report");

        assertThatThrownBy(() -> WholeFile.write("new", file)).isInstanceOf(IOException.class);
        assertThat(directory).isEmptyDirectory();
    }
}
