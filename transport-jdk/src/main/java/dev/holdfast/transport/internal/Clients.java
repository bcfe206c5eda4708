package dev.holdfast.transport.internal;

import java.net.http.HttpClient;
import java.time.Duration;

/** Makes the JDK's clients, and the threads that they share. */
final class Clients implements AutoCloseable {
    /** Past this the JDK's arithmetic overflows; nobody waits that long for a connection. */
    private static final Duration LONGEST_CONNECT = Duration.ofHours(1);

    private final Settings settings;
    private final Threads threads = new Threads();

    Clients(Settings settings) {
        this.settings = settings;
    }

    Threads threads() {
        return threads;
    }

    /** A client for everything: what may block, as the resolving of a name or a handshake of TLS, it does on threads of its own. */
    HttpClient onThreads() {
        HttpClient.Builder builder =
                common().proxy(settings.proxies().selector()).executor(threads);
        settings.sslContext().ifPresent(builder::sslContext);
        settings.sslParameters().ifPresent(builder::sslParameters);
        return builder.build();
    }

    /**
     * A client for exchanges in which nothing blocks: no name, no proxy, no TLS. It works where things happen, on the caller's thread and
     * on that of its selector: handing a piece of an answer to another thread takes longer than reading it.
     */
    HttpClient inPlace() {
        return common().proxy(HttpClient.Builder.NO_PROXY)
                .executor(Clients::runHere)
                .build();
    }

    /** What a task throws must not end the selector, on which all others depend. */
    private static void runHere(Runnable task) {
        try {
            Tasks.run(task);
        } catch (RuntimeException | Error e) {
            Thread here = Thread.currentThread();
            here.getUncaughtExceptionHandler().uncaughtException(here, e);
        }
    }

    private HttpClient.Builder common() {
        Duration connect = settings.connectTimeout();
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(connect.compareTo(LONGEST_CONNECT) < 0 ? connect : LONGEST_CONNECT);
    }

    @Override
    public void close() {
        threads.close();
    }
}
