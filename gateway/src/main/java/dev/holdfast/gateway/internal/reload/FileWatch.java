package dev.holdfast.gateway.internal.reload;

import dev.holdfast.core.config.Variables;
import dev.holdfast.spi.Timekeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Looks again and again at a file and at those that it names by {@code ${file:…}}, and says so when what they hold has changed and
 * was the same at two looks: who writes in pieces, or swaps a link as Kubernetes does, is waited for. What is compared is what is
 * read, since times of change lie on some file systems.
 */
public final class FileWatch implements AutoCloseable {
    private static final Pattern FILE = Pattern.compile("\\$\\{file:([^}]*)}");

    private final Path file;
    private final Duration every;
    private final Timekeeper time;
    private final Runnable changed;
    private final Timekeeper.Signal closed;
    /** Which files are named, and what was in them just before they were read. */
    private volatile Map<String, String> named = Map.of();

    private volatile boolean asked;
    private Optional<Map<String, String>> since = Optional.empty();
    private Map<String, String> taken;

    /**
     * Creates a watch over what is there now.
     *
     * @param file the configuration
     * @param every how often it looks
     * @param time where time comes from
     * @param changed is run for each change, on the watch's thread
     */
    public FileWatch(Path file, Duration every, Timekeeper time, Runnable changed) {
        this.file = file;
        this.every = every;
        this.time = time;
        this.changed = changed;
        this.closed = time.newSignal();
        this.taken = fingerprints();
    }

    /** {@return variables of this process that note which files a configuration names; give them to one reading at a time} */
    public Variables noting() {
        var noted = new TreeMap<String, String>();
        Variables process = Variables.ofProcess();
        return new Variables() {
            @Override
            public Optional<String> environment(String name) {
                return process.environment(name);
            }

            @Override
            public String file(String path) throws IOException {
                noted.putIfAbsent(path, ReadFiles.fingerprint(Path.of(path)));
                named = Map.copyOf(noted);
                return process.file(path);
            }
        };
    }

    /**
     * Notes which files a configuration names, where it was read before the watch was there.
     *
     * @param configuration the configuration
     */
    public void note(Path configuration) {
        try {
            Matcher matcher = FILE.matcher(Files.readString(configuration));
            named = matcher.results()
                    .map(found -> found.group(1))
                    .distinct()
                    .collect(Collectors.toUnmodifiableMap(path -> path, path -> ReadFiles.fingerprint(Path.of(path))));
        } catch (IOException e) {
            // said when it is read
        }
    }

    /**
     * Takes what was read for what is known, though other things may be there by now.
     *
     * @param read what was in the configuration and in the files that it names
     */
    public void read(Map<String, String> read) {
        var others = new TreeMap<>(read);
        others.remove(file.toString());
        named = Map.copyOf(others);
        since = Optional.of(new TreeMap<>(read));
    }

    /** Starts looking. What is named by now is looked at too. */
    public void start() {
        taken = since.orElseGet(this::fingerprints);
        time.start("holdfast-gateway-config", this::look);
    }

    /** Has it taken for changed at the next look, whatever it holds. Returns at once; safe within a signal's handler. */
    public void ask() {
        asked = true;
    }

    private void look() {
        Map<String, String> before = taken;
        try {
            while (!closed.await(time.nanoTime() + every.toNanos())) {
                Map<String, String> now = fingerprints();
                boolean settled = now.equals(before) && !now.equals(taken) && !isGone(now);
                if (settled || asked) {
                    asked = false;
                    changed.run();
                    taken = asTaken(now);
                }
                before = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What was there before it was read: whatever came since may not have been. What is named may be others by now. */
    private Map<String, String> asTaken(Map<String, String> before) {
        var prints = new TreeMap<>(named);
        prints.replaceAll((path, print) -> before.getOrDefault(path, print));
        prints.put(file.toString(), before.getOrDefault(file.toString(), ReadFiles.GONE));
        return prints;
    }

    private boolean isGone(Map<String, String> prints) {
        return ReadFiles.GONE.equals(prints.get(file.toString()));
    }

    private Map<String, String> fingerprints() {
        var prints = new TreeMap<String, String>();
        named.keySet().forEach(path -> prints.put(path, ReadFiles.fingerprint(Path.of(path))));
        prints.put(file.toString(), ReadFiles.fingerprint(file));
        return prints;
    }

    @Override
    public void close() {
        closed.set();
    }
}
