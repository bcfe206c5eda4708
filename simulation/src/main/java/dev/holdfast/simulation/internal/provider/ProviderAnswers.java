package dev.holdfast.simulation.internal.provider;

import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;

/** The documents of a healthy provider, in the form that the path of the request asks for. */
public final class ProviderAnswers {
    private ProviderAnswers() {}

    /** What a provider without faults answers. */
    public static Reply healthy(ProviderRequest request) {
        String path = path(request);
        if (path.endsWith("/messages")) {
            return AnthropicAnswers.healthy(request);
        }
        return GeminiAnswers.isOne(path) ? GeminiAnswers.healthy(request) : OpenAiAnswers.healthy(request);
    }

    /** A good answer in the form the request asks for. */
    public static Reply answer(ProviderRequest request, String text) {
        String path = path(request);
        if (path.endsWith("/messages")) {
            return AnthropicAnswers.answer(request, text);
        }
        return GeminiAnswers.isOne(path) ? GeminiAnswers.answer(request, text) : OpenAiAnswers.answer(request, text);
    }

    private static String path(ProviderRequest request) {
        int question = request.path().indexOf('?');
        return question < 0 ? request.path() : request.path().substring(0, question);
    }
}
