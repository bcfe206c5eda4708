package dev.holdfast.gateway;

import dev.holdfast.core.config.ConfigException;
import dev.holdfast.gateway.internal.http.Application;
import dev.holdfast.gateway.internal.http.Exchange;
import dev.holdfast.gateway.internal.http.ServerLimits;
import dev.holdfast.gateway.internal.reload.FileWatch;
import dev.holdfast.gateway.internal.reload.ReloadReport;
import dev.holdfast.gateway.internal.reload.Signals;
import dev.holdfast.gateway.internal.server.HttpServer;
import dev.holdfast.spi.Timekeeper;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running gateway: clients of OpenAI and of Anthropic call it as they call those, and Holdfast makes the calls. Safe for use by
 * many threads.
 *
 * <pre>{@code
 * try (Gateway gateway = Gateway.start(GatewaySettings.read(Path.of("holdfast.yaml")))) {
 *     System.out.println("listening on " + gateway.uri());
 * }
 * }</pre>
 */
public final class Gateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.holdfast.gateway");
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration LOOK_AT_FILE = Duration.ofSeconds(1);

    /** What it was started with: what needs a restart is as this says. */
    private final GatewaySettings begun;

    private final Kept kept;
    private final Timekeeper time;
    private final AtomicReference<Generation> current;
    private final List<Generation> retired = new CopyOnWriteArrayList<>();
    private final ReentrantLock reloading = new ReentrantLock();
    private final HttpServer server;
    private final Optional<HttpServer> admin;
    private volatile Optional<FileWatch> watch = Optional.empty();
    private volatile boolean closed;

    private Gateway(GatewaySettings settings, ServerLimits limits, Timekeeper time) {
        this.begun = settings;
        this.time = time;
        this.kept = Kept.begin(settings, time);
        Generation first = Generation.first(settings, kept);
        this.current = new AtomicReference<>(first);
        kept.metrics().watch(first.client());
        if (settings.logPrompts()) {
            LOG.warn("prompts and answers are logged (log-prompts)");
        }
        try {
            this.server = HttpServer.start(settings.listen(), limits, time, inCurrent(Generation::routes));
        } catch (RuntimeException e) {
            first.close();
            kept.close();
            throw e;
        }
        try {
            this.admin = settings.admin().map(at -> HttpServer.start(at, limits, time, inCurrent(Generation::admin)));
        } catch (RuntimeException e) {
            server.close();
            first.close();
            kept.close();
            throw e;
        }
    }

    /** Each request is served by the generation that is there when it comes, until it ends. */
    private Application inCurrent(Function<Generation, Application> routes) {
        return exchange -> {
            Generation generation = current.get();
            while (!generation.enter()) {
                generation = current.get();
            }
            serve(generation, routes, exchange);
        };
    }

    private static void serve(Generation generation, Function<Generation, Application> routes, Exchange exchange) {
        try {
            routes.apply(generation).serve(exchange);
        } finally {
            generation.leave();
        }
    }

    /**
     * {@return a running gateway}
     *
     * @param settings what it serves
     * @throws IllegalArgumentException if no client can be built of the settings
     * @throws RuntimeException if a port is taken
     */
    public static Gateway start(GatewaySettings settings) {
        return start(settings, ServerLimits.defaults());
    }

    static Gateway start(GatewaySettings settings, ServerLimits limits) {
        return new Gateway(settings, limits, Timekeeper.system());
    }

    /**
     * Builds all that a gateway would be built of, and listens nowhere.
     *
     * @param settings what it would serve
     * @throws IllegalArgumentException if no client can be built of the settings
     */
    public static void check(GatewaySettings settings) {
        Kept kept = Kept.begin(settings, Timekeeper.system());
        try {
            Generation.first(settings, kept).close();
        } finally {
            kept.close();
        }
    }

    /**
     * Serves another configuration from now on. Requests under way end as they began; breakers, limits, budgets, answers and keys are
     * kept where the settings are about the same things. Where it listens and whether prompts are logged stay as they are; the
     * status says so.
     *
     * @param settings the other configuration
     * @throws IllegalArgumentException if no client can be built of the settings; the running configuration stays
     * @throws IllegalStateException if the gateway is closed
     */
    public void reload(GatewaySettings settings) {
        reloading.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the gateway is closed");
            }
            Generation before = current.get();
            Generation next = before.next(settings, kept);
            current.set(next);
            kept.metrics().watch(next.client());
            retired.add(before);
            before.retire(next);
            List<String> waiting = needsRestart(settings);
            kept.configuration().updateAndGet(report -> report.succeeded(time.now(), waiting));
            LOG.info(
                    "another configuration took effect{}",
                    waiting.isEmpty() ? "" : "; these settings need a restart: " + String.join(", ", waiting));
            time.start("holdfast-gateway-retire", () -> closeWhenIdle(before));
        } finally {
            reloading.unlock();
        }
    }

    private List<String> needsRestart(GatewaySettings settings) {
        var waiting = new ArrayList<String>();
        if (!settings.listen().equals(begun.listen())) {
            waiting.add("listen");
        }
        if (!settings.admin().equals(begun.admin())) {
            waiting.add("admin");
        }
        if (settings.logPrompts() != kept.prompts().isOn()) {
            waiting.add("log-prompts");
        }
        return waiting;
    }

    private void closeWhenIdle(Generation generation) {
        try {
            while (!closed && !generation.isIdle()) {
                time.sleep(LOOK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            generation.close();
            retired.remove(generation);
        }
    }

    /**
     * Reads a file again when it changes, when a file does that it names by {@code ${file:…}}, and at SIGHUP. One that cannot be
     * used is logged and shown on the status, and the running configuration stays.
     *
     * @param file the file that the running configuration was read from
     */
    public void follow(Path file) {
        follow(file, LOOK_AT_FILE);
    }

    void follow(Path file, Duration every) {
        var looks = new AtomicReference<FileWatch>();
        var watching = new FileWatch(file, every, time, () -> readAgain(file, looks.get()));
        looks.set(watching);
        Map<String, String> read = current.get().settings().filesRead();
        if (read.containsKey(file.toString())) {
            watching.read(read);
        } else {
            watching.note(file);
        }
        watch = Optional.of(watching);
        watching.start();
        Signals.hear("HUP", watching::ask);
    }

    private void readAgain(Path file, FileWatch watching) {
        try {
            reload(GatewaySettings.read(file, watching.noting()));
        } catch (ConfigException | UncheckedIOException e) {
            refuse(String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            refuse(file + ": " + e.getMessage());
        } catch (IllegalStateException e) {
            LOG.debug("the configuration changed while the gateway closes", e);
        } catch (RuntimeException e) {
            LOG.error("another configuration failed unforeseen", e);
            refuse(file + ": failed unforeseen, " + e.getClass().getSimpleName());
        }
    }

    private void refuse(String why) {
        kept.configuration().updateAndGet(report -> report.failed(time.now(), why));
        LOG.warn("the running configuration stays: {}", why.replace("\n", "; "));
    }

    /** {@return which configuration runs, and what came of the last attempt at another} */
    ReloadReport configuration() {
        return kept.configuration().get();
    }

    /** {@return where clients are served} */
    public URI uri() {
        return server.uri();
    }

    /** {@return where metrics and status are shown and orders are taken} */
    public Optional<URI> adminUri() {
        return admin.map(HttpServer::uri);
    }

    /** {@return how many connections of clients are open} */
    public int connections() {
        return server.connections();
    }

    /** {@return how many configurations before the running one still have calls} */
    int retiredConfigurations() {
        return retired.size();
    }

    /**
     * Ends it so that no client notices, if those before it look at its readiness: for a while it only says that it is not ready,
     * then it takes no more requests and waits for those under way. Returns when all is over; blocks the thread until then.
     *
     * @throws InterruptedException if the thread is interrupted meanwhile; then all is over too
     */
    public void stop() throws InterruptedException {
        try {
            GatewaySettings settings = current.get().settings();
            kept.stage().beUnready();
            time.sleep(settings.unready());
            kept.stage().shut();
            long deadline = time.nanoTime() + settings.drain().toNanos();
            while (kept.stage().underWay() > 0 && time.nanoTime() < deadline) {
                time.sleep(LOOK);
            }
        } finally {
            close();
        }
    }

    /** Ends it at once: calls under way are broken off, after the client's own grace. */
    @Override
    public void close() {
        kept.stage().shut();
        watch.ifPresent(FileWatch::close);
        reloading.lock();
        try {
            closed = true;
        } finally {
            reloading.unlock();
        }
        current.get().close();
        retired.forEach(Generation::close);
        kept.close();
        server.close();
        admin.ifPresent(HttpServer::close);
    }

    @Override
    public String toString() {
        return "Gateway[" + uri() + "]";
    }
}
