package dev.holdfast.tests.rest;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** After each class of tests: no thread of ours is left, virtual or not, and none that watches connections. */
public final class AtRest implements AfterAllCallback {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern OURS = Pattern.compile("\"((holdfast-|HttpClient-)[^\"]*)\"");

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        if (context.getTestClass().filter(Class::isMemberClass).isPresent()) {
            return;
        }
        check(PATIENCE);
    }

    /** Waits so long for the last of them to go. */
    static void check(Duration patience) throws IOException, InterruptedException {
        long endNanos = System.nanoTime() + patience.toNanos();
        List<String> left = running();
        while (!left.isEmpty() && System.nanoTime() - endNanos < 0) {
            System.gc(); // the JDK lets a client of its own go that nobody holds
            Thread.sleep(100);
            left = running();
        }
        if (!left.isEmpty()) {
            throw new AssertionError("threads left behind: " + left);
        }
    }

    /** The threads of ours that there are now. */
    static List<String> running() throws IOException {
        Path folder = Files.createTempDirectory("threads");
        Path dump = folder.resolve("dump.txt");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(dump.toString(), ThreadDumpFormat.TEXT_PLAIN);
            return OURS.matcher(Files.readString(dump))
                    .results()
                    .map(MatchResult::group)
                    .toList();
        } finally {
            Files.deleteIfExists(dump);
            Files.delete(folder);
        }
    }
}
