package dev.holdfast.comparisons;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** A process that is measured, from its start until it says that it is ready, to its end. */
final class Child implements AutoCloseable {
    private static final Duration MOST = Duration.ofSeconds(60);

    private final Process process;
    private final String ready;
    private final Duration start;
    private final Duration processorTimeToStart;

    private Child(Process process, String ready, Duration start) {
        this.process = process;
        this.ready = ready;
        this.start = start;
        this.processorTimeToStart = processorTime();
    }

    /** Starts a class of this class path in a JVM of its own. */
    static Child java(List<String> options, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return start(command, line -> line.startsWith("listening on "));
    }

    /** Starts a command and waits for the line that says it is ready. */
    static Child start(List<String> command, Predicate<String> isReady) {
        try {
            long began = System.nanoTime();
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            var ready = new CompletableFuture<String>();
            Thread.ofPlatform().daemon().name("child-output").start(() -> read(process, isReady, ready));
            String line = ready.get(MOST.toSeconds(), TimeUnit.SECONDS);
            return new Child(process, line, Duration.ofNanos(System.nanoTime() - began));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException("did not start: " + command.getFirst(), e);
        }
    }

    /** Reads on to the end, so that a full pipe stops nobody. */
    private static void read(Process process, Predicate<String> isReady, CompletableFuture<String> ready) {
        try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (isReady.test(line)) {
                    ready.complete(line);
                }
            }
        } catch (IOException e) {
            // the process is gone
        }
        ready.completeExceptionally(new IllegalStateException("ended before it was ready"));
    }

    /** {@return the line that said so} */
    String readyLine() {
        return ready;
    }

    /** {@return from the start of the process to that line} */
    Duration startTime() {
        return start;
    }

    /** {@return the processor time it has taken so far; nothing where the system does not say} */
    Duration processorTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** {@return the processor time it had taken when it was ready; nothing where the system does not say} */
    Duration processorTimeToStart() {
        return processorTimeToStart;
    }

    /** {@return the heap of a JVM in use after a full collection, in MiB; 0 where its classes cannot be counted from outside} */
    long liveHeap() throws InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        try {
            // The histogram is of live objects only, for which it collects first; its last line is their total.
            Process counting = new ProcessBuilder(jcmd.toString(), Long.toString(process.pid()), "GC.class_histogram")
                    .redirectErrorStream(true)
                    .start();
            long bytes = 0;
            try (BufferedReader lines = counting.inputReader(StandardCharsets.UTF_8)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith("Total")) {
                        bytes = Long.parseLong(line.strip().split(" +", -1)[2]);
                    }
                }
            }
            counting.waitFor();
            return bytes >> 20;
        } catch (IOException e) {
            return 0;
        }
    }

    /** {@return the most memory that was resident, in MiB, where the system says so; else 0} */
    long peakMemory() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
                if (line.startsWith("VmHWM:")) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024;
                }
            }
        } catch (IOException e) {
            // not Linux
        }
        return 0;
    }

    /** Asks it to end, and waits until it has. */
    void end() throws InterruptedException {
        process.destroy();
        process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
