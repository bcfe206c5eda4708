package dev.holdfast.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes a file so that nobody ever sees half of it; the file has the mode that the process gives to new files. */
final class WholeFile {
    private WholeFile() {}

    static void write(String text, Path file) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            // A pipe or a device: there is nothing to replace.
            Files.write(file, bytes);
            return;
        }
        Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        Path half = target.resolveSibling(".holdfast-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
        try {
            Files.write(half, bytes, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            Files.move(half, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(half);
        }
    }
}
