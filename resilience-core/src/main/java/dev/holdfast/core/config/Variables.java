package dev.holdfast.core.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What {@code ${NAME}} and {@code ${file:/path}} stand for. Asked while a configuration is read, by the thread that reads it. */
public interface Variables {
    /**
     * {@return the variable's value, or empty where it is not set}
     *
     * @param name the variable
     */
    Optional<String> environment(String name);

    /**
     * {@return what the file holds}
     *
     * @param path the file, as the configuration names it
     * @throws IOException if it cannot be read
     */
    String file(String path) throws IOException;

    /** {@return those of this process; a relative path is one to its working directory} */
    static Variables ofProcess() {
        return new Variables() {
            @Override
            public Optional<String> environment(String name) {
                return Optional.ofNullable(System.getenv(name));
            }

            @Override
            public String file(String path) throws IOException {
                return Files.readString(Path.of(path));
            }
        };
    }
}
