package dev.holdfast.core.internal.call;

import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.Secret;
import dev.holdfast.Target;
import dev.holdfast.core.ModelSettings;
import java.time.Duration;
import java.util.Optional;

/**
 * Somewhere an attempt can go: a model on an endpoint with one of its credentials.
 *
 * @param target the model on the endpoint
 * @param endpoint the endpoint
 * @param credential the key; empty where the endpoint has none
 * @param model what is known of the model
 * @param refreshable whether its key comes from a source that can issue another
 * @param pace how soon its model answers, to be compared with other candidates of the call; empty where that is not known
 */
record Candidate(
        Target target,
        Endpoint endpoint,
        Optional<Credential> credential,
        ModelSettings model,
        boolean refreshable,
        Optional<Duration> pace) {
    Candidate(
            Target target,
            Endpoint endpoint,
            Optional<Credential> credential,
            ModelSettings model,
            boolean refreshable) {
        this(target, endpoint, credential, model, refreshable, Optional.empty());
    }

    /**
     * Whom the provider's limits and quotas are counted for.
     *
     * @param target the model on the endpoint
     * @param key the key; empty where there is none
     */
    record Account(Target target, Optional<Secret> key) {
        @Override
        public String toString() {
            return target.toString();
        }
    }

    Account account() {
        return new Account(target, credential.map(Credential::secret));
    }

    /** The account that rate limits and quotas are counted for: the same for all models of a family. */
    Account pool() {
        return model.family()
                .map(family -> new Account(new Target(family, target.endpoint()), credential.map(Credential::secret)))
                .orElseGet(this::account);
    }

    boolean sharesKeyWith(Candidate other) {
        return credential.isPresent()
                && other.credential.isPresent()
                && credential.get().secret().equals(other.credential.get().secret());
    }

    /** Whether its model answers sooner than that of the other; false where that is not known. */
    boolean isFasterThan(Candidate other) {
        return pace.isPresent() && other.pace.isPresent() && pace.get().compareTo(other.pace.get()) < 0;
    }

    String upstreamModel() {
        return model.upstreamName().orElse(target.model());
    }
}
