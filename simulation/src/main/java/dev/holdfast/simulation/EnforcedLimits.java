package dev.holdfast.simulation;

import dev.holdfast.Bytes;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.JsonTextException;
import dev.holdfast.simulation.Reply.RetryAfterForm;
import dev.holdfast.simulation.internal.provider.Durations;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;

/**
 * A provider that enforces its limits: within any minute no more requests and no more tokens than it says, whoever asks.
 * What is within them gets the answer of another {@link Weather}; what is beyond is refused with 429, the time until it would be
 * within, and headers in OpenAI's form. Refusals do not count.
 *
 * <p>A request takes a token for every four characters of its messages and its cap on output, 256 without one; when it is
 * answered the usage in the answer takes the place of that.
 */
public final class EnforcedLimits implements Weather {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    private static final long CHARACTERS_PER_TOKEN = 4;
    private static final long DEFAULT_OUTPUT = 256;

    private final long rpm;
    private final long tpm;
    private final Weather within;
    private final Deque<Granted> window = new ArrayDeque<>();
    private final List<Granted> unanswered = new ArrayList<>();
    private long tokens;
    private int granted;
    private int refused;

    /**
     * Creates a provider of which nothing is used yet.
     *
     * @param rpm requests within any minute
     * @param tpm tokens within any minute
     * @param within answers what is within the limits
     */
    public EnforcedLimits(long rpm, long tpm, Weather within) {
        if (rpm < 1 || tpm < 1) {
            throw new IllegalArgumentException("rpm, tpm: " + rpm + ", " + tpm + " (expected: both >= 1)");
        }
        this.rpm = rpm;
        this.tpm = tpm;
        this.within = within;
    }

    /** One request that was let in. */
    private static final class Granted {
        private final long atNanos;
        private final long answeredNanos;
        private final OptionalLong usage;
        private long tokens;
        private boolean passed;

        Granted(long atNanos, long answeredNanos, OptionalLong usage, long tokens) {
            this.atNanos = atNanos;
            this.answeredNanos = answeredNanos;
            this.usage = usage;
            this.tokens = tokens;
        }
    }

    @Override
    public synchronized Reply reply(ProviderRequest request, Duration at) {
        long now = at.toNanos();
        pass(now);
        long wanted = tokensOf(request);
        if (window.size() >= rpm || tokens > tpm - wanted) {
            refused++;
            Reply refusal = Reply.status(429);
            Duration free = freeIn(wanted, now);
            return withHeaders(wanted > tpm ? refusal : refusal.withRetryAfter(free, RetryAfterForm.MILLISECONDS), now);
        }
        Reply reply = within.reply(request, at);
        var grant = new Granted(now, now + reply.delay().toNanos(), usageOf(reply), wanted);
        window.add(grant);
        unanswered.add(grant);
        tokens += wanted;
        granted++;
        return withHeaders(reply, now);
    }

    /** {@return how many requests were let in} */
    public synchronized int granted() {
        return granted;
    }

    /** {@return how many requests were refused with 429} */
    public synchronized int refused() {
        return refused;
    }

    private void pass(long now) {
        for (Iterator<Granted> grants = unanswered.iterator(); grants.hasNext(); ) {
            Granted grant = grants.next();
            if (now - grant.answeredNanos >= 0) {
                grants.remove();
                correct(grant);
            }
        }
        while (!window.isEmpty() && now - window.getFirst().atNanos >= MINUTE) {
            Granted oldest = window.removeFirst();
            oldest.passed = true;
            tokens -= oldest.tokens;
        }
    }

    private void correct(Granted grant) {
        if (!grant.passed && grant.usage.isPresent()) {
            tokens += grant.usage.getAsLong() - grant.tokens;
            grant.tokens = grant.usage.getAsLong();
        }
    }

    private Duration freeIn(long wanted, long now) {
        long surplusRequests = window.size() + 1 - rpm;
        long surplusTokens = tokens + wanted - tpm;
        for (Granted grant : window) {
            surplusRequests--;
            surplusTokens -= grant.tokens;
            if (surplusRequests <= 0 && surplusTokens <= 0) {
                return Duration.ofNanos(grant.atNanos + MINUTE - now);
            }
        }
        return Duration.ofNanos(MINUTE);
    }

    private Reply withHeaders(Reply reply, long now) {
        long full = window.isEmpty() ? 0 : window.getLast().atNanos + MINUTE - now;
        String reset = Durations.goText(Duration.ofNanos(full));
        return reply.withHeader("x-ratelimit-limit-requests", Long.toString(rpm))
                .withHeader("x-ratelimit-remaining-requests", Long.toString(Math.max(0, rpm - window.size())))
                .withHeader("x-ratelimit-reset-requests", reset)
                .withHeader("x-ratelimit-limit-tokens", Long.toString(tpm))
                .withHeader("x-ratelimit-remaining-tokens", Long.toString(Math.max(0, tpm - tokens)))
                .withHeader("x-ratelimit-reset-tokens", reset);
    }

    private static long tokensOf(ProviderRequest request) {
        JsonObject document = request.json().orElse(JsonObject.empty());
        long characters = document.list("messages").stream()
                .mapToLong(EnforcedLimits::characters)
                .sum();
        long output = document.longValue("max_completion_tokens")
                .orElse(document.longValue("max_tokens").orElse(DEFAULT_OUTPUT));
        return (characters + CHARACTERS_PER_TOKEN - 1) / CHARACTERS_PER_TOKEN + output;
    }

    private static long characters(JsonValue value) {
        return switch (value) {
            case JsonString(String text) -> text.length();
            case JsonArray(var elements) ->
                elements.stream().mapToLong(EnforcedLimits::characters).sum();
            case JsonObject(var members) ->
                members.entrySet().stream()
                        .filter(member -> !member.getKey().equals("role"))
                        .mapToLong(member -> characters(member.getValue()))
                        .sum();
            default -> 0;
        };
    }

    private static OptionalLong usageOf(Reply reply) {
        var body = new ByteArrayOutputStream();
        reply.chunks().forEach(chunk -> body.writeBytes(chunk.bytes().toByteArray()));
        try {
            return JsonText.parse(Bytes.of(body.toByteArray()))
                    .asObject()
                    .flatMap(document -> document.get("usage"))
                    .flatMap(JsonValue::asObject)
                    .map(usage ->
                            OptionalLong.of(usage.longValue("prompt_tokens").orElse(0)
                                    + usage.longValue("completion_tokens").orElse(0)))
                    .orElse(OptionalLong.empty());
        } catch (JsonTextException e) {
            return OptionalLong.empty();
        }
    }
}
