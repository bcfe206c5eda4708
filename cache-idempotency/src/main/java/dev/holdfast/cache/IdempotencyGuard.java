package dev.holdfast.cache;

import dev.holdfast.Attempt;
import dev.holdfast.CallEvent.CallFinished;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.Failure;
import dev.holdfast.ModelResponse;
import dev.holdfast.ModelStream;
import dev.holdfast.cache.IdempotencyPolicy.WhenUnknown;
import dev.holdfast.cache.internal.idempotency.Execution;
import dev.holdfast.cache.internal.idempotency.KeyGate;
import dev.holdfast.cache.internal.idempotency.KeyGate.Execute;
import dev.holdfast.cache.internal.idempotency.KeyGate.Replay;
import dev.holdfast.cache.internal.idempotency.KeyGate.Unguarded;
import dev.holdfast.cache.internal.idempotency.RepeatWarning;
import dev.holdfast.cache.internal.key.KeyDigest;
import dev.holdfast.cache.internal.response.WatchedStream;
import dev.holdfast.spi.IdempotencyStore;
import dev.holdfast.spi.IdempotencyStore.GivenAnswer;
import dev.holdfast.spi.Interceptor;
import dev.holdfast.spi.Timekeeper;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Executes calls with the same idempotency key once: the first is made, the others get its answer.
 *
 * <pre>{@code
 * var guard = IdempotencyGuard.of(new CaffeineIdempotencyStore(100_000), IdempotencyPolicy.defaults());
 * var client = ResilientClient.builder().endpoint(endpoint).interceptor(guard).build();
 * client.call(request, CallOptions.none().withIdempotencyKey("order-17"));
 * }</pre>
 *
 * <p><b>Which calls.</b> Those with a key of their caller's ({@link CallOptions#idempotencyKey()}); others pass by. Keys live
 * in their scope: the call's tenant, and its own credential where it has one. A key belongs to one request, by its
 * {@link CanonicalRequest#fingerprint()}.
 *
 * <p><b>What a call is told.</b> An answer given before says {@link ModelResponse#fromCache()} and costs nothing. Another
 * request under the key is refused with kind {@code idempotency_conflict} (a server of ours answers 422). While the key is
 * being executed, a call waits or is refused with {@code idempotency_in_flight} (409), as the policy says.
 *
 * <p><b>How an execution ends.</b> With a response, the key is completed. With a failure that the provider cannot have charged
 * for, the key is free again. Otherwise no one knows, and it stays {@code idempotency_unknown} until it is forgotten, unless the
 * policy repeats it.
 *
 * <p><b>A store that fails</b> is warned of, once and then at most every 10 seconds; calls go on without it or are refused, as
 * the policy says. It never turns a good answer into an error.
 *
 * <p>Stand it before a {@link ResponseCaching}: a stored answer must not hide that a key was used for two requests. Safe for use
 * by many threads; several clients that share a store share its keys.
 */
public final class IdempotencyGuard implements Interceptor {
    private final IdempotencyPolicy policy;
    private final KeyGate gate;

    private IdempotencyGuard(IdempotencyPolicy policy, KeyGate gate) {
        this.policy = policy;
        this.gate = gate;
    }

    /**
     * {@return a guard on the machine's own time}
     *
     * @param store remembers keys
     * @param policy how calls are treated
     */
    public static IdempotencyGuard of(IdempotencyStore store, IdempotencyPolicy policy) {
        return of(store, policy, Timekeeper.system());
    }

    /**
     * {@return a guard}
     *
     * @param store remembers keys
     * @param policy how calls are treated
     * @param timekeeper where time comes from
     */
    public static IdempotencyGuard of(IdempotencyStore store, IdempotencyPolicy policy, Timekeeper timekeeper) {
        return new IdempotencyGuard(policy, new KeyGate(store, policy, timekeeper));
    }

    /**
     * Warns, once for each client, where {@link IdempotencyPolicy.WhenUnknown#REPEAT} may be paid for twice: an endpoint does not
     * {@linkplain dev.holdfast.Endpoint#honoursIdempotencyKey() honour} keys, or calls may try another endpoint or account first than the
     * call before.
     */
    @Override
    public void join(Setting setting) {
        if (policy.whenUnknown() == WhenUnknown.REPEAT) {
            RepeatWarning.of(setting).ifPresent(RepeatWarning::give);
        }
    }

    @Override
    public ModelResponse aroundCall(Call call, CallChain chain) {
        Optional<IdempotencyStore.Key> key = keyOf(call);
        if (key.isEmpty()) {
            return chain.proceed(call);
        }
        return switch (gate.enter(call, key.get(), fingerprint(call))) {
            case Replay(GivenAnswer given) -> replay(given, call, key.get());
            case Unguarded() -> chain.proceed(call);
            case Execute(Execution execution) -> execute(call, chain, execution);
        };
    }

    @Override
    public ModelStream aroundStream(Call call, StreamChain chain) {
        Optional<IdempotencyStore.Key> key = keyOf(call);
        if (key.isEmpty()) {
            return chain.proceed(call);
        }
        return switch (gate.enter(call, key.get(), fingerprint(call))) {
            case Replay(GivenAnswer given) -> chain.replay(call, replay(given, call, key.get()));
            case Unguarded() -> chain.proceed(call);
            case Execute(Execution execution) -> {
                ModelStream stream = orEnd(execution, () -> chain.proceed(hearing(call, execution)));
                yield new WatchedStream(stream, new Ending(execution));
            }
        };
    }

    private static ModelResponse execute(Call call, CallChain chain, Execution execution) {
        ModelResponse response = orEnd(execution, () -> chain.proceed(call));
        end(execution, response);
        return response;
    }

    private static <T> T orEnd(Execution execution, Supplier<T> going) {
        try {
            return going.get();
        } catch (CallException e) {
            end(execution, e);
            throw e;
        } catch (RuntimeException | Error e) {
            execution.inDoubt();
            throw e;
        }
    }

    /** A stream that nobody reads ends by itself some time, and its consumer is not told: its call is. */
    private static Call hearing(Call call, Execution execution) {
        return new Call(
                call.id(),
                call.request(),
                call.options(),
                call.startedNanos(),
                call.deadlineNanos(),
                call.patience(),
                event -> {
                    call.events().accept(event);
                    if (event instanceof CallFinished finished
                            && finished.failure().isPresent()) {
                        execution.inDoubt();
                    }
                });
    }

    /** How an execution ends whose answer is streamed. */
    private record Ending(Execution execution) implements WatchedStream.Watcher {
        @Override
        public void completed(ModelResponse response) {
            end(execution, response);
        }

        @Override
        public void failed(CallException failure) {
            end(execution, failure);
        }

        @Override
        public void closed() {
            execution.inDoubt();
        }
    }

    private static void end(Execution execution, ModelResponse response) {
        if (response.degraded()) {
            end(execution, response.attempts().stream().anyMatch(IdempotencyGuard::mayHaveBeenBilled));
        } else {
            execution.answered(new GivenAnswer(response.answer(), response.servedBy(), response.adjusted()));
        }
    }

    private static void end(Execution execution, CallException failure) {
        end(execution, failure.mayHaveBeenBilled() || failure.failure().mayHaveBeenBilled());
    }

    private static void end(Execution execution, boolean inDoubt) {
        if (inDoubt) {
            execution.inDoubt();
        } else {
            execution.notExecuted();
        }
    }

    private static boolean mayHaveBeenBilled(Attempt attempt) {
        return attempt.failure().filter(Failure::mayHaveBeenBilled).isPresent();
    }

    private static ModelResponse replay(GivenAnswer given, Call call, IdempotencyStore.Key key) {
        return new ModelResponse(
                given.answer(),
                given.servedBy(),
                List.of(),
                Optional.of(Cost.ZERO),
                true,
                false,
                Optional.of(key.value()),
                call.id(),
                Optional.empty(),
                given.adjusted());
    }

    private static Optional<IdempotencyStore.Key> keyOf(Call call) {
        return call.options().idempotencyKey().map(value -> new IdempotencyStore.Key(scope(call.options()), value));
    }

    private static String fingerprint(Call call) {
        return CanonicalRequest.of(call.request()).fingerprint();
    }

    /** Two users behind one tenant who bring their own keys do not see each other's answers. */
    private static String scope(CallOptions options) {
        String tenant = options.tenant().orElse("");
        return options.credential()
                .map(credential -> tenant + "\u0000" + KeyDigest.owner(credential))
                .orElse(tenant);
    }

    @Override
    public String toString() {
        return "IdempotencyGuard[" + gate + "]";
    }
}
