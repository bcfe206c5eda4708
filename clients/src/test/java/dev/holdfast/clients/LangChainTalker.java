package dev.holdfast.clients;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** LangChain4j's client of OpenAI's API. */
final class LangChainTalker implements Talker {
    private static final ToolSpecification TOOL = ToolSpecification.builder()
            .name("answer")
            .parameters(JsonObjectSchema.builder()
                    .addStringProperty("question")
                    .required("question")
                    .build())
            .build();

    private final OpenAiChatModel model;
    private final OpenAiStreamingChatModel streaming;

    LangChainTalker(URI server) {
        this.model = OpenAiChatModel.builder()
                .baseUrl(server + "/v1")
                .apiKey("sk-any-0123456789")
                .modelName(Front.MODEL)
                .maxRetries(0)
                .timeout(Duration.ofSeconds(30))
                .build();
        this.streaming = OpenAiStreamingChatModel.builder()
                .baseUrl(server + "/v1")
                .apiKey("sk-any-0123456789")
                .modelName(Front.MODEL)
                .timeout(Duration.ofSeconds(30))
                .build();
    }

    @Override
    public String chat(String question) {
        return model.chat(question);
    }

    @Override
    public String stream(String question) {
        var whole = new CompletableFuture<ChatResponse>();
        streaming.chat(question, new StreamingChatResponseHandler() {
            @Override
            public void onCompleteResponse(ChatResponse response) {
                whole.complete(response);
            }

            @Override
            public void onError(Throwable error) {
                whole.completeExceptionally(error);
            }
        });
        ChatResponse response = whole.join();
        if (response.finishReason() == null) {
            throw new IllegalStateException("an answer without a finish reason: " + response);
        }
        return response.aiMessage().text();
    }

    @Override
    public String tool(String question) {
        List<ChatMessage> messages = new ArrayList<>(List.of(UserMessage.from(question)));
        AiMessage asks = ask(messages);
        ToolExecutionRequest call = asks.toolExecutionRequests().getFirst();
        messages.add(asks);
        messages.add(ToolExecutionResultMessage.from(call, Question.of(call.arguments())));
        return ask(messages).text();
    }

    private AiMessage ask(List<ChatMessage> messages) {
        return model.chat(ChatRequest.builder()
                        .messages(messages)
                        .toolSpecifications(TOOL)
                        .build())
                .aiMessage();
    }

    @Override
    public void close() {
        // it has nothing to close
    }
}
