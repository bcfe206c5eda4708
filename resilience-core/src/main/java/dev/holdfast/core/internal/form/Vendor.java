package dev.holdfast.core.internal.form;

/** Who reads a document or has signed reasoning. Vendors of one form differ in what they take. */
public enum Vendor {
    /** OpenAI itself. */
    OPENAI,
    /** OpenAI's models at Microsoft. */
    AZURE,
    /** Anthropic's models, whoever serves them. */
    ANTHROPIC,
    /** Gemini, at AI Studio, Vertex or behind Google's OpenAI-compatible path. */
    GOOGLE,
    /** DeepSeek. */
    DEEPSEEK,
    /** Mistral. */
    MISTRAL,
    /** OpenRouter, which passes on what it does not know. */
    OPENROUTER,
    /** Together. */
    TOGETHER,
    /** Someone else. */
    OTHER
}
