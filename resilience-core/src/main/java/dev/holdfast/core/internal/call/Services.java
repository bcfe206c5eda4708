package dev.holdfast.core.internal.call;

import dev.holdfast.Credential;
import dev.holdfast.Delivery;
import dev.holdfast.Endpoint;
import dev.holdfast.Failure;
import dev.holdfast.Price;
import dev.holdfast.Target;
import dev.holdfast.core.internal.control.ControlBoard;
import dev.holdfast.core.internal.event.Misconfigured;
import dev.holdfast.core.internal.health.Health;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.Interceptor;
import dev.holdfast.spi.Interceptor.AttemptCall;
import dev.holdfast.spi.Interceptor.AttemptChain;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.spi.TransportTimeouts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the calls of one client share: breakers, limits, cooldowns, budgets, keys. */
final class Services {
    private static final Logger LOG = LoggerFactory.getLogger(Services.class);
    private static final int RETRIES = 1;
    private static final int FALLS_BACK = 2;
    private static final int NEEDS_KEYS = 4;

    private final Setup setup;
    private final Keys keys;
    private final Admission admission;
    private final Budgets budgets;
    private final RetryDelay retryDelay;
    private final RateLimits rateLimits;
    private final Latencies latencies;
    private final Optional<Hedging> hedging;
    private final Fallbacks fallbacks;
    private final Misconfigured misconfigured;
    private final Alike<Failure> failures = new Alike<>();
    private final Routes routes;
    private final Classifiers classifiers;
    private final WholeReply whole;
    private final AttemptSender.Parts sending;
    private final Async async;
    private final List<Moves> moves;
    private final Function<Candidate, Dialect> dialects = this::dialectOf;
    private final Function<String, Optional<Price>> prices = this::priceOf;

    Services(Setup setup, Breakers breakers, ControlBoard control, Health health, Optional<Services> earlier) {
        this.setup = setup;
        this.keys = new Keys(setup.credentialSources(), setup.timekeeper());
        this.admission = new Admission(setup, breakers, control, health);
        earlier.ifPresent(each -> admission.continueFrom(each.admission));
        this.budgets = earlier.filter(
                        each -> each.setup.retry().budget().equals(setup.retry().budget()))
                .map(Services::budgets)
                .orElseGet(() -> new Budgets(setup.retry().budget(), setup.timekeeper()));
        this.retryDelay = new RetryDelay(setup.retry(), setup.random());
        this.rateLimits = earlier.map(Services::rateLimits).orElseGet(RateLimits::new);
        this.latencies = earlier.map(Services::latencies).orElseGet(() -> new Latencies(setup.timekeeper()));
        this.hedging = setup.hedge().map(policy -> new Hedging(policy, latencies, budgets, setup.timekeeper()));
        this.fallbacks = earlier.map(Services::fallbacks).orElseGet(() -> new Fallbacks(setup.timekeeper()));
        this.misconfigured = new Misconfigured();
        this.routes = new Routes(setup, keys, admission, rateLimits, health);
        this.classifiers = new Classifiers(setup.endpoints());
        this.whole = new WholeReply(dialects, setup.timekeeper());
        this.sending = new AttemptSender.Parts(
                setup.dialects(), keys, classifiers, chain(setup.interceptors()), new Alike<>(), setup.timekeeper());
        this.async = new Async(setup.timekeeper(), setup.carriers());
        this.moves = IntStream.rangeClosed(0, RETRIES | FALLS_BACK | NEEDS_KEYS)
                .mapToObj(which -> new Moves(
                        setup.retry(), (which & RETRIES) != 0, (which & FALLS_BACK) != 0, (which & NEEDS_KEYS) != 0))
                .toList();
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
        boolean streamed = attempt.call().request().streaming();
        return setup.transport().send(isWithin(wire.timeouts(), left, streamed) ? wire : within(wire, left, streamed));
    }

    private static boolean isWithin(TransportTimeouts timeouts, Duration left, boolean streamed) {
        boolean beginsWithin =
                timeouts.connect().compareTo(left) <= 0 && timeouts.firstByte().compareTo(left) <= 0;
        boolean endsWithin =
                timeouts.idle().compareTo(left) <= 0 && timeouts.total().compareTo(left) <= 0;
        return beginsWithin && (streamed || endsWithin);
    }

    private static TransportCall within(TransportCall wire, Duration left, boolean streamed) {
        TransportTimeouts timeouts = wire.timeouts();
        var bound = new TransportTimeouts(
                earlier(timeouts.connect(), left),
                earlier(timeouts.firstByte(), left),
                streamed ? timeouts.idle() : earlier(timeouts.idle(), left),
                streamed ? timeouts.total() : earlier(timeouts.total(), left));
        return new TransportCall(wire.method(), wire.uri(), wire.headers(), wire.body(), wire.version(), bound);
    }

    private static Duration earlier(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** The key that a probe of an endpoint carries: its first. */
    Optional<Credential> probeKey(Endpoint endpoint, long deadlineNanos)
            throws Keys.NoKeyException, InterruptedException {
        Optional<Credential> first = keys.hasSource(endpoint)
                ? Optional.empty()
                : endpoint.credentials().stream().findFirst();
        var candidate = new Candidate(
                new Target("probe", endpoint.name()),
                endpoint,
                first,
                setup.model("probe"),
                keys.hasSource(endpoint),
                Optional.empty());
        return keys.keyFor(candidate, Optional.empty(), deadlineNanos);
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

    Latencies latencies() {
        return latencies;
    }

    /** The targets whose key was refused, or whose model is unknown there, and that have not served since. */
    Misconfigured misconfigured() {
        return misconfigured;
    }

    /** The failures of late, which say the same to many calls. */
    Alike<Failure> failures() {
        return failures;
    }

    Fallbacks fallbacks() {
        return fallbacks;
    }

    Routes routes() {
        return routes;
    }

    /** The rules hold nothing of a call: there is one set for each combination of what a call allows. */
    Moves movesFor(Call call) {
        int retries = call.options().retry().orElse(true) ? RETRIES : 0;
        int fallsBack = call.options().fallback().orElse(true) ? FALLS_BACK : 0;
        int needsKeys = repeatsNeedKeys(call) ? NEEDS_KEYS : 0;
        return moves.get(retries | fallsBack | needsKeys);
    }

    /** Whether what may have been executed is repeated only where idempotency keys are honoured. */
    private boolean repeatsNeedKeys(Call call) {
        return setup.retry().onlyIfIdempotent() || Effects.of(call.request());
    }

    /** How the attempts of a call are sent: alone, unless it may be hedged. */
    Sending sendingFor(Progress progress, Attempts attempts, AttemptSender sender) {
        var alone = new DirectSending(sender, attempts);
        return hedgingOf(progress.call())
                .<Sending>map(each -> new HedgedSending(progress, each, attempts, sender, alone))
                .orElse(alone);
    }

    /** Empty where the call may not be hedged. */
    Optional<Hedging> hedgingOf(Call call) {
        return hedging.filter(each -> Hedging.allows(call, repeatsNeedKeys(call)));
    }

    AttemptSender senderFor(Call call) {
        return new AttemptSender(call, sending, readerFor(call));
    }

    private ReplyReader readerFor(Call call) {
        if (!call.request().streaming()) {
            return whole;
        }
        return new StreamedReply(
                call.options().streamTimeouts().orElse(setup.streamTimeouts()),
                asked -> dialectOf(asked.candidate()).streams().orElseThrow().decoder(asked.request()),
                whole,
                setup.timekeeper(),
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
        return new Spending(call.request(), setup.estimator(), prices);
    }

    Duration timeoutFor(Call call, Candidate candidate) {
        return call.request().streaming()
                ? AttemptTimeout.toBegin(call.options(), candidate.model(), setup.streamTimeouts())
                : AttemptTimeout.of(call.options(), candidate.model(), setup.timeout(), call.request());
    }
}
