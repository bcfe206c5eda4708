package dev.holdfast.core.internal.call;

import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.Secret;
import dev.holdfast.core.internal.failure.FailureClassifier;
import dev.holdfast.core.internal.failure.Quoted;
import dev.holdfast.core.internal.failure.Redactor;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Classifiers that know which keys to keep out of errors: those of the endpoints, and one that came with a call. */
final class Classifiers {
    private static final int SHORTEST_KEY = 16;

    private final Set<Secret> known = new LinkedHashSet<>();
    private final Redactor ofEndpoints;

    Classifiers(List<Endpoint> endpoints) {
        endpoints.forEach(endpoint ->
                endpoint.credentials().stream().map(Credential::secret).forEach(known::add));
        endpoints.forEach(endpoint -> endpoint.headers().fields().forEach(field -> learn(field.getValue())));
        this.ofEndpoints = Redactor.of(known);
    }

    /** A header of an endpoint may be a key as well; what is as long as one is kept out like one. */
    private void learn(String headerValue) {
        for (String word : headerValue.split(" ", -1)) {
            if (word.length() >= SHORTEST_KEY) {
                known.add(Secret.of(word));
            }
        }
    }

    /**
     * A classifier for one call.
     *
     * @param key the key that was sent
     * @param request what its request says, which errors may quote
     */
    FailureClassifier knowing(Optional<Credential> key, Supplier<Quoted> request) {
        if (key.isEmpty() || known.contains(key.get().secret())) {
            return new FailureClassifier(ofEndpoints.hiding(request));
        }
        var all = new LinkedHashSet<>(known);
        all.add(key.get().secret());
        return new FailureClassifier(Redactor.of(all).hiding(request));
    }
}
