package dev.holdfast.gateway.internal.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.spi.Timekeeper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Changes that come while another one is taken. */
@Timeout(120)
class FileWatchTest {
    private static final Duration OFTEN = Duration.ofMillis(5);

    @TempDir
    private Path directory;

    private final LinkedBlockingQueue<String> taken = new LinkedBlockingQueue<>();

    private final AtomicReference<FileWatch> noting = new AtomicReference<>();

    /** At once, so that nobody sees a part of it. */
    private static void write(Path file, String text) {
        try {
            Path aside = Files.writeString(file.resolveSibling("aside"), text);
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatIsWrittenWhileAChangeIsTakenIsTakenAfterIt() throws Exception {
        Path file = directory.resolve("f");
        write(file, "one");
        Runnable changed = () -> {
            String seen = read(file);
            if (seen.equals("two")) {
                write(file, "three");
            }
            taken.add(seen);
        };
        try (var watch = new FileWatch(file, OFTEN, Timekeeper.system(), changed)) {
            watch.start();
            write(file, "two");
            assertThat(next()).isEqualTo("two");
            assertThat(next()).isEqualTo("three");
        }
    }

    @Test
    void whatANewConfigurationNamesIsLookedAtAndIsNoChangeOfItself() throws Exception {
        Path secret = directory.resolve("secret");
        Path file = directory.resolve("f");
        write(secret, "s1");
        write(file, "one");
        Runnable changed = () -> taken.add(read(file) + " " + noted(secret));
        try (var watch = new FileWatch(file, OFTEN, Timekeeper.system(), changed)) {
            noting.set(watch);
            watch.start();
            write(file, "two ${file:" + secret + "}");
            assertThat(next()).startsWith("two").endsWith(" s1");
            write(secret, "s2");
            assertThat(next()).as("no second time of the first").endsWith(" s2");
        }
    }

    private String noted(Path secret) {
        try {
            return noting.get().noting().file(secret.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String next() throws InterruptedException {
        String next = taken.poll(1, TimeUnit.MINUTES);
        assertThat(next).as("a change").isNotNull();
        return next;
    }
}
