package dev.holdfast.gateway.internal.call;

import dev.holdfast.AllowList;
import dev.holdfast.CallOptions;
import dev.holdfast.Endpoint;
import dev.holdfast.FailureKind;
import dev.holdfast.Headers;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.core.ClientControl;
import dev.holdfast.core.Retry;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.core.config.ClientSettings;
import dev.holdfast.gateway.internal.access.AccessKey;
import dev.holdfast.gateway.internal.access.KeyLimits;
import dev.holdfast.gateway.internal.api.Failures;
import dev.holdfast.gateway.internal.api.ProblemException;
import dev.holdfast.gateway.internal.call.PassedMeters.Outcome;
import dev.holdfast.gateway.internal.http.Exchange;
import dev.holdfast.gateway.internal.http.HttpAnswer;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Transport;
import dev.holdfast.spi.TransportReply;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes requests without a model on, {@code GET}, {@code HEAD} and {@code DELETE}, to the first endpoint of the client's API: files, batches,
 * stored answers are on one account, so that no other endpoint stands in. These methods are idempotent (RFC 9110, section 9.2.2) and
 * are tried again. Safe for use by many threads.
 */
public final class PassThrough {
    private static final Logger LOG = LoggerFactory.getLogger("dev.holdfast.gateway");
    private static final Duration USUAL_DEADLINE = Duration.ofMinutes(2);

    /** All that comes back beside the body: nothing of the connection, no cookie and no account's name. */
    private static final List<String> RETURNED =
            List.of("content-type", "content-disposition", "content-language", "etag", "last-modified", "retry-after");

    private final List<Endpoint> endpoints;
    private final Map<String, CircuitBreaker> breakers = new HashMap<>();
    private final RetryPolicy policy;
    private final Retry retry;
    private final Duration longest;
    private final RequestOptions wanted;
    private final KeyLimits limits;
    private final Failures failures;
    private final Transport transport;
    private final Timekeeper time;
    private final ClientControl control;
    private final PassedMeters meters;

    /**
     * Creates it.
     *
     * @param settings the endpoints, and how they are treated
     * @param limits the limits of each key
     * @param failures how much clients are told of what went wrong
     * @param transport sends the requests
     * @param time where time comes from
     * @param control knows the endpoints that were taken out by hand
     * @param meters counts the requests
     * @param earlier whose breakers it goes on with, where the policy is the same
     */
    public PassThrough(
            ClientSettings settings,
            KeyLimits limits,
            Failures failures,
            Transport transport,
            Timekeeper time,
            ClientControl control,
            PassedMeters meters,
            Optional<PassThrough> earlier) {
        this.endpoints = settings.endpoints();
        this.policy = settings.retry().orElseGet(RetryPolicy::standard);
        this.retry = Retry.of(policy);
        this.longest = settings.deadline().orElse(USUAL_DEADLINE);
        this.wanted = new RequestOptions(longest);
        this.limits = limits;
        this.failures = failures;
        this.transport = transport;
        this.time = time;
        this.control = control;
        this.meters = meters;
        BreakerPolicy breaker = settings.breaker().orElseGet(BreakerPolicy::defaults);
        for (Endpoint endpoint : endpoints) {
            CircuitBreaker known =
                    earlier.map(each -> each.breakers.get(endpoint.name())).orElse(null);
            breakers.put(
                    endpoint.name(),
                    known != null && known.policy().equals(breaker)
                            ? known
                            : CircuitBreaker.of(endpoint.name() + " (passed through)", breaker, time));
        }
    }

    /**
     * Passes a request on, and its answer back.
     *
     * @param exchange the request
     * @param dialect the language of the API it is for
     * @param key whose it is
     */
    public void serve(Exchange exchange, Dialect dialect, Optional<AccessKey> key) {
        if (key.isPresent() && !key.get().passThrough()) {
            throw ProblemException.of(
                    403,
                    "permission_error",
                    "not_allowed",
                    "your key is for models only (expected: a key with pass-through: true)");
        }
        CallOptions options = wanted.of(exchange.headers(), key);
        Endpoint endpoint = endpoint(dialect, options.allow().orElse(AllowList.ANY));
        CircuitBreaker breaker = breakers.get(endpoint.name());
        if (breaker == null) {
            throw new IllegalStateException(endpoint.name() + ": without a breaker");
        }
        refuseIfTakenOut(endpoint);
        PassedRequest request = PassedRequest.of(exchange, dialect, endpoint);
        limits.takeRequest(key);
        var sending = new PassedSending(
                request,
                transport,
                breaker,
                time,
                options.deadline().orElse(longest),
                policy.maxSuggestedDelay(),
                exchange::isAbandoned,
                failures);
        long began = time.nanoTime();
        Outcome outcome = Outcome.ERROR;
        try {
            outcome = exchange.whileConnected(() -> pass(exchange, sending, endpoint));
        } finally {
            Outcome ended = exchange.isAbandoned() && outcome == Outcome.ERROR ? Outcome.CANCELLED : outcome;
            meters.count(endpoint.name(), request.method(), ended, Duration.ofNanos(time.nanoTime() - began));
        }
    }

    private Outcome pass(Exchange exchange, PassedSending sending, Endpoint endpoint) {
        try (PassedReply reply = sending.send(retry)) {
            boolean whole = answer(exchange, reply, headers(reply, endpoint, sending));
            return whole && reply.status() < 400 ? Outcome.SUCCESS : Outcome.ERROR;
        }
    }

    private void refuseIfTakenOut(Endpoint endpoint) {
        Optional<Duration> closed = control.closedFor(endpoint.name());
        if (closed.isPresent()) {
            FailureKind kind = FailureKind.OUT_OF_SERVICE;
            String words = "this endpoint was taken out of service by an operator";
            throw ProblemException.of(503, "server_error", kind.wireName(), words)
                    .withHeader(
                            "retry-after",
                            Long.toString(Math.max(1, (closed.get().toMillis() + 999) / 1000)));
        }
    }

    private Endpoint endpoint(Dialect dialect, AllowList allow) {
        List<Endpoint> speaking = endpoints.stream()
                .filter(each -> each.dialect().equals(dialect.name()))
                .toList();
        if (speaking.isEmpty()) {
            throw ProblemException.of(
                    404, "invalid_request_error", "unknown_url", "no endpoint of this API is configured here");
        }
        return speaking.stream()
                .filter(allow::allows)
                .findFirst()
                .orElseThrow(() -> ProblemException.of(
                        403, "permission_error", "policy_refused", "no endpoint of this API is allowed"));
    }

    private static Headers headers(PassedReply reply, Endpoint endpoint, PassedSending sending) {
        var fields = new AnswerHeaders();
        for (String name : RETURNED) {
            reply.headers().first(name).ifPresent(value -> fields.put(name, value));
        }
        fields.put("x-request-id", sending.id());
        fields.put("x-holdfast-endpoint", endpoint.name());
        fields.put("x-holdfast-attempts", Integer.toString(sending.attempts()));
        if (reply.status() >= 400) {
            fields.put("x-should-retry", "false");
        }
        return fields.build();
    }

    /** Whether the answer went out whole. */
    private static boolean answer(Exchange exchange, PassedReply reply, Headers headers) {
        Optional<TransportReply> rest = reply.rest();
        if (rest.isEmpty()) {
            exchange.answer(new HttpAnswer(reply.status(), headers, reply.head()));
            return true;
        }
        OutputStream out = exchange.begin(reply.status(), headers);
        try {
            out.write(reply.head().toByteArray());
            rest.get().body().transferTo(out);
            out.close();
            return true;
        } catch (IOException | RuntimeException e) {
            LOG.debug("an answer of {} bytes and more broke off", reply.head().size(), e);
            exchange.cutOff();
            return false;
        }
    }
}
