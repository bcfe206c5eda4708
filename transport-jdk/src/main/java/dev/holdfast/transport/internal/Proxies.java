package dev.holdfast.transport.internal;

import dev.holdfast.Delivery;
import dev.holdfast.Secret;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import java.io.IOException;
import java.io.Reader;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Which requests go through which proxy, and what is said to it. */
public final class Proxies {
    private static final String TUNNEL_FLAG = "jdk.http.auth.tunneling.disabledSchemes";

    private final ProxySelector selector;
    private final Optional<String> authorization;

    private Proxies(ProxySelector selector, Optional<String> authorization) {
        this.selector = selector;
        this.authorization = authorization;
    }

    public static Proxies of(ProxySelector selector) {
        return new Proxies(selector, Optional.empty());
    }

    /**
     * With Basic authentication, said at once: the JDK's way, to be asked first, would repeat the request.
     *
     * @throws IllegalStateException if this JDK leaves it out of tunnels
     */
    public static Proxies of(ProxySelector selector, String user, Secret password) {
        if (disabledForTunnels(System.getProperty(TUNNEL_FLAG))) {
            throw new IllegalStateException(
                    "proxyAuthentication: Basic, which this JDK does not send to a proxy for https"
                            + " (expected: the JDK started with -D" + TUNNEL_FLAG + "= so that it does)");
        }
        byte[] plain = (user + ":" + password.reveal()).getBytes(StandardCharsets.UTF_8);
        return new Proxies(selector, Optional.of("Basic " + Base64.getEncoder().encodeToString(plain)));
    }

    static boolean disabledForTunnels(@Nullable String flag) {
        String schemes = flag == null ? defaultOfTheJdk() : flag;
        return Arrays.stream(schemes.split(","))
                .anyMatch(scheme -> scheme.strip().equalsIgnoreCase("Basic"));
    }

    /** The JDK reads its defaults from a file; where there is none, nothing is disabled. */
    private static String defaultOfTheJdk() {
        Path file = Path.of(System.getProperty("java.home", ""), "conf", "net.properties");
        var defaults = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            defaults.load(reader);
        } catch (IOException e) {
            return "";
        }
        return defaults.getProperty(TUNNEL_FLAG, "");
    }

    ProxySelector selector() {
        return selector;
    }

    /**
     * How a request gets to its origin.
     *
     * @param direct whether there is no proxy between
     * @param authorization what is said to the proxy; empty where there is none, or none that wants it
     */
    record Way(boolean direct, Optional<String> authorization) {}

    Way way(URI uri) throws TransportException {
        return switch (type(uri)) {
            case DIRECT -> new Way(true, Optional.empty());
            case HTTP -> new Way(false, authorization);
            case SOCKS ->
                throw new TransportException(
                        Fault.CONNECT,
                        Delivery.NEVER_SENT,
                        "proxy: SOCKS, which the JDK's HTTP client would pass by (expected: an HTTP proxy, or none)",
                        null);
        };
    }

    /** As the client does it: the first one counts. */
    private Proxy.Type type(URI uri) {
        List<Proxy> chosen = selector.select(uri);
        return chosen == null || chosen.isEmpty()
                ? Proxy.Type.DIRECT
                : chosen.getFirst().type();
    }
}
