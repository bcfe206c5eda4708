package dev.holdfast.comparisons;

import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Portkey's gateway in the version of the lock file, installed by npm into a directory of its own. Of its server it has the lowest version
 * that it allows: with the newest it answers streams with 500.
 */
final class Portkey {
    private static final List<String> FILES = List.of("package.json", "package-lock.json");
    private static final String PROGRAM = "node_modules/@portkey-ai/gateway/build/start-server.js";
    private static final int MOST_MINUTES = 5;

    private Portkey() {}

    /** Installs it where it is not, and starts it on a free port. */
    static Child start(Path home, int port) throws IOException, InterruptedException {
        if (!Files.exists(home.resolve(PROGRAM))) {
            install(home);
        }
        return Child.start(
                List.of("node", home.resolve(PROGRAM).toString(), "--port=" + port, "--headless"),
                line -> line.contains("Ready for connections"));
    }

    private static void install(Path home) throws IOException, InterruptedException {
        Files.createDirectories(home);
        for (String name : FILES) {
            try (InputStream file = Objects.requireNonNull(Portkey.class.getResourceAsStream("portkey/" + name))) {
                Files.write(home.resolve(name), file.readAllBytes());
            }
        }
        Process npm = new ProcessBuilder("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!npm.waitFor(MOST_MINUTES, TimeUnit.MINUTES) || npm.exitValue() != 0) {
            throw new IOException("npm ci in " + home + " failed (expected: node, npm and a registry that is reached)");
        }
    }

    static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
