package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.demo.Demo;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./holdfast demo}. */
@Command(name = "demo", description = "See calls survive a failing provider; needs no key and no network.")
final class DemoCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            PrintWriter out = spec.commandLine().getOut();
            new Demo(out, Ansi.AUTO.enabled()).run();
        }
    }
}
