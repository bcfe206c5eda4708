package dev.holdfast;

/** The shape of a request's document, which decides what its members mean. */
public enum Form {
    /** OpenAI chat completions, and the many servers that speak them. */
    OPENAI_CHAT,
    /** Anthropic Messages. */
    ANTHROPIC_MESSAGES,
    /** Gemini {@code generateContent}. */
    GEMINI_CONTENT,
    /** Anything else under a path of its own (embeddings, Responses): sent untranslated, never to another dialect. */
    OPAQUE
}
