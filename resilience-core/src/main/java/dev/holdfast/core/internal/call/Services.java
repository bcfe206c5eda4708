package dev.holdfast.core.internal.call;

import dev.holdfast.Delivery;
import dev.holdfast.Price;
import dev.holdfast.core.internal.control.ControlBoard;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.Interceptor;
import dev.holdfast.spi.Interceptor.AttemptCall;
import dev.holdfast.spi.Interceptor.AttemptChain;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.spi.TransportTimeouts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the calls of one client share: breakers, limits, cooldowns, budgets, keys. */
final class Services {
    private static final Logger LOG = LoggerFactory.getLogger(Services.class);

    private final Setup setup;
    private final Keys keys;
    private final Admission admission;
    private final Budgets budgets;
    private final RetryDelay retryDelay;
    private final RateLimits rateLimits;
    private final Routes routes;
    private final Classifiers classifiers;
    private final AttemptChain attempts;
    private final Async async;

    Services(Setup setup, Breakers breakers, ControlBoard control) {
        this.setup = setup;
        this.keys = new Keys(setup.credentialSources(), setup.timekeeper());
        this.admission = new Admission(setup, breakers, control);
        this.budgets = new Budgets(setup.retry().budget(), setup.timekeeper());
        this.retryDelay = new RetryDelay(setup.retry(), setup.random());
        this.rateLimits = new RateLimits();
        this.routes = new Routes(setup, keys, admission::wouldAdmit, rateLimits);
        this.classifiers = new Classifiers(setup.endpoints());
        this.attempts = chain(setup.interceptors());
        this.async = new Async(setup.timekeeper(), setup.carriers());
    }

    private AttemptChain chain(List<Interceptor> interceptors) {
        AttemptChain chain = this::send;
        for (Interceptor interceptor : interceptors.reversed()) {
            AttemptChain inner = chain;
            chain = attempt -> interceptor.aroundAttempt(attempt, inner);
        }
        return chain;
    }

    /** Keys and interceptors may have taken their time: what is sent keeps to what the deadline leaves now. */
    private TransportReply send(AttemptCall attempt) throws TransportException, InterruptedException {
        Duration left = Duration.ofNanos(
                attempt.call().deadlineNanos() - setup.timekeeper().nanoTime());
        if (!left.isPositive()) {
            throw new TransportException(
                    TransportException.Fault.TIMEOUT, Delivery.NEVER_SENT, "the deadline passed before sending", null);
        }
        TransportCall wire = attempt.wire();
        TransportTimeouts timeouts = wire.timeouts();
        boolean streamed = attempt.call().request().streaming();
        var bound = new TransportTimeouts(
                earlier(timeouts.connect(), left),
                earlier(timeouts.firstByte(), left),
                streamed ? timeouts.idle() : earlier(timeouts.idle(), left),
                streamed ? timeouts.total() : earlier(timeouts.total(), left));
        return setup.transport().send(bound.equals(timeouts) ? wire : within(wire, bound));
    }

    private static Duration earlier(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static TransportCall within(TransportCall wire, TransportTimeouts timeouts) {
        return new TransportCall(wire.method(), wire.uri(), wire.headers(), wire.body(), wire.version(), timeouts);
    }

    /** A price that cannot be had is unknown; it never costs the answer. */
    Optional<Price> priceOf(String model) {
        try {
            return setup.prices().price(model, setup.timekeeper().now());
        } catch (RuntimeException e) {
            LOG.warn("the price source threw on {}; its cost is unknown", model, e);
            return Optional.empty();
        }
    }

    Setup setup() {
        return setup;
    }

    Admission admission() {
        return admission;
    }

    Budgets budgets() {
        return budgets;
    }

    RetryDelay retryDelay() {
        return retryDelay;
    }

    RateLimits rateLimits() {
        return rateLimits;
    }

    Routes routes() {
        return routes;
    }

    Moves movesFor(Call call) {
        return new Moves(
                setup.retry(),
                call.options().retry().orElse(true),
                call.options().fallback().orElse(true),
                setup.retry().onlyIfIdempotent() || Effects.of(call.request()));
    }

    AttemptSender senderFor(Call call) {
        return new AttemptSender(call, setup, keys, classifiers, attempts, readerFor(call));
    }

    private ReplyReader readerFor(Call call) {
        Timekeeper time = setup.timekeeper();
        var whole = new WholeReply(call.request(), this::dialectOf, time);
        if (!call.request().streaming()) {
            return whole;
        }
        return new StreamedReply(
                call.options().streamTimeouts().orElse(setup.streamTimeouts()),
                candidate -> dialectOf(candidate).streams().orElseThrow().decoder(call.request()),
                whole,
                time,
                watch -> async.start("holdfast-stream-watch", watch));
    }

    private Dialect dialectOf(Candidate candidate) {
        return java.util.Objects.requireNonNull(
                setup.dialects().get(candidate.endpoint().dialect()));
    }

    Async async() {
        return async;
    }

    Spending spendingOf(Call call) {
        return new Spending(call.request(), setup.estimator(), this::priceOf);
    }

    Duration timeoutFor(Call call, Candidate candidate) {
        return call.request().streaming()
                ? AttemptTimeout.toBegin(call.options(), candidate.model(), setup.streamTimeouts())
                : AttemptTimeout.of(call.options(), candidate.model(), setup.timeout(), call.request());
    }
}
