package dev.holdfast.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CacheMode;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.spi.Interceptor.Call;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An answer is replayed as it was given, and only to a request of the form that it answered. */
class AnswerFormTest {
    private static final CachePolicy ALL = CachePolicy.defaults().withMode(CacheMode.ALL);
    /** A document that is a request in each of the two forms. */
    private static final JsonObject DOCUMENT = JsonObject.of("model", JsonValue.of("m"))
            .with("max_tokens", JsonValue.of(16))
            .with(
                    "messages",
                    JsonArray.of(JsonObject.of("role", JsonValue.of("user")).with("content", JsonValue.of("hello"))));

    private final ManualTime time = new ManualTime();
    private final CaffeineResponseCache cache = new CaffeineResponseCache(1 << 20, time);
    private final ResponseCaching caching = ResponseCaching.of(cache, ALL, time, new SplittableRandom(1));
    private final Upstream upstream = new Upstream();

    @Test
    void theSameDocumentInTwoFormsIsTwoQuestions() {
        upstream.answers(Calls.inForm(Form.OPENAI_CHAT));
        ask(Form.OPENAI_CHAT);
        upstream.answers(Calls.inForm(Form.ANTHROPIC_MESSAGES));
        assertThat(ask(Form.ANTHROPIC_MESSAGES)).isEqualTo(Form.ANTHROPIC_MESSAGES);
        assertThat(ask(Form.OPENAI_CHAT)).isEqualTo(Form.OPENAI_CHAT);
        assertThat(ask(Form.ANTHROPIC_MESSAGES)).isEqualTo(Form.ANTHROPIC_MESSAGES);
        assertThat(upstream.calls()).isEqualTo(2);
        assertThat(caching.statistics().hits()).isEqualTo(2);
    }

    /** A call in one vendor's form that another vendor serves is answered in the other's; its replay is the same. */
    @ParameterizedTest
    @EnumSource(
            value = Form.class,
            names = {"ANTHROPIC_MESSAGES", "GEMINI_CONTENT"})
    void anAnswerInTheFormOfWhoServedItIsReplayedToTheSameRequestOnly(Form other) {
        upstream.answers(Calls.inForm(other));
        assertThat(ask(Form.OPENAI_CHAT)).isEqualTo(other);
        assertThat(ask(Form.OPENAI_CHAT)).isEqualTo(other);
        assertThat(upstream.calls()).isEqualTo(1);
        upstream.answers(Calls.inForm(Form.ANTHROPIC_MESSAGES));
        ask(Form.ANTHROPIC_MESSAGES);
        assertThat(upstream.calls()).isEqualTo(2);
    }

    @Test
    void anAnswerWithoutAFormIsDeliveredAndNotKept() {
        upstream.answers(Calls.inForm(Form.OPAQUE));
        assertThat(ask(Form.OPENAI_CHAT)).isEqualTo(Form.OPAQUE);
        assertThat(cache.size()).isZero();
        assertThat(caching.statistics().notStored()).isEqualTo(1);
    }

    private Form ask(Form form) {
        Call call = Calls.call("c", request(form));
        return caching.aroundCall(call, upstream).answer().form();
    }

    private static ModelRequest request(Form form) {
        return ModelRequest.of(form, "m", DOCUMENT);
    }
}
