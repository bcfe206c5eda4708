package dev.holdfast;

import java.util.Locale;

/** Why the model stopped. */
public enum FinishReason {
    /** It was done, or met a stop sequence. */
    STOP,
    /** The cap on output tokens, or the context window, was reached: the answer is cut, and a retry would cut it again. */
    LENGTH,
    /** It asks for tools to be called. */
    TOOL_CALLS,
    /** A filter withheld the answer. */
    CONTENT_FILTER,
    /** It declined. */
    REFUSAL,
    /** Something else; the document has the vendor's own word. */
    OTHER;

    /** {@return the word in OpenAI's form: {@code "tool_calls"}} */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
