package dev.holdfast.simulation.internal.provider;

import dev.holdfast.Bytes;
import dev.holdfast.simulation.Ending;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Decides whether the work of a request is done, or was done before under the same idempotency key. A key whose work was not done is
 * free again.
 */
final class KeptAnswers {
    private static final String HEADER = "Idempotency-Key";

    private final boolean honoursKeys;
    private final ConcurrentHashMap<String, Kept> byKey = new ConcurrentHashMap<>();

    record Answer(Reply reply, boolean executed) {}

    private record Kept(int number, Bytes body, CompletableFuture<Optional<Reply>> reply) {}

    KeptAnswers(boolean honoursKeys) {
        this.honoursKeys = honoursKeys;
    }

    static Optional<String> key(ProviderRequest request) {
        return request.headers().first(HEADER);
    }

    Answer answer(ProviderRequest request, Function<ProviderRequest, Reply> script) {
        String key = key(request).orElse("");
        return honoursKeys && !key.isEmpty() ? once(key, request, script) : executed(script.apply(request));
    }

    private Answer once(String key, ProviderRequest request, Function<ProviderRequest, Reply> script) {
        var mine = new Kept(request.number(), request.body(), new CompletableFuture<>());
        while (true) {
            Kept first = byKey.putIfAbsent(key, mine);
            if (first == null) {
                return first(key, mine, script.apply(request));
            }
            if (!first.body().equals(request.body())) {
                return new Answer(
                        Reply.error(
                                422,
                                "invalid_request_error",
                                "idempotency_key_in_use",
                                "This idempotency key was used with another body."),
                        false);
            }
            Optional<Reply> before = first.reply().join();
            if (before.isPresent()) {
                return new Answer(before.get(), false);
            }
        }
    }

    private Answer first(String key, Kept mine, Reply reply) {
        Answer answer = executed(reply);
        if (answer.executed()) {
            mine.reply().complete(Optional.of(again(reply)));
        } else {
            byKey.remove(key, mine);
            mine.reply().complete(Optional.empty());
        }
        return answer;
    }

    /** What was decided, without what went wrong on its way. */
    private static Reply again(Reply reply) {
        return reply.withDelay(Duration.ZERO).withEnding(new Ending(Ending.Kind.COMPLETE, Integer.MAX_VALUE));
    }

    private static Answer executed(Reply reply) {
        boolean good = reply.status() >= 200 && reply.status() < 300;
        return new Answer(reply, good && !reply.ending().isRefusal());
    }

    void forget(ProviderRequest request) {
        key(request)
                .ifPresent(key ->
                        byKey.computeIfPresent(key, (same, kept) -> kept.number() == request.number() ? null : kept));
    }
}
