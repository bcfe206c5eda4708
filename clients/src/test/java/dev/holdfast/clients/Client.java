package dev.holdfast.clients;

import java.net.URI;
import java.util.function.Function;

/** The clients of Java. */
enum Client {
    OPENAI(OpenAiTalker::new),
    ANTHROPIC(AnthropicTalker::new),
    LANGCHAIN(LangChainTalker::new);

    private final Function<URI, Talker> open;

    Client(Function<URI, Talker> open) {
        this.open = open;
    }

    Talker open(URI server) {
        return open.apply(server);
    }
}
