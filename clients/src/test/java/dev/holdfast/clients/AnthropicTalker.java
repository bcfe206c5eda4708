package dev.holdfast.clients;

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.core.JsonValue;
import com.anthropic.core.http.StreamResponse;
import com.anthropic.helpers.MessageAccumulator;
import com.anthropic.models.messages.ContentBlockParam;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.RawMessageStreamEvent;
import com.anthropic.models.messages.Tool;
import com.anthropic.models.messages.ToolResultBlockParam;
import com.anthropic.models.messages.ToolUseBlock;
import com.anthropic.models.messages.UserMessageParam;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Anthropic's own client for Java. */
final class AnthropicTalker implements Talker {
    private final AnthropicClient client;

    AnthropicTalker(URI server) {
        this.client = AnthropicOkHttpClient.builder()
                .baseUrl(server.toString())
                .apiKey("any-0123456789")
                .maxRetries(0)
                .timeout(Duration.ofSeconds(30))
                .build();
    }

    private static MessageCreateParams.Builder asking(String question) {
        return MessageCreateParams.builder().model(Front.MODEL).maxTokens(100).addUserMessage(question);
    }

    @Override
    public String chat(String question) {
        return text(client.messages().create(asking(question).build()));
    }

    private static String text(Message message) {
        return message.content().stream()
                .flatMap(block -> block.text().stream())
                .map(block -> block.text())
                .collect(Collectors.joining());
    }

    @Override
    public String stream(String question) {
        // The accumulator refuses to put together what has no message_stop.
        MessageAccumulator whole = MessageAccumulator.create();
        try (StreamResponse<RawMessageStreamEvent> stream =
                client.messages().createStreaming(asking(question).build())) {
            stream.stream().forEach(whole::accumulate);
        }
        return text(whole.message());
    }

    @Override
    public String tool(String question) {
        MessageCreateParams.Builder asking = asking(question).addTool(tool());
        Message message = client.messages().create(asking.build());
        ToolUseBlock call = message.content().stream()
                .flatMap(block -> block.toolUse().stream())
                .findFirst()
                .orElseThrow();
        String argument =
                ((Map<?, ?>) call._input().convert(Map.class)).get("question").toString();
        ContentBlockParam result = ContentBlockParam.ofToolResult(ToolResultBlockParam.builder()
                .toolUseId(call.id())
                .content(argument)
                .build());
        UserMessageParam answer = UserMessageParam.builder()
                .contentOfContentBlockParams(List.of(result))
                .build();
        return text(client.messages()
                .create(asking.addMessage(message).addMessage(answer).build()));
    }

    private static Tool tool() {
        return Tool.builder()
                .name("answer")
                .inputSchema(Tool.InputSchema.builder()
                        .properties(Tool.InputSchema.Properties.builder()
                                .putAdditionalProperty("question", JsonValue.from(Map.of("type", "string")))
                                .build())
                        .addRequired("question")
                        .build())
                .build();
    }

    @Override
    public void close() {
        client.close();
    }
}
