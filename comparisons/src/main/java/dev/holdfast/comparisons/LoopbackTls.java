package dev.holdfast.comparisons;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The two ends of TLS for the loopback interface, with a certificate that the JDK's keytool makes for this process. */
record LoopbackTls(SSLContext server, SSLContext client) {
    private static final String NO_SECRET = "loopback";

    /** Made when first asked for. */
    private static final class Only {
        private static final LoopbackTls TLS = create();
    }

    static LoopbackTls get() {
        return Only.TLS;
    }

    private static LoopbackTls create() {
        try {
            Path folder = Files.createTempDirectory("holdfast-tls");
            Path file = folder.resolve("loopback.p12");
            try {
                make(file);
                return of(load(file));
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(folder);
            }
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("keytool: no certificate (expected: a JDK, not a bare runtime)", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while keytool made a certificate", e);
        }
    }

    private static void make(Path file) throws IOException, InterruptedException {
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        List<String> command = List.of(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                "loopback",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost,ip:127.0.0.1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                NO_SECRET);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said;
        try (InputStream out = process.getInputStream()) {
            said = new String(out.readAllBytes(), Charset.defaultCharset());
        }
        if (process.waitFor() != 0) {
            throw new IOException(said.strip());
        }
    }

    private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
        return KeyStore.getInstance(file.toFile(), NO_SECRET.toCharArray());
    }

    private static LoopbackTls of(KeyStore store) throws GeneralSecurityException, IOException {
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, NO_SECRET.toCharArray());
        SSLContext server = SSLContext.getInstance("TLS");
        server.init(keys.getKeyManagers(), null, null);

        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("loopback", store.getCertificate("loopback"));
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext client = SSLContext.getInstance("TLS");
        client.init(null, trust.getTrustManagers(), null);
        return new LoopbackTls(server, client);
    }
}
