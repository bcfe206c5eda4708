package dev.holdfast.gateway;

import dev.holdfast.Bytes;
import dev.holdfast.core.config.ClientSettings;
import dev.holdfast.core.config.ConfigException;
import dev.holdfast.core.config.Configuration;
import dev.holdfast.core.config.Effective;
import dev.holdfast.core.config.Key;
import dev.holdfast.core.config.Kinds;
import dev.holdfast.core.config.Schema;
import dev.holdfast.core.config.Section;
import dev.holdfast.core.config.Variables;
import dev.holdfast.gateway.internal.access.AccessKey;
import dev.holdfast.gateway.internal.reload.ReadFiles;
import dev.holdfast.gateway.internal.settings.AccessKeys;
import dev.holdfast.gateway.internal.settings.AlertKeys;
import dev.holdfast.gateway.internal.settings.AlertKeys.Alerts;
import dev.holdfast.gateway.internal.settings.CacheKeys;
import dev.holdfast.gateway.internal.settings.CacheKeys.Cache;
import dev.holdfast.gateway.internal.settings.IdempotencyKeys;
import dev.holdfast.gateway.internal.settings.IdempotencyKeys.Idempotency;
import dev.holdfast.gateway.internal.settings.Listen;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** What a configuration says of a gateway and of the client behind it. Immutable. */
public final class GatewaySettings {
    private static final String USUAL_LISTEN = "127.0.0.1:8080";
    private static final long USUAL_BODY = 10L << 20;

    private static final Key<InetSocketAddress> LISTEN = Key.of(
                    "listen", Kinds.written(Listen.FORM, Listen::parse), "where clients are served")
            .usually(USUAL_LISTEN);
    private static final Key<InetSocketAddress> ADMIN = Key.of(
            "admin",
            Kinds.written(Listen.FORM, Listen::parse),
            "where metrics and status are shown and orders are taken; nowhere, if it is absent");
    private static final Key<Bytes> ADMIN_KEY = Key.of(
            "admin-key-sha256",
            Kinds.written("the SHA-256 of the key, 64 hexadecimal digits", AccessKeys::digest),
            "the digest of the key that is asked for there; without it only this machine is served");
    private static final Key<Boolean> LOG_PROMPTS = Key.of(
                    "log-prompts", Kinds.FLAG, "whether prompts and answers are logged; a change needs a restart")
            .usually("false");
    private static final Key<List<String>> HOSTS = Key.of(
            "hosts", Kinds.list(Kinds.TEXT), "names by which clients call this server, beside those of this machine");
    private static final Key<Boolean> EXPOSE = Key.of(
                    "expose-attempts", Kinds.FLAG, "whether errors tell clients each attempt by the names of this file")
            .usually("true");
    private static final Key<Long> MAX_BODY =
            Key.of("max-body", Kinds.BYTES, "how large a request may be").usually("10MiB");
    private static final Key<Duration> UNREADY = Key.of(
                    "wait", Kinds.DURATION, "how long it goes on as before, but says that it is not ready")
            .usually("5s");
    private static final Key<Duration> DRAIN = Key.of(
                    "drain", Kinds.DURATION, "how long the calls under way may take after that")
            .usually("30s");
    private static final Schema STOP_SCHEMA = Schema.of("how the gateway stops", UNREADY, DRAIN);
    private static final Key<Section> STOP = Key.of("stop", Kinds.section(STOP_SCHEMA), STOP_SCHEMA.title());

    /** The keys of a gateway: its own and those of a client. */
    public static final Schema SCHEMA = Schema.of(
                    "a gateway of Holdfast", ClientSettings.SCHEMA.keys().toArray(Key<?>[]::new))
            .with(
                    LISTEN,
                    ADMIN,
                    ADMIN_KEY,
                    HOSTS,
                    AccessKeys.KEY,
                    EXPOSE,
                    LOG_PROMPTS,
                    MAX_BODY,
                    STOP,
                    CacheKeys.KEY,
                    IdempotencyKeys.KEY,
                    AlertKeys.KEY);

    private final ClientSettings client;
    private final List<Effective> effective;
    private final InetSocketAddress listen;
    private final Optional<InetSocketAddress> admin;
    private final Optional<Bytes> adminKey;
    private final boolean logPrompts;
    private final List<String> hosts;
    private final List<AccessKey> keys;
    private final boolean exposeAttempts;
    private final long maxBody;
    private final Duration unready;
    private final Duration drain;
    private final Optional<Cache> cache;
    private final Optional<Idempotency> idempotency;
    private final Optional<Alerts> alerts;

    private final Map<String, String> filesRead;

    private GatewaySettings(Section root, Configuration configuration, Supplier<Map<String, String>> filesRead) {
        client = ClientSettings.of(root);
        if (root.isSoundSoFar()
                && (client.endpoints().isEmpty() || client.models().isEmpty())) {
            boolean neither = client.endpoints().isEmpty() && client.models().isEmpty();
            String lacks = client.endpoints().isEmpty() ? "endpoints" : "models";
            throw new ConfigException(
                    root.place(),
                    "without " + (neither ? "endpoints and models" : lacks)
                            + " (expected: at least one endpoint and one model)");
        }
        listen = root.get(LISTEN).orElseGet(() -> Listen.parse(USUAL_LISTEN));
        admin = root.get(ADMIN);
        adminKey = root.get(ADMIN_KEY);
        logPrompts = root.get(LOG_PROMPTS).orElse(false);
        hosts = root.get(HOSTS).orElse(List.of()).stream()
                .map(host -> host.toLowerCase(Locale.ROOT))
                .toList();
        keys = AccessKeys.read(root);
        exposeAttempts = root.get(EXPOSE).orElse(true);
        maxBody = root.get(MAX_BODY).orElse(USUAL_BODY);
        Optional<Section> stop = root.get(STOP);
        unready = stop.flatMap(section -> section.get(UNREADY)).orElse(Duration.ofSeconds(5));
        drain = stop.flatMap(section -> section.get(DRAIN)).orElse(Duration.ofSeconds(30));
        cache = root.get(CacheKeys.KEY).map(CacheKeys::read);
        idempotency = root.get(IdempotencyKeys.KEY).map(IdempotencyKeys::read);
        alerts = root.get(AlertKeys.KEY).map(AlertKeys::read);
        checkOpenness(root);
        effective = configuration.effective();
        this.filesRead = filesRead.get();
    }

    /** Nothing is open to other machines by mistake. */
    private void checkOpenness(Section root) {
        if (!root.has(AccessKeys.KEY) && !listen.getAddress().isLoopbackAddress()) {
            throw root.refused(
                    LISTEN, "open to other machines without api-keys (expected: api-keys, or 127.0.0.1 as host)");
        }
        if (adminKey.isEmpty()
                && admin.filter(at -> !at.getAddress().isLoopbackAddress()).isPresent()) {
            throw root.refused(
                    ADMIN, "open to other machines without a key (expected: admin-key-sha256, or 127.0.0.1 as host)");
        }
    }

    /**
     * {@return what a file says}
     *
     * @param file a file of JSON, or of YAML if its name says so
     * @throws ConfigException if a key is unknown, a value does not fit or a variable is missing
     * @throws java.io.UncheckedIOException if it cannot be read
     */
    public static GatewaySettings read(Path file) {
        ReadFiles files = ReadFiles.of(file);
        return of(Configuration.read(file, files), files::prints);
    }

    static GatewaySettings read(Path file, Variables variables) {
        return of(Configuration.read(file, variables));
    }

    /**
     * {@return what a configuration says}
     *
     * @param configuration the configuration
     * @throws ConfigException if a key is unknown, a value does not fit or a variable is missing
     */
    public static GatewaySettings of(Configuration configuration) {
        return of(configuration, Map::of);
    }

    private static GatewaySettings of(Configuration configuration, Supplier<Map<String, String>> filesRead) {
        return configuration.read(SCHEMA, root -> new GatewaySettings(root, configuration, filesRead));
    }

    /** {@return which files it was read from, and what was in them, by their digests; empty where it came from elsewhere} */
    Map<String, String> filesRead() {
        return filesRead;
    }

    /** {@return what it says of the client} */
    public ClientSettings client() {
        return client;
    }

    /** {@return every setting as it holds, and where it was set, but for sections that are absent; keys are hidden} */
    public List<Effective> effective() {
        return effective;
    }

    /** {@return where clients are served} */
    public InetSocketAddress listen() {
        return listen;
    }

    /** {@return where metrics and status are shown and orders are taken} */
    public Optional<InetSocketAddress> admin() {
        return admin;
    }

    Optional<Bytes> adminKey() {
        return adminKey;
    }

    boolean logPrompts() {
        return logPrompts;
    }

    List<String> hosts() {
        return hosts;
    }

    List<AccessKey> keys() {
        return keys;
    }

    boolean exposeAttempts() {
        return exposeAttempts;
    }

    long maxBody() {
        return maxBody;
    }

    Duration unready() {
        return unready;
    }

    Duration drain() {
        return drain;
    }

    Optional<Cache> cache() {
        return cache;
    }

    Optional<Idempotency> idempotency() {
        return idempotency;
    }

    Optional<Alerts> alerts() {
        return alerts;
    }
}
