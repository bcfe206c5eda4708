package dev.holdfast.gateway.internal.reload;

import dev.holdfast.core.config.Variables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Variables of this process that note what was in a configuration, and in each file that it names, just before it was read. For one
 * reading at a time.
 */
public final class ReadFiles implements Variables {
    static final String GONE = "gone";

    private final Variables process = Variables.ofProcess();
    private final Map<String, String> prints = new TreeMap<>();

    private ReadFiles(Path configuration) {
        prints.put(configuration.toString(), fingerprint(configuration));
    }

    /**
     * {@return what notes one reading}
     *
     * @param configuration the file, which is read after this
     */
    public static ReadFiles of(Path configuration) {
        return new ReadFiles(configuration);
    }

    /** {@return which files were read by now, and what was in them; the contents are told by their digests} */
    public Map<String, String> prints() {
        return Map.copyOf(prints);
    }

    @Override
    public Optional<String> environment(String name) {
        return process.environment(name);
    }

    @Override
    public String file(String path) throws IOException {
        prints.putIfAbsent(path, fingerprint(Path.of(path)));
        return process.file(path);
    }

    static String fingerprint(Path path) {
        try {
            return HexFormat.of().formatHex(sha256().digest(Files.readAllBytes(path)));
        } catch (IOException e) {
            return GONE;
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }
}
