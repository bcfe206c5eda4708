package dev.holdfast.core.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.internal.dialect.OpenAiDialect;
import dev.holdfast.core.internal.failure.ReceivedAnswer;
import dev.holdfast.spi.DialectException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The handed cases that hints, limits, classification and decoding decide by themselves. */
class HandedCasesTest {
    private static final List<String> TABLES =
            List.of("retry-hint", "ratelimit-headers", "error-classification", "http-transport");

    private final ClassificationCases cases = new ClassificationCases((expected, failure) -> {
        // Retry, fallback and breaker are the call loop's to decide.
    });

    @TestFactory
    List<DynamicTest> tables() {
        return HandedCase.all().stream()
                .filter(handed -> TABLES.contains(handed.capability()))
                .flatMap(handed -> player(handed).stream()
                        .map(player -> dynamicTest(handed.displayName(), () -> player.accept(handed))))
                .toList();
    }

    private Optional<Consumer<HandedCase>> player(HandedCase handed) {
        return switch (handed.kind()) {
            case "hint_table" -> Optional.of(cases::playHints);
            case "reset_table" -> Optional.of(cases::playResets);
            case "error_table" -> Optional.of(cases::playErrors);
            default -> Optional.empty();
        };
    }

    @TestFactory
    List<DynamicTest> firstRepliesOfExchanges() {
        return HandedCase.all().stream()
                .filter(handed ->
                        TABLES.contains(handed.capability()) && handed.kind().equals("exchange"))
                .map(handed -> dynamicTest(handed.displayName(), () -> playExchange(handed)))
                .toList();
    }

    private void playExchange(HandedCase handed) {
        JsonObject expected = List.of("error", "p1_error", "first_error").stream()
                .flatMap(name -> handed.expect().object(name).stream())
                .findFirst()
                .orElse(JsonObject.of("category", JsonValue.of("rate_limited")));
        cases.playFirstReply(handed, firstReply(handed), expected);
    }

    private static ReceivedAnswer firstReply(HandedCase handed) {
        JsonValue server = handed.given().get("server").orElseThrow();
        JsonValue replies = server.asObject()
                .map(object -> object.members().firstEntry().getValue())
                .orElse(server);
        return handed.answer(replies.asList().getFirst().asObject().orElseThrow(), 0);
    }

    @TestFactory
    List<DynamicTest> decoding() {
        return HandedCase.all().stream()
                .filter(handed -> handed.capability().equals("completion-decoding"))
                .map(handed -> dynamicTest(handed.displayName(), () -> playDecoding(handed)))
                .toList();
    }

    private static void playDecoding(HandedCase handed) throws DialectException {
        JsonObject document =
                JsonText.parse(handed.replies().getFirst().body()).asObject().orElseThrow();
        ModelAnswer answer = new OpenAiDialect()
                .decodeAnswer(ModelRequest.chat("m").user("hi").build(), document);
        assertThat(answer.text()).isEqualTo(handed.expect().text("text"));
        assertThat(answer.finishReason().map(reason -> reason.wireName()))
                .isEqualTo(handed.expect().text("finish_reason"));
        assertThat(answer.toolCalls().stream()
                        .map(call -> JsonObject.of("id", JsonValue.of(call.id()))
                                .with("name", JsonValue.of(call.name()))
                                .with("arguments", JsonValue.of(call.arguments())))
                        .toList())
                .isEqualTo(handed.expect().list("tool_calls"));
    }

    @Test
    void everyCaseOfTheseKindsIsPlayed() {
        assertThat(HandedCase.all().size()).isEqualTo(105);
        assertThat(tables().size()).isEqualTo(18);
        assertThat(firstRepliesOfExchanges().size()).isEqualTo(5);
        assertThat(decoding().size()).isEqualTo(1);
    }
}
