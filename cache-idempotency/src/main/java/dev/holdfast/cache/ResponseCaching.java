package dev.holdfast.cache;

import dev.holdfast.CacheMode;
import dev.holdfast.CallEvent.CacheConsulted;
import dev.holdfast.CallEvent.CacheOutcome;
import dev.holdfast.CallException;
import dev.holdfast.ModelResponse;
import dev.holdfast.ModelStream;
import dev.holdfast.cache.internal.flight.Baggage;
import dev.holdfast.cache.internal.flight.Flights;
import dev.holdfast.cache.internal.flight.Flights.Passenger;
import dev.holdfast.cache.internal.response.AnswerShelf;
import dev.holdfast.cache.internal.response.CacheUse;
import dev.holdfast.cache.internal.response.Counters;
import dev.holdfast.cache.internal.response.Shelved;
import dev.holdfast.cache.internal.response.WatchedStream;
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
 * <p><b>Which calls.</b> Those in a chat form, streamed or not; opaque requests pass by untouched. The call's
 * {@link CacheMode} decides, else the policy's. Answers stay within their scope, the call's tenant, and are found by the
 * {@link CanonicalRequest}. An answer is replayed in the form that is asked for: one that was gathered from a stream to a call,
 * one that came as a whole to a stream.
 *
 * <p><b>Which answers.</b> Complete good ones: a finish reason of {@code STOP}, {@code LENGTH} or {@code TOOL_CALLS}, no
 * error inside, usage if it was asked for, not heavier than the policy allows. Neither a degraded reply, nor the answer of a
 * fallback model, nor an answer to a request that had to be adjusted is kept: they would outlive the outage that made them
 * needed. What is not kept is delivered all the same. A replayed answer costs nothing and says
 * {@link ModelResponse#fromCache()}.
 *
 * <p><b>Stale if error.</b> Where the policy says so, an answer past its time stands in for a call that the provider fails.
 * It says {@code fromCache()} and {@code degraded()}, and carries the attempts that were made.
 *
 * <p><b>A store that fails</b> is warned of, once and then at most every 10 seconds, and the call goes on without it.
 *
 * <p><b>Single-flight.</b> Calls of this process that ask for the same at once, and would be made alike (timeout, retry,
 * fallback, cost limit, priority and idempotency key), are made once, on a thread of its own with the leader's options and id. Each
 * caller keeps its own deadline and may be interrupted; the call in flight goes on until the last of them has left, and waits
 * for what it must as long as the most patient of them would. Its failure is thrown to all who waited and is not kept; only a
 * refused key, and a budget that let nothing be sent, are the leader's own. Modes that replay nothing make their own call, and so do streams and other processes.
 *
 * <p>Safe for use by many threads, and by several clients whose endpoints are interchangeable.
 */
public final class ResponseCaching implements Interceptor {
    private final CachePolicy policy;
    private final Timekeeper timekeeper;
    private final Counters counters;
    private final AnswerShelf shelf;
    private final Flights flights;
    private final List<ContextCarrier> carriers;

    private ResponseCaching(
            CachePolicy policy,
            Timekeeper timekeeper,
            Counters counters,
            AnswerShelf shelf,
            Flights flights,
            List<ContextCarrier> carriers) {
        this.policy = policy;
        this.timekeeper = timekeeper;
        this.counters = counters;
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
        var counters = new Counters();
        return new ResponseCaching(
                policy,
                timekeeper,
                counters,
                new AnswerShelf(cache, policy, timekeeper, random, counters),
                new Flights(timekeeper),
                List.of());
    }

    /**
     * {@return this caching, whose flights carry what the leader's thread held}
     *
     * @param changed what is carried, in order
     */
    public ResponseCaching withCarriers(List<ContextCarrier> changed) {
        return new ResponseCaching(policy, timekeeper, counters, shelf, flights, List.copyOf(changed));
    }

    /** {@return what it did so far, together with those that differ from it by their carriers only} */
    public CacheStatistics statistics() {
        return counters.snapshot();
    }

    /**
     * Forgets every answer of a tenant, also those that are being asked for now: they are delivered and not kept. Answers that
     * other processes ask for and put into a shared store meanwhile are theirs.
     *
     * @param tenant the tenant; the empty text for calls without one
     * @throws RuntimeException what the store throws: then what should be forgotten may still be there
     */
    public void purge(String tenant) {
        shelf.purge(tenant);
    }

    @Override
    public ModelResponse aroundCall(Call call, CallChain chain) {
        CacheUse use = useOf(call);
        if (use.isNone()) {
            tell(call, CacheOutcome.BYPASS);
            return chain.proceed(call);
        }
        CacheKey key = keyOf(call);
        long purgesBefore = shelf.purges();
        Shelved found = use.reads() ? shelf.find(key) : Shelved.NOTHING;
        Optional<ModelResponse> hit = found.replayFor(call.id());
        if (hit.isPresent()) {
            tell(call, CacheOutcome.HIT);
            return hit.get();
        }
        try {
            return use.reads() && policy.singleFlight() ? share(call, chain, key, use) : ask(call, chain, key, use);
        } catch (CallException e) {
            return oldInsteadOf(e, stillThere(key, found, purgesBefore), call);
        }
    }

    /** A stream is replayed and stored like any answer, and never shared: one that joined late would have missed its start. */
    @Override
    public ModelStream aroundStream(Call call, StreamChain chain) {
        CacheUse use = useOf(call);
        if (use.isNone()) {
            tell(call, CacheOutcome.BYPASS);
            return chain.proceed(call);
        }
        CacheKey key = keyOf(call);
        long purgesBefore = shelf.purges();
        Shelved found = use.reads() ? shelf.find(key) : Shelved.NOTHING;
        Optional<ModelResponse> hit = found.replayFor(call.id());
        if (hit.isPresent()) {
            tell(call, CacheOutcome.HIT);
            return chain.replay(call, hit.get());
        }
        tell(call, CacheOutcome.MISS);
        try {
            ModelStream stream = chain.proceed(call);
            return use.writes() ? new WatchedStream(stream, new Keeper(call, key, purgesBefore)) : stream;
        } catch (CallException e) {
            return chain.replay(call, oldInsteadOf(e, stillThere(key, found, purgesBefore), call));
        }
    }

    private Shelved stillThere(CacheKey key, Shelved found, long purgesBefore) {
        return shelf.unlessPurged(key, found, purgesBefore);
    }

    private CacheUse useOf(Call call) {
        return CacheUse.of(call.options().cacheMode().orElse(policy.mode()), call.request());
    }

    private CacheKey keyOf(Call call) {
        return CanonicalRequest.of(call.request()).key(call.options(), policy.family(), policy.tags());
    }

    private ModelResponse oldInsteadOf(CallException failure, Shelved found, Call call) {
        ModelResponse old = found.standInFor(failure).orElseThrow(() -> failure);
        tell(call, CacheOutcome.STALE);
        return old;
    }

    /** Keeps what was gathered from a stream that came to its good end. */
    private final class Keeper implements WatchedStream.Watcher {
        private final Call call;
        private final CacheKey key;
        private final long purgesBefore;

        Keeper(Call call, CacheKey key, long purgesBefore) {
            this.call = call;
            this.key = key;
            this.purgesBefore = purgesBefore;
        }

        @Override
        public void completed(ModelResponse response) {
            shelf.keep(key, call.request(), response, purgesBefore);
        }

        @Override
        public void failed(CallException failure) {
            // half an answer is no answer
        }

        @Override
        public void closed() {
            // nor is one that nobody wanted to its end
        }
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
        Optional<ModelResponse> landed = shelf.find(key).replayFor(call.id());
        if (landed.isPresent()) {
            tell(call, CacheOutcome.HIT);
            return landed.get();
        }
        return ask(call, chain, key, use);
    }

    private ModelResponse ask(Call call, CallChain chain, CacheKey key, CacheUse use) {
        tell(call, CacheOutcome.MISS);
        long purgesBefore = shelf.purges();
        ModelResponse response = chain.proceed(call);
        if (use.writes()) {
            shelf.keep(key, call.request(), response, purgesBefore);
        }
        return response;
    }

    private void tell(Call call, CacheOutcome outcome) {
        counters.count(outcome);
        call.events().accept(new CacheConsulted(timekeeper.now(), call.id(), outcome));
    }

    @Override
    public String toString() {
        return "ResponseCaching[" + policy + ", " + shelf + "]";
    }
}
