package dev.holdfast.benchmarks;

import picocli.CommandLine.Command;

/** Stands in the help; its arguments go to JMH as they are, before this command line reads them. */
@Command(
        name = "jmh",
        description = "Run the JMH benchmarks; arguments go to JMH (-l lists them, -h shows its options).")
final class JmhCommand implements Runnable {
    @Override
    public void run() {
        throw new IllegalStateException("arguments of jmh go to JMH");
    }
}
