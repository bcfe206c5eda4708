package dev.holdfast.benchmarks;

import dev.holdfast.simulation.Profile;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Function;
import picocli.CommandLine.ParameterException;

/**
 * The option that names a profile, or a file with one.
 *
 * @param option what it is called
 * @param wrong makes the error of a message
 */
record ProfileOption(String option, Function<String, ParameterException> wrong) {
    Profile read(String name) {
        if (Profile.names().contains(name)) {
            return Profile.named(name);
        }
        try {
            return Profile.read(Path.of(name));
        } catch (NoSuchFileException | InvalidPathException e) {
            throw wrong.apply(option + " " + name + ": no such profile or file (expected: "
                    + String.join(", ", Profile.names()) + ", or a file)");
        } catch (IOException e) {
            throw wrong.apply(
                    option + " " + name + ": cannot be read: " + Words.of(e) + " (expected: a profile in JSON)");
        } catch (IllegalArgumentException e) {
            throw wrong.apply(option + " " + e.getMessage());
        }
    }
}
