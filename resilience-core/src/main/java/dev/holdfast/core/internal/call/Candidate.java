package dev.holdfast.core.internal.call;

import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.Secret;
import dev.holdfast.Target;
import dev.holdfast.core.ModelSettings;
import java.util.Optional;

/**
 * Somewhere an attempt can go: a model on an endpoint with one of its credentials.
 *
 * @param target the model on the endpoint
 * @param endpoint the endpoint
 * @param credential the key; empty where the endpoint has none
 * @param model what is known of the model
 * @param refreshable whether its key comes from a source that can issue another
 */
record Candidate(
        Target target, Endpoint endpoint, Optional<Credential> credential, ModelSettings model, boolean refreshable) {
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

    String upstreamModel() {
        return model.upstreamName().orElse(target.model());
    }
}
