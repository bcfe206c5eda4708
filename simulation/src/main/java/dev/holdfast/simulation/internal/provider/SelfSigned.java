package dev.holdfast.simulation.internal.provider;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Writes a certificate (RFC 5280, section 4.1) for the loopback interface, signed by its own key, in DER (X.690). */
final class SelfSigned {
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_ID = 0x06;
    private static final int TEXT = 0x0c;
    private static final int TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int VERSION = 0xa0;
    private static final int EXTENSIONS = 0xa3;
    private static final int DNS_NAME = 0x82;
    private static final int ADDRESS = 0x87;

    private static final byte[] ECDSA_WITH_SHA256 = {0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 4, 3, 2};
    private static final byte[] COMMON_NAME = {0x55, 4, 3};
    private static final byte[] OTHER_NAMES = {0x55, 0x1d, 0x11};
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final byte[] LOOPBACK_SIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    private static final DateTimeFormatter DER_TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private SelfSigned() {}

    /** Good for localhost, 127.0.0.1 and ::1, from yesterday on, for ten years. */
    static X509Certificate certificate(KeyPair keys, BigInteger serial, Instant now) throws GeneralSecurityException {
        byte[] algorithm = der(SEQUENCE, der(OBJECT_ID, ECDSA_WITH_SHA256));
        byte[] name =
                der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT_ID, COMMON_NAME), der(TEXT, ascii("localhost")))));
        byte[] content = der(
                SEQUENCE,
                der(VERSION, der(INTEGER, new byte[] {2})),
                der(INTEGER, serial.toByteArray()),
                algorithm,
                name,
                der(SEQUENCE, time(now.minus(1, ChronoUnit.DAYS)), time(now.plus(3_650, ChronoUnit.DAYS))),
                name,
                keys.getPublic().getEncoded(),
                der(EXTENSIONS, der(SEQUENCE, otherNames())));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(content);
        byte[] whole = der(SEQUENCE, content, algorithm, der(BIT_STRING, new byte[] {0}, signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
    }

    private static byte[] otherNames() {
        byte[] names =
                der(SEQUENCE, der(DNS_NAME, ascii("localhost")), der(ADDRESS, LOOPBACK), der(ADDRESS, LOOPBACK_SIX));
        return der(SEQUENCE, der(OBJECT_ID, OTHER_NAMES), der(OCTET_STRING, names));
    }

    private static byte[] time(Instant instant) {
        return der(TIME, ascii(DER_TIME.format(instant)));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Tag, length and content; lengths from 128 on are themselves preceded by their length. */
    static byte[] der(int tag, byte[]... parts) {
        var content = new ByteArrayOutputStream();
        List.of(parts).forEach(content::writeBytes);
        var out = new ByteArrayOutputStream();
        out.write(tag);
        byte[] length = BigInteger.valueOf(content.size()).toByteArray();
        if (content.size() < 0x80) {
            out.write(content.size());
        } else {
            boolean signed = length[0] == 0;
            int skipped = signed ? 1 : 0;
            out.write(0x80 | length.length - skipped);
            out.write(length, skipped, length.length - skipped);
        }
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }
}
