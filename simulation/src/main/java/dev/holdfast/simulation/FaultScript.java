package dev.holdfast.simulation;

import dev.holdfast.simulation.internal.provider.ProviderAnswers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What a provider answers to which request. Immutable; the answer depends on the request and its number only, so a real
 * server and its twin in virtual time play the same script alike.
 *
 * <pre>{@code
 * FaultScript.of(Reply.status(503)).then(2, Reply.rateLimited(Duration.ofSeconds(1)))
 * }</pre>
 *
 * <p>answers 503, then 429 twice, and from then on as a healthy provider does ({@link #healthy()}).
 */
public final class FaultScript {
    private static final FaultScript HEALTHY = new FaultScript(List.of(), ProviderAnswers::healthy);

    private final List<Step> steps;
    private final Function<ProviderRequest, Reply> afterwards;

    /** A reply for the requests up to and including the one of that number. */
    private record Step(int last, Reply reply) {}

    private FaultScript(List<Step> steps, Function<ProviderRequest, Reply> afterwards) {
        this.steps = List.copyOf(steps);
        this.afterwards = afterwards;
    }

    /**
     * {@return a provider without faults: it echoes the last user message, as JSON or as a stream, in the form that the path
     * asks for: OpenAI's chat completions, Anthropic's {@code /messages}, Gemini's {@code :generateContent} and
     * {@code :streamGenerateContent}; the list of models; 404 for other paths, 405 and 400 for what is no such request}
     */
    public static FaultScript healthy() {
        return HEALTHY;
    }

    /**
     * {@return these replies, one request each, and {@link #healthy()} afterwards}
     *
     * @param inOrder the replies
     */
    public static FaultScript of(Reply... inOrder) {
        return of(List.of(inOrder));
    }

    /**
     * {@return these replies, one request each, and {@link #healthy()} afterwards}
     *
     * @param inOrder the replies
     */
    public static FaultScript of(List<Reply> inOrder) {
        FaultScript script = HEALTHY;
        for (Reply reply : inOrder) {
            script = script.then(reply);
        }
        return script;
    }

    /**
     * {@return the same reply to every request}
     *
     * @param reply the reply
     */
    public static FaultScript always(Reply reply) {
        return answering(request -> reply);
    }

    /**
     * {@return replies that a function finds}
     *
     * @param answer gives the reply to a request; called by many threads at once
     */
    public static FaultScript answering(Function<ProviderRequest, Reply> answer) {
        return new FaultScript(List.of(), answer);
    }

    /**
     * {@return what real providers answered: to each request the answer that was recorded for the same one, in turns where there are
     * several; 404 where there is none}
     *
     * @param exchanges the recordings
     */
    public static FaultScript recorded(List<RecordedExchange> exchanges) {
        List<RecordedExchange> all = List.copyOf(exchanges);
        return answering(request -> {
            List<RecordedExchange> fitting =
                    all.stream().filter(one -> one.answers(request)).toList();
            return fitting.isEmpty()
                    ? Reply.error(404, "invalid_request_error", "no_recording", "No such request was recorded.")
                    : fitting.get((request.number() - 1) % fitting.size()).reply();
        });
    }

    /**
     * {@return this script with one more reply behind those in order}
     *
     * @param reply the reply to one request
     */
    public FaultScript then(Reply reply) {
        return then(1, reply);
    }

    /**
     * {@return this script with one more reply behind those in order}
     *
     * @param times to how many requests in a row
     * @param reply the reply to each of them
     */
    public FaultScript then(int times, Reply reply) {
        if (times < 1) {
            throw new IllegalArgumentException("times: " + times + " (expected: >= 1)");
        }
        int before = steps.isEmpty() ? 0 : steps.getLast().last();
        var more = new ArrayList<>(steps);
        more.add(new Step(Math.addExact(before, times), reply));
        return new FaultScript(more, afterwards);
    }

    /**
     * {@return this script with that answer to every request behind those in order}
     *
     * @param reply the reply
     */
    public FaultScript thenAlways(Reply reply) {
        return thenAnswering(request -> reply);
    }

    /**
     * {@return this script with that function for every request behind those in order}
     *
     * @param answer gives the reply to a request; called by many threads at once
     */
    public FaultScript thenAnswering(Function<ProviderRequest, Reply> answer) {
        return new FaultScript(steps, answer);
    }

    /**
     * {@return the reply to a request}
     *
     * @param request the request, with its number
     */
    public Reply reply(ProviderRequest request) {
        for (Step step : steps) {
            if (request.number() <= step.last()) {
                return step.reply();
            }
        }
        return afterwards.apply(request);
    }
}
