package dev.holdfast;

import java.util.Optional;

/**
 * The end of one call of a batch.
 *
 * @param <I> the type of the ids that the batch was given
 */
public sealed interface CallResult<I> {
    /** {@return the id the batch gave this call} */
    I id();

    /** {@return the response; empty if the call failed} */
    Optional<ModelResponse> response();

    /** {@return the error; empty if the call succeeded} */
    Optional<CallException> error();

    /**
     * The call was answered.
     *
     * @param <I> the type of the id
     * @param id the id the batch gave this call
     * @param value the response
     */
    record Succeeded<I>(I id, ModelResponse value) implements CallResult<I> {
        @Override
        public Optional<ModelResponse> response() {
            return Optional.of(value);
        }

        @Override
        public Optional<CallException> error() {
            return Optional.empty();
        }
    }

    /**
     * The call failed.
     *
     * @param <I> the type of the id
     * @param id the id the batch gave this call
     * @param cause the error
     */
    record Failed<I>(I id, CallException cause) implements CallResult<I> {
        @Override
        public Optional<ModelResponse> response() {
            return Optional.empty();
        }

        @Override
        public Optional<CallException> error() {
            return Optional.of(cause);
        }
    }
}
