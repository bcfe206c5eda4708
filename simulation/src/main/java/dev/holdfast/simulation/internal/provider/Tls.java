package dev.holdfast.simulation.internal.provider;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The two ends of TLS for the loopback interface. The key lives as long as the process, and nowhere but in it. */
public record Tls(SSLContext server, SSLContext client) {
    private static final char[] NO_SECRET = "memory".toCharArray();

    /** Made when first asked for. */
    private static final class Only {
        private static final Tls TLS = create();
    }

    public static Tls loopback() {
        return Only.TLS;
    }

    private static Tls create() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair keys = generator.generateKeyPair();
            Certificate certificate =
                    SelfSigned.certificate(keys, new BigInteger(63, new SecureRandom()), Instant.now());
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("provider", keys.getPrivate(), NO_SECRET, new Certificate[] {certificate});
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("provider", certificate);
            return new Tls(server(store), client(trusted));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this JDK cannot make a certificate", e);
        }
    }

    private static SSLContext server(KeyStore store) throws GeneralSecurityException {
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, NO_SECRET);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    private static SSLContext client(KeyStore trusted) throws GeneralSecurityException {
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
