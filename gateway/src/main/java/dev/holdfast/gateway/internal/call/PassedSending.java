package dev.holdfast.gateway.internal.call;

import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.core.CircuitBreaker.Open;
import dev.holdfast.core.CircuitBreaker.Permit;
import dev.holdfast.core.Retry;
import dev.holdfast.gateway.internal.api.Failures;
import dev.holdfast.gateway.internal.api.ProblemException;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Transport;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.spi.TransportTimeouts;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends one request that is passed on, again while that may help. For one thread. */
final class PassedSending {
    private static final Logger LOG = LoggerFactory.getLogger("dev.holdfast.gateway");

    /** Statuses that another attempt may mend. */
    private static final Set<Integer> PASSING = Set.of(408, 429, 500, 502, 503, 504, 529);
    /** What another attempt does not mend. */
    private static final Set<Fault> LASTING =
            Set.of(Fault.PROXY_AUTH, Fault.TOO_LARGE, Fault.REDIRECT_REFUSED, Fault.CLOSED);

    private static final Duration CONNECT = Duration.ofSeconds(10);

    private final PassedRequest request;
    private final Transport transport;
    private final CircuitBreaker breaker;
    private final Timekeeper time;
    private final Duration longestWait;
    private final BooleanSupplier abandoned;
    private final Failures failures;
    private final long deadlineNanos;
    private final String id = UUID.randomUUID().toString();
    private int attempts;
    private Duration asked = Duration.ZERO;

    /**
     * @param deadline how long all attempts may take together
     * @param longestWait the longest wait that the endpoint may ask for
     * @param abandoned whether the client has hung up
     * @param failures how much the client is told
     */
    PassedSending(
            PassedRequest request,
            Transport transport,
            CircuitBreaker breaker,
            Timekeeper time,
            Duration deadline,
            Duration longestWait,
            BooleanSupplier abandoned,
            Failures failures) {
        this.request = request;
        this.transport = transport;
        this.breaker = breaker;
        this.time = time;
        this.longestWait = longestWait;
        this.abandoned = abandoned;
        this.failures = failures;
        this.deadlineNanos = time.nanoTime() + deadline.toNanos();
    }

    String id() {
        return id;
    }

    int attempts() {
        return attempts;
    }

    /** {@return the last reply, good or not} */
    PassedReply send(Retry retry) {
        try {
            PassedReply reply = retry.onException(this::isWorthRepeating)
                    .onResult(result -> result instanceof PassedReply each && isWorthRepeating(each))
                    .call(this::attempt);
            if (reply.status() == 401) {
                reply.close();
                throw problem(502, "auth", "the provider refuses the gateway's key");
            }
            return reply;
        } catch (ProblemException e) {
            throw e;
        } catch (TransportException e) {
            boolean late = e.fault() == Fault.TIMEOUT;
            String words = String.valueOf(e.getMessage());
            LOG.info("passed={} outcome={} attempts={}: {}", id, e.fault(), attempts, words);
            throw problem(late ? 504 : 502, late ? "timeout" : "connection", "no answer" + failures.detail(words));
        } catch (InterruptedException | InterruptedIOException e) {
            throw problem(503, "stopping", "the gateway stops");
        } catch (IOException e) {
            throw problem(502, "connection", "the answer broke off");
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private ProblemException problem(int status, String code, String words) {
        return ProblemException.of(status, "server_error", code, words + ", after " + Failures.times(attempts))
                .withHeader("x-request-id", id);
    }

    private boolean isWorthRepeating(Exception e) {
        boolean lasting = e instanceof TransportException failed && LASTING.contains(failed.fault());
        return e instanceof IOException && !lasting && !abandoned.getAsBoolean() && left().isPositive();
    }

    private boolean isWorthRepeating(PassedReply reply) {
        if (!PASSING.contains(reply.status()) || reply.rest().isPresent() || abandoned.getAsBoolean()) {
            return false;
        }
        asked = Duration.ofSeconds(reply.headers()
                .first("retry-after")
                .map(PassedSending::seconds)
                .orElse(OptionalLong.empty())
                .orElse(0));
        return asked.compareTo(longestWait) <= 0 && asked.compareTo(left()) < 0;
    }

    private static OptionalLong seconds(String text) {
        return text.matches("[0-9]{1,9}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    private Duration left() {
        return Duration.ofNanos(deadlineNanos - time.nanoTime());
    }

    private PassedReply attempt() throws IOException, InterruptedException {
        if (asked.isPositive()) {
            time.sleep(asked);
            asked = Duration.ZERO;
        }
        Duration left = left();
        if (!left.isPositive()) {
            throw problem(504, "timeout", "no answer in time");
        }
        return switch (breaker.acquire()) {
            case Open open -> throw closedFor(open);
            case Permit permit -> attempt(permit, left);
        };
    }

    private ProblemException closedFor(Open open) {
        ProblemException problem = problem(503, "circuit_open", "this endpoint fails, and is left alone for now");
        Optional<Duration> in = open.availableIn();
        return in.isEmpty()
                ? problem
                : problem.withHeader(
                        "retry-after", Long.toString(Math.max(1, (in.get().toMillis() + 999) / 1000)));
    }

    /** The breaker hears of what the endpoint did, and not of a client that hung up. */
    private PassedReply attempt(Permit permit, Duration left) throws IOException, InterruptedException {
        attempts++;
        boolean kept = false;
        TransportReply answer = null;
        try {
            Duration connect = left.compareTo(CONNECT) < 0 ? left : CONNECT;
            answer = transport.send(request.call(new TransportTimeouts(connect, left, left, left)));
            PassedReply reply = PassedReply.of(answer);
            kept = reply.rest().isPresent();
            if (reply.status() >= 500) {
                permit.failed();
            } else {
                permit.succeeded();
            }
            return reply;
        } catch (InterruptedException | InterruptedIOException e) {
            permit.ignored();
            throw e;
        } catch (IOException e) {
            permit.failed();
            throw e;
        } catch (RuntimeException e) {
            permit.ignored();
            throw e;
        } finally {
            if (answer != null && !kept) {
                answer.close();
            }
        }
    }
}
