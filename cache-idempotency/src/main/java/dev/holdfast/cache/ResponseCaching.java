package dev.holdfast.cache;

import dev.holdfast.CacheMode;
import dev.holdfast.CallEvent.CacheConsulted;
import dev.holdfast.CallEvent.CacheOutcome;
import dev.holdfast.ModelResponse;
import dev.holdfast.cache.internal.flight.Baggage;
import dev.holdfast.cache.internal.flight.Flights;
import dev.holdfast.cache.internal.flight.Flights.Passenger;
import dev.holdfast.cache.internal.response.AnswerShelf;
import dev.holdfast.cache.internal.response.CacheUse;
import dev.holdfast.cache.internal.response.GoodAnswer;
import dev.holdfast.spi.ContextCarrier;
import dev.holdfast.spi.Interceptor;
import dev.holdfast.spi.ResponseCache;
import dev.holdfast.spi.ResponseCache.CacheKey;
import dev.holdfast.spi.Timekeeper;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Answers a call from a cache, joins the same call in flight, or goes on and keeps the answer.
 *
 * <pre>{@code
 * var caching = ResponseCaching.of(new CaffeineResponseCache(64 << 20), CachePolicy.defaults().withMode(CacheMode.ALL));
 * var client = ResilientClient.builder().endpoint(endpoint).interceptor(caching).build();
 * }</pre>
 *
 * <p><b>Which calls.</b> Those that are not streamed, in a chat form: streams and opaque requests pass by untouched. The
 * call's {@link CacheMode} decides, else the policy's. Answers stay within their scope, the call's tenant, and are found by
 * the {@link CanonicalRequest}.
 *
 * <p><b>Which answers.</b> Complete good ones: a finish reason of {@code STOP}, {@code LENGTH} or {@code TOOL_CALLS}, no
 * error inside, usage if it was asked for. Neither a degraded reply, nor the answer of a fallback model, nor an answer to a
 * request that had to be adjusted is kept: they would outlive the outage that made them needed. A replayed answer costs
 * nothing and says {@link ModelResponse#fromCache()}.
 *
 * <p><b>A store that fails</b> is warned of, once and then at most every 10 seconds, and the call goes on without it.
 *
 * <p><b>Single-flight.</b> Calls that ask for the same at once, and would be made alike (timeout, retry, fallback, cost limit
 * and idempotency key), are made once, on a thread of its own with the leader's options. Each caller keeps its own
 * deadline and may be interrupted; the call in flight goes on until the last of them has left, and has twice the leader's
 * time. Its failure is thrown to all who waited and is not kept. Modes that replay nothing make their own call.
 */
public final class ResponseCaching implements Interceptor {

    private final CachePolicy policy;
    private final Timekeeper timekeeper;
    private final AnswerShelf shelf;
    private final Flights flights;
    private final List<ContextCarrier> carriers;

    private ResponseCaching(
            CachePolicy policy,
            Timekeeper timekeeper,
            AnswerShelf shelf,
            Flights flights,
            List<ContextCarrier> carriers) {
        this.policy = policy;
        this.timekeeper = timekeeper;
        this.shelf = shelf;
        this.flights = flights;
        this.carriers = carriers;
    }

    /**
     * {@return caching on the machine's own time}
     *
     * @param cache where answers are kept
     * @param policy which calls use it, and for how long
     */
    public static ResponseCaching of(ResponseCache cache, CachePolicy policy) {
        return of(
                cache,
                policy,
                Timekeeper.system(),
                () -> ThreadLocalRandom.current().nextLong());
    }

    /**
     * {@return caching}
     *
     * @param cache where answers are kept
     * @param policy which calls use it, and for how long
     * @param timekeeper where time and threads come from
     * @param random where chance comes from; used by many threads at once
     */
    public static ResponseCaching of(
            ResponseCache cache, CachePolicy policy, Timekeeper timekeeper, RandomGenerator random) {
        return new ResponseCaching(
                policy,
                timekeeper,
                new AnswerShelf(cache, policy, timekeeper, random),
                new Flights(timekeeper),
                List.of());
    }

    /**
     * {@return this caching, whose flights carry what the leader's thread held}
     *
     * @param changed what is carried, in order
     */
    public ResponseCaching withCarriers(List<ContextCarrier> changed) {
        return new ResponseCaching(policy, timekeeper, shelf, flights, List.copyOf(changed));
    }

    @Override
    public ModelResponse aroundCall(Call call, CallChain chain) {
        CacheMode mode = call.options().cacheMode().orElse(policy.mode());
        CacheUse use = CacheUse.of(mode, call.request());
        if (use.isNone()) {
            tell(call, CacheOutcome.BYPASS);
            return chain.proceed(call);
        }
        CacheKey key = CanonicalRequest.of(call.request()).key(call.options(), policy.family());
        Optional<ModelResponse> hit = use.reads() ? shelf.find(key, call.id()) : Optional.empty();
        if (hit.isPresent()) {
            tell(call, CacheOutcome.HIT);
            return hit.get();
        }
        return use.reads() && policy.singleFlight() ? share(call, chain, key, use) : ask(call, chain, key, use);
    }

    private ModelResponse share(Call call, CallChain chain, CacheKey key, CacheUse use) {
        Baggage baggage = Baggage.capture(carriers);
        return flights.fly(new Passenger(
                call,
                key,
                use.writes(),
                flown -> baggage.carry(() -> askUnlessStored(flown, chain, key, use)),
                () -> tell(call, CacheOutcome.JOINED)));
    }

    /** Another flight may have landed between this caller's look into the cache and its departure. */
    private ModelResponse askUnlessStored(Call call, CallChain chain, CacheKey key, CacheUse use) {
        return shelf.find(key, call.id()).orElseGet(() -> ask(call, chain, key, use));
    }

    private ModelResponse ask(Call call, CallChain chain, CacheKey key, CacheUse use) {
        tell(call, CacheOutcome.MISS);
        ModelResponse response = chain.proceed(call);
        if (use.writes() && GoodAnswer.isStorable(call.request(), response)) {
            shelf.keep(key, response);
        }
        return response;
    }

    private void tell(Call call, CacheOutcome outcome) {
        call.events().accept(new CacheConsulted(timekeeper.now(), call.id(), outcome));
    }

    @Override
    public String toString() {
        return "ResponseCaching[" + policy + ", " + shelf + "]";
    }
}
