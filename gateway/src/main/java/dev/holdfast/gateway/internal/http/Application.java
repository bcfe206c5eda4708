package dev.holdfast.gateway.internal.http;

/** What a server does with requests. Called by many threads at once, each with an exchange of its own. */
@FunctionalInterface
public interface Application {
    /**
     * Answers a request.
     *
     * @param exchange the request and the way to answer it
     */
    void serve(Exchange exchange);
}
