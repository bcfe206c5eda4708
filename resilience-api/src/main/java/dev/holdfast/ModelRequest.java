package dev.holdfast;

import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is asked of a model: a document in a {@link Form}, kept as it was given. Holdfast adds nothing to it that the user
 * did not set. {@code toString} names form and model, never the content.
 */
public final class ModelRequest {
    private final Form form;
    private final String model;
    private final String path;
    private final JsonObject document;
    /** Whether a stream is asked for, in the form whose documents cannot say so. */
    private final boolean streamed;

    private ModelRequest(Form form, String model, String path, JsonObject document) {
        this(form, model, path, document, false);
    }

    private ModelRequest(Form form, String model, String path, JsonObject document, boolean streamed) {
        Checks.notBlank("model", model);
        this.form = form;
        this.model = model;
        this.path = path;
        this.document = document;
        this.streamed = streamed;
    }

    /**
     * {@return a builder of a chat request in OpenAI's form, which is translated for endpoints that speak another}
     *
     * @param model the model to ask, as the route names it
     */
    public static Builder chat(String model) {
        return new Builder(model);
    }

    /**
     * {@return a request whose document names its model}
     *
     * @param form {@link Form#OPENAI_CHAT} or {@link Form#ANTHROPIC_MESSAGES}
     * @param document the document; its member {@code model} is a string
     * @throws IllegalArgumentException if the document names no model
     */
    public static ModelRequest of(Form form, JsonObject document) {
        String model = document.text("model")
                .orElseThrow(() -> new IllegalArgumentException("/model: missing (expected: a string)"));
        return new ModelRequest(form, model, "", document);
    }

    /**
     * {@return a request whose model stands beside the document, as in Gemini's form}
     *
     * @param form the document's form, not {@link Form#OPAQUE}
     * @param model the model to ask
     * @param document the document
     */
    public static ModelRequest of(Form form, String model, JsonObject document) {
        return new ModelRequest(form, model, "", document);
    }

    /**
     * {@return a chat request in OpenAI's form}
     *
     * @param document the document, by the schema of chat completions; its member {@code model} is a string
     * @throws IllegalArgumentException if the document names no model
     */
    public static ModelRequest openAiChat(JsonObject document) {
        return of(Form.OPENAI_CHAT, document);
    }

    /**
     * {@return a request in Anthropic's form}
     *
     * @param document the document, by the schema of Messages; its member {@code model} is a string
     * @throws IllegalArgumentException if the document names no model
     */
    public static ModelRequest anthropicMessages(JsonObject document) {
        return of(Form.ANTHROPIC_MESSAGES, document);
    }

    /**
     * {@return a request in Gemini's form; it asks for a stream by {@link #withStreaming}}
     *
     * @param model the model to ask
     * @param document the document, by the schema of {@code generateContent}
     */
    public static ModelRequest geminiContent(String model, JsonObject document) {
        return of(Form.GEMINI_CONTENT, model, document);
    }

    /**
     * {@return a request that passes through untranslated}
     *
     * @param path where it goes, below the endpoint's base URL: {@code "/embeddings"}
     * @param model the model it is for: what breaker and limits count it under
     * @param document the document
     */
    public static ModelRequest opaque(String path, String model, JsonObject document) {
        Checks.notBlank("path", path);
        return new ModelRequest(Form.OPAQUE, model, path, document);
    }

    /** {@return the form of the document} */
    public Form form() {
        return form;
    }

    /** {@return the model asked for} */
    public String model() {
        return model;
    }

    /** {@return the path of an opaque request, below the endpoint's base URL; empty for the other forms} */
    public Optional<String> path() {
        return path.isEmpty() ? Optional.empty() : Optional.of(path);
    }

    /** {@return the document} */
    public JsonObject document() {
        return document;
    }

    /**
     * {@return whether a stream is asked for: by the document's member {@code stream}, in Gemini's form, whose documents cannot
     * say so, by {@link #withStreaming}}
     */
    public boolean streaming() {
        return streamed || document.get("stream").map(JsonValue::isTrue).orElse(false);
    }

    /**
     * {@return this request asking for a stream or not: in the document's member {@code stream}, in Gemini's form beside the
     * document}
     *
     * @param stream whether a stream is asked for
     */
    public ModelRequest withStreaming(boolean stream) {
        if (stream == streaming()) {
            return this;
        }
        return form == Form.GEMINI_CONTENT
                ? new ModelRequest(form, model, path, document.without("stream"), stream)
                : withDocument(document.with("stream", JsonValue.of(stream)));
    }

    /**
     * {@return the largest explicit cap on output tokens in the document ({@code max_completion_tokens},
     * {@code max_tokens}, Gemini's {@code generationConfig.maxOutputTokens}), else empty}
     */
    public OptionalLong maxOutputTokens() {
        long cap = Math.max(
                RequestParts.geminiSetting(document, "maxOutputTokens", "max_output_tokens"),
                Math.max(
                        document.longValue("max_completion_tokens").orElse(0),
                        document.longValue("max_tokens").orElse(0)));
        return cap > 0 ? OptionalLong.of(cap) : OptionalLong.empty();
    }

    /** {@return how many answers the document asks for ({@code n}, Gemini's {@code candidateCount}), at least 1} */
    public long choices() {
        return form == Form.GEMINI_CONTENT
                ? Math.max(1, RequestParts.geminiSetting(document, "candidateCount", "candidate_count"))
                : Math.max(1, document.longValue("n").orElse(1));
    }

    /**
     * {@return what the system is told, in any form: the texts of its messages, of {@code system} or of
     * {@code systemInstruction}, a line between each; empty if it is told nothing}
     */
    public Optional<String> system() {
        return RequestParts.system(form, document);
    }

    /** {@return the names of the functions the model may call, in any form and in order; tools of the provider are not among them} */
    public List<String> toolNames() {
        return RequestParts.toolNames(form, document);
    }

    /**
     * {@return this request for another model: the document's own {@code model} is changed too where it has one}
     *
     * @param other the model to ask instead
     */
    public ModelRequest withModel(String other) {
        JsonObject changed = document.get("model").isPresent() ? document.with("model", JsonValue.of(other)) : document;
        return new ModelRequest(form, other, path, changed, streamed);
    }

    /**
     * {@return this request with another document}
     *
     * @param changed the document
     */
    public ModelRequest withDocument(JsonObject changed) {
        return new ModelRequest(form, changed.text("model").orElse(model), path, changed, streamed);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ModelRequest that
                && form == that.form
                && model.equals(that.model)
                && path.equals(that.path)
                && streamed == that.streamed
                && document.equals(that.document);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * form.hashCode() + model.hashCode()) + document.hashCode();
    }

    @Override
    public String toString() {
        return "ModelRequest[" + form + ", model=" + model + (path.isEmpty() ? "" : ", path=" + path) + "]";
    }

    /** Builds a chat request in OpenAI's form. Not safe for use by several threads. */
    public static final class Builder {
        private final String model;
        private final JsonObject.Builder document = JsonObject.builder();
        private final List<JsonValue> messages = new ArrayList<>();
        private final List<JsonValue> tools = new ArrayList<>();

        private Builder(String model) {
            this.model = model;
            document.with("model", JsonValue.of(model)).with("messages", JsonArray.of());
        }

        /**
         * Adds a system message.
         *
         * @param text what the model is told
         * @return this builder
         */
        public Builder system(String text) {
            return message("system", text);
        }

        /**
         * Adds a user message.
         *
         * @param text what the user says
         * @return this builder
         */
        public Builder user(String text) {
            return message("user", text);
        }

        /**
         * Adds an earlier answer of the model.
         *
         * @param text what the model said
         * @return this builder
         */
        public Builder assistant(String text) {
            return message("assistant", text);
        }

        /**
         * Adds a user message with an image.
         *
         * @param text what the user says
         * @param url where the image is: an address, or the image itself as a data URL in base64 (RFC 2397)
         * @return this builder
         */
        public Builder userImage(String text, String url) {
            JsonObject said = JsonObject.of("type", JsonValue.of("text")).with("text", JsonValue.of(text));
            JsonObject shown = JsonObject.of("type", JsonValue.of("image_url"))
                    .with("image_url", JsonObject.of("url", JsonValue.of(url)));
            return message(JsonObject.of("role", JsonValue.of("user")).with("content", JsonArray.of(said, shown)));
        }

        /**
         * Adds an earlier answer of the model that called tools. Each call needs its {@link #toolResult} after it.
         *
         * @param calls the calls, as {@link ModelResponse#toolCalls()} gave them
         * @return this builder
         */
        public Builder toolCalls(List<ToolCall> calls) {
            List<JsonValue> said = calls.stream()
                    .map(call -> (JsonValue) JsonObject.of("id", JsonValue.of(call.id()))
                            .with("type", JsonValue.of("function"))
                            .with(
                                    "function",
                                    JsonObject.of("name", JsonValue.of(call.name()))
                                            .with("arguments", JsonValue.of(call.arguments()))))
                    .toList();
            return message(JsonObject.of("role", JsonValue.of("assistant"))
                    .with("content", JsonValue.JsonNull.NULL)
                    .with("tool_calls", new JsonArray(said)));
        }

        /**
         * Adds what a tool answered.
         *
         * @param callId the id of the call
         * @param answer what the tool answered: text, often JSON
         * @return this builder
         */
        public Builder toolResult(String callId, String answer) {
            return message(JsonObject.of("role", JsonValue.of("tool"))
                    .with("tool_call_id", JsonValue.of(callId))
                    .with("content", JsonValue.of(answer)));
        }

        /**
         * Offers a function to the model.
         *
         * @param name its name: letters, digits, {@code _} and {@code -}
         * @param description what it does
         * @param parameters its arguments as JSON Schema of an object
         * @return this builder
         */
        public Builder tool(String name, String description, JsonObject parameters) {
            tools.add(JsonObject.of("type", JsonValue.of("function"))
                    .with(
                            "function",
                            JsonObject.of("name", JsonValue.of(name))
                                    .with("description", JsonValue.of(description))
                                    .with("parameters", parameters)));
            return with("tools", new JsonArray(tools));
        }

        /**
         * Asks for an answer that is valid by a JSON Schema.
         *
         * @param name the schema's name: letters, digits, {@code _} and {@code -}
         * @param schema the schema
         * @return this builder
         */
        public Builder jsonSchema(String name, JsonObject schema) {
            JsonObject named = JsonObject.of("name", JsonValue.of(name)).with("schema", schema);
            return with(
                    "response_format",
                    JsonObject.of("type", JsonValue.of("json_schema")).with("json_schema", named));
        }

        /**
         * Ends the answer where one of these texts would come.
         *
         * @param texts the texts
         * @return this builder
         */
        public Builder stop(String... texts) {
            List<JsonValue> all = List.of(texts).stream()
                    .map(text -> (JsonValue) JsonValue.of(text))
                    .toList();
            return with("stop", new JsonArray(all));
        }

        /**
         * Adds a message as a document: tool calls, tool results, images.
         *
         * @param message a message by OpenAI's schema
         * @return this builder
         */
        public Builder message(JsonObject message) {
            messages.add(Objects.requireNonNull(message));
            return this;
        }

        /**
         * Caps the answer.
         *
         * @param tokens the largest number of output tokens, at least 1
         * @return this builder
         */
        public Builder maxTokens(long tokens) {
            if (tokens < 1) {
                throw new IllegalArgumentException("maxTokens: " + tokens + " (expected: >= 1)");
            }
            return with("max_tokens", JsonValue.of(tokens));
        }

        /**
         * Sets the sampling temperature.
         *
         * @param temperature the temperature, finite
         * @return this builder
         */
        public Builder temperature(double temperature) {
            return with("temperature", JsonValue.of(BigDecimal.valueOf(temperature)));
        }

        /**
         * Sets any other member of the document.
         *
         * @param name the member's name
         * @param value its value
         * @return this builder
         */
        public Builder with(String name, JsonValue value) {
            document.with(name, value);
            return this;
        }

        /**
         * {@return the request}
         *
         * @throws IllegalArgumentException if there is no message
         */
        public ModelRequest build() {
            if (messages.isEmpty()) {
                throw new IllegalArgumentException("messages: none (expected: at least one, e.g. .user(\"…\"))");
            }
            return new ModelRequest(
                    Form.OPENAI_CHAT,
                    model,
                    "",
                    document.with("messages", new JsonArray(messages)).build());
        }

        private Builder message(String role, String text) {
            return message(JsonObject.builder()
                    .with("role", JsonValue.of(role))
                    .with("content", JsonValue.of(text))
                    .build());
        }
    }
}
