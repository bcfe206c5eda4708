package dev.holdfast.clients;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionMessage;
import com.openai.models.chat.completions.ChatCompletionMessageFunctionToolCall;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** OpenAI's own client for Java. */
final class OpenAiTalker implements Talker {
    private final OpenAIClient client;

    OpenAiTalker(URI server) {
        this.client = OpenAIOkHttpClient.builder()
                .baseUrl(server + "/v1")
                .apiKey("sk-any-0123456789")
                .maxRetries(0)
                .timeout(Duration.ofSeconds(30))
                .build();
    }

    private static ChatCompletionCreateParams.Builder asking(String question) {
        return ChatCompletionCreateParams.builder().model(Front.MODEL).addUserMessage(question);
    }

    @Override
    public String chat(String question) {
        return text(message(asking(question)));
    }

    private ChatCompletionMessage message(ChatCompletionCreateParams.Builder asking) {
        return client.chat()
                .completions()
                .create(asking.build())
                .choices()
                .getFirst()
                .message();
    }

    private static String text(ChatCompletionMessage message) {
        return message.content().orElseThrow();
    }

    @Override
    public String stream(String question) {
        // The accumulator refuses to put together what has no finish reason.
        ChatCompletionAccumulator whole = ChatCompletionAccumulator.create();
        try (StreamResponse<ChatCompletionChunk> stream =
                client.chat().completions().createStreaming(asking(question).build())) {
            stream.stream().forEach(whole::accumulate);
        }
        return text(whole.chatCompletion().choices().getFirst().message());
    }

    @Override
    public String tool(String question) {
        ChatCompletionCreateParams.Builder asking = asking(question).addFunctionTool(tool());
        ChatCompletionMessage message = message(asking);
        ChatCompletionMessageFunctionToolCall call =
                message.toolCalls().orElseThrow().getFirst().asFunction();
        ChatCompletionToolMessageParam result = ChatCompletionToolMessageParam.builder()
                .toolCallId(call.id())
                .content(Question.of(call.function().arguments()))
                .build();
        return text(message(asking.addMessage(message).addMessage(result)));
    }

    private static FunctionDefinition tool() {
        return FunctionDefinition.builder()
                .name("answer")
                .parameters(FunctionParameters.builder()
                        .putAdditionalProperty("type", JsonValue.from("object"))
                        .putAdditionalProperty(
                                "properties", JsonValue.from(Map.of("question", Map.of("type", "string"))))
                        .putAdditionalProperty("required", JsonValue.from(List.of("question")))
                        .build())
                .build();
    }

    @Override
    public void close() {
        client.close();
    }
}
