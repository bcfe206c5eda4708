package dev.holdfast.benchmarks;

import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.lab.LabPolicy;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.ParameterException;

/**
 * An option that names one of the things that come along, or a file with one.
 *
 * @param option what it is called
 * @param thing what it names
 * @param names those that come along
 * @param named makes the thing of a name
 * @param file makes the thing of a file; what it cannot understand is an {@link IllegalArgumentException}
 * @param format what such a file is
 */
record NamedOption<T>(
        String option, String thing, List<String> names, Function<String, T> named, FileReader<T> file, String format) {
    /** Reads a file. */
    interface FileReader<T> {
        T read(Path file) throws IOException;
    }

    static NamedOption<Profile> profile() {
        return new NamedOption<>(
                "--profile", "profile", Profile.names(), Profile::named, Profile::read, "a profile in JSON");
    }

    static NamedOption<LabPolicy> policy() {
        return new NamedOption<>(
                "--policy",
                "policy",
                LabPolicy.names(),
                LabPolicy::named,
                LabPolicy::read,
                "a configuration in JSON or YAML");
    }

    /** The thing; whatever is wrong with the name or its file is wrong input. */
    T read(String name, Function<String, ParameterException> wrong) {
        if (names.contains(name)) {
            return named.apply(name);
        }
        try {
            return file.read(Path.of(name));
        } catch (NoSuchFileException | InvalidPathException e) {
            throw wrong.apply(option + " " + name + ": no such " + thing + " or file (expected: "
                    + String.join(", ", names) + ", or a file)");
        } catch (IOException e) {
            throw wrong.apply(option + " " + name + ": cannot be read: " + Words.of(e) + " (expected: " + format + ")");
        } catch (IllegalArgumentException e) {
            throw wrong.apply(option + " " + e.getMessage());
        }
    }
}
