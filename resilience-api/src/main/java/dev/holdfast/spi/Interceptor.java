package dev.holdfast.spi;

import dev.holdfast.AttemptReason;
import dev.holdfast.CallEvent;
import dev.holdfast.CallOptions;
import dev.holdfast.Endpoint;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.ModelStream;
import dev.holdfast.Target;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Stands around every call and around every attempt. A cache answers without going on; a tracer adds a header.
 *
 * <p>Called by the thread of the call; {@link #aroundAttempt} of a call that may be hedged by threads of their own, perhaps for two
 * attempts of the call at once. Each method goes on by its chain at most once, or answers by itself. Interceptors are
 * nested in the order the builder was given them, the first outermost. What they throw ends the call.
 */
public interface Interceptor {
    /**
     * Hears which client it is to stand in. Called once for each client that is built with it, before any call.
     *
     * @param setting what the client is made of
     * @throws IllegalArgumentException if it cannot keep its promises there; the client is then not built
     */
    default void join(Setting setting) {}

    /**
     * Stands around a call.
     *
     * @param call the call
     * @param chain goes on
     * @return the response
     */
    default ModelResponse aroundCall(Call call, CallChain chain) {
        return chain.proceed(call);
    }

    /**
     * Stands around a streamed call, until the stream is there.
     *
     * @param call the call
     * @param chain goes on
     * @return the stream
     */
    default ModelStream aroundStream(Call call, StreamChain chain) {
        return chain.proceed(call);
    }

    /**
     * Stands around an attempt. May add headers; what it changes in method, URI or body breaks the promise that attempts
     * are identical.
     *
     * @param attempt the attempt
     * @param chain goes on
     * @return the reply
     * @throws TransportException if no reply came
     * @throws InterruptedException if the thread was interrupted
     */
    default TransportReply aroundAttempt(AttemptCall attempt, AttemptChain chain)
            throws TransportException, InterruptedException {
        return chain.proceed(attempt);
    }

    /**
     * What a client is made of, as far as it may matter to those who stand around its calls.
     *
     * @param endpoints its endpoints, in the order they were given; at least one
     */
    record Setting(List<Endpoint> endpoints) {
        /** Copies the list. */
        public Setting {
            endpoints = List.copyOf(endpoints);
        }
    }

    /**
     * A call on its way.
     *
     * @param id its id
     * @param request the request
     * @param options the options, the client's defaults included
     * @param startedNanos when it began, on the timekeeper's {@code nanoTime}
     * @param deadlineNanos its deadline, on the timekeeper's {@code nanoTime}: nothing is sent after it
     * @param patience until when a wait is worth it, asked anew before each: never later than the deadline, and the deadline
     *     itself for a call that one caller waits for. A call made for several callers has the deadline of the most patient
     *     of those who wait now
     * @param events takes what an interceptor has to tell: every listener of the client and of the call hears it, and what one
     *     throws is logged
     */
    record Call(
            String id,
            ModelRequest request,
            CallOptions options,
            long startedNanos,
            long deadlineNanos,
            LongSupplier patience,
            Consumer<? super CallEvent> events) {
        /**
         * A call that one caller waits for.
         *
         * @param id its id
         * @param request the request
         * @param options the options, the client's defaults included
         * @param startedNanos when it began, on the timekeeper's {@code nanoTime}
         * @param deadlineNanos its deadline, on the timekeeper's {@code nanoTime}
         * @param events takes what an interceptor has to tell
         */
        public Call(
                String id,
                ModelRequest request,
                CallOptions options,
                long startedNanos,
                long deadlineNanos,
                Consumer<? super CallEvent> events) {
            this(id, request, options, startedNanos, deadlineNanos, () -> deadlineNanos, events);
        }

        /** {@return until when a wait is worth it, as of now} */
        public long patienceNanos() {
            return patience.getAsLong();
        }

        /**
         * {@return this call with another request}
         *
         * @param changed the request
         */
        public Call withRequest(ModelRequest changed) {
            return new Call(id, changed, options, startedNanos, deadlineNanos, patience, events);
        }
    }

    /**
     * An attempt about to be sent.
     *
     * @param call the call it belongs to
     * @param number its number, from 1
     * @param reason why it is made
     * @param target where it goes
     * @param endpoint the endpoint of the target
     * @param wire the request as it will be sent
     */
    record AttemptCall(
            Call call, int number, AttemptReason reason, Target target, Endpoint endpoint, TransportCall wire) {
        /**
         * {@return this attempt with a header set}
         *
         * @param name the field's name
         * @param value its only value
         */
        public AttemptCall withHeader(String name, String value) {
            return new AttemptCall(call, number, reason, target, endpoint, wire.withHeader(name, value));
        }
    }

    /** The rest of the way of a call. */
    @FunctionalInterface
    interface CallChain {
        /**
         * Goes on.
         *
         * @param call the call
         * @return the response
         */
        ModelResponse proceed(Call call);
    }

    /** The rest of the way of a streamed call. */
    @FunctionalInterface
    interface StreamChain {
        /**
         * Goes on.
         *
         * @param call the call
         * @return the stream
         */
        ModelStream proceed(Call call);

        /**
         * Answers without going on, with a response that is there as a whole, or after going on has thrown.
         *
         * @param call the call
         * @param response the response to it
         * @return a stream that brings the parts of the response, and the response itself in the end
         * @throws UnsupportedOperationException if this is not a chain that a client made
         */
        default ModelStream replay(Call call, ModelResponse response) {
            throw new UnsupportedOperationException("replay: not offered (expected: the chain that the client gave)");
        }
    }

    /** The rest of the way of an attempt. */
    @FunctionalInterface
    interface AttemptChain {
        /**
         * Goes on.
         *
         * @param attempt the attempt
         * @return the reply
         * @throws TransportException if no reply came
         * @throws InterruptedException if the thread was interrupted
         */
        TransportReply proceed(AttemptCall attempt) throws TransportException, InterruptedException;
    }
}
