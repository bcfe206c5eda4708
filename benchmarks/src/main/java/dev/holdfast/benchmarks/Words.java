package dev.holdfast.benchmarks;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;

/** What went wrong with a file, for people. */
final class Words {
    private Words() {}

    /** The reason without the file's name, which stands beside it. */
    static String of(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "access denied";
        }
        if (e instanceof FileSystemException file && file.getReason() != null) {
            return file.getReason();
        }
        return String.valueOf(e.getMessage());
    }
}
