package dev.holdfast.gateway.internal.settings;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where to listen: {@code 127.0.0.1:8080}, {@code [::1]:0}, {@code localhost:8080}. */
public final class Listen {
    /** How it is written. */
    public static final String FORM = "host:port, as in 127.0.0.1:8080 (port 0 picks a free one)";

    private static final Pattern WRITTEN = Pattern.compile("(?:\\[([0-9a-fA-F:.]+)\\]|([^:\\[\\]]+)):([0-9]{1,5})");
    private static final int LAST_PORT = 65_535;

    private Listen() {}

    /**
     * {@return the address}
     *
     * @param text as it is written
     * @throws IllegalArgumentException if it is no such address
     */
    public static InetSocketAddress parse(String text) {
        Matcher written = WRITTEN.matcher(text);
        if (!written.matches() || Integer.parseInt(written.group(3)) > LAST_PORT) {
            throw new IllegalArgumentException("not an address (expected: " + FORM + ")");
        }
        String host = written.group(1) == null ? written.group(2) : written.group(1);
        try {
            return new InetSocketAddress(InetAddress.getByName(host), Integer.parseInt(written.group(3)));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("a host that is not known (expected: " + FORM + ")", e);
        }
    }
}
