package dev.holdfast.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;

/**
 * An option that names a file to be written.
 *
 * @param option what it is called
 * @param file the file; null if none is asked for
 */
record OutputFile(String option, @Nullable Path file) {
    /** Before the work, not after it. */
    void check(Function<String, ParameterException> wrong) {
        if (file == null) {
            return;
        }
        Path directory = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            throw wrong.apply(option + " " + file + ": is a directory (expected: a file)");
        }
        if (directory == null || !Files.isDirectory(directory) || !Files.isWritable(directory)) {
            throw wrong.apply(option + " " + file
                    + ": cannot be written (expected: a file in a directory that can be written to)");
        }
    }

    /** Whether the text was written, which it is if a file is asked for. */
    boolean write(Supplier<String> text) throws IOException {
        if (file == null) {
            return false;
        }
        try {
            WholeFile.write(text.get(), file);
            return true;
        } catch (IOException e) {
            throw new IOException(option + " " + file + ": cannot be written: " + Words.of(e), e);
        }
    }
}
