package dev.holdfast.transport.internal;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Makes the JDK's clients, and the threads that they share. */
final class Clients implements Supplier<HttpClient>, AutoCloseable {
    /** Past this the JDK's arithmetic overflows; nobody waits that long for a connection. */
    private static final Duration LONGEST_CONNECT = Duration.ofHours(1);

    private final Settings settings;
    private final ExecutorService threads = threads();

    Clients(Settings settings) {
        this.settings = settings;
    }

    /** Platform threads: resolving a name holds the carrier of a virtual one, and two slow names would stop everything. */
    private static ExecutorService threads() {
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                5,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().daemon().name("holdfast-http-", 0).factory());
    }

    @Override
    public HttpClient get() {
        Duration connect = settings.connectTimeout();
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(connect.compareTo(LONGEST_CONNECT) < 0 ? connect : LONGEST_CONNECT)
                .proxy(settings.proxies().selector())
                .executor(threads);
        settings.sslContext().ifPresent(builder::sslContext);
        settings.sslParameters().ifPresent(builder::sslParameters);
        return builder.build();
    }

    /** The interrupt reaches who still resolves a name. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
