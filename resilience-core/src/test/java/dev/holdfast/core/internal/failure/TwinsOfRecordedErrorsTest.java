package dev.holdfast.core.internal.failure;

import static dev.holdfast.FailureKind.AUTH;
import static dev.holdfast.FailureKind.CONTEXT_LENGTH;
import static dev.holdfast.FailureKind.INVALID_REQUEST;
import static dev.holdfast.FailureKind.MODEL_NOT_FOUND;
import static dev.holdfast.FailureKind.RATE_LIMITED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Bytes;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.Headers;
import dev.holdfast.spi.ServerSentEvent;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers of the kinds that {@link RecordedExchangesTest} knows from real providers, made up, for whoever has no recordings. */
class TwinsOfRecordedErrorsTest {
    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");

    private final FailureClassifier classifier = new FailureClassifier(Redactor.of(List.of()));

    private record Twin(String of, int status, FailureKind kind, String body) {
        @Override
        public String toString() {
            return of;
        }
    }

    static List<Twin> twins() {
        return List.of(
                new Twin("anthropic: too long", 400, CONTEXT_LENGTH, """
                        {"type":"error","error":{"type":"invalid_request_error",\
                        "message":"prompt is too long: 250001 tokens > 200000 maximum"},"request_id":"req_made_up"}"""),
                new Twin("anthropic: shape", 400, INVALID_REQUEST, """
                        {"type":"error","error":{"type":"invalid_request_error","message":"messages.3: unexpected shape"}}"""),
                new Twin("anthropic: key", 401, AUTH, """
                        {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"""),
                new Twin("azure: no deployment", 404, MODEL_NOT_FOUND, """
                        {"error":{"code":"404","message": "Resource not found"}}"""),
                new Twin("azure: key, with denied access in its words", 401, AUTH, """
                        {"error":{"code":"401","message":"Access denied due to a wrong subscription key or endpoint."}}"""),
                new Twin("deepseek: too long", 400, CONTEXT_LENGTH, """
                        {"error":{"message":"This model's maximum context length is 1000 tokens. However, you requested 1200 \
                        tokens (1100 in the messages, 100 in the completion).","type":"invalid_request_error","param":null,\
                        "code":"invalid_request_error"}}"""),
                new Twin("gemini: key, as a bad request", 400, AUTH, """
                        {"error":{"code":400,"message":"API key not valid. Pass another.","status":"INVALID_ARGUMENT",\
                        "details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}"""),
                new Twin("gemini: exhausted, without a wait", 429, RATE_LIMITED, """
                        {"error":{"code":429,"message":"Resource exhausted. Please try again later.",\
                        "status":"RESOURCE_EXHAUSTED"}}"""),
                new Twin("openai: an image that it cannot get", 400, INVALID_REQUEST, """
                        {"error":{"message":"Error while downloading https://example.com/made-up.jpg.",\
                        "type":"invalid_request_error","param":null,"code":"invalid_image_url"}}"""),
                new Twin("openai: no model", 404, MODEL_NOT_FOUND, """
                        {"error":{"message":"The model `made-up` does not exist or you do not have access to it.",\
                        "type":"invalid_request_error","param":null,"code":"model_not_found"}}"""),
                new Twin("openrouter: no key", 401, AUTH, """
                        {"error":{"message":"No cookie auth credentials found","code":401}}"""),
                new Twin("openrouter: no field for the key", 401, AUTH, """
                        {"error":{"message":"Missing Authentication header","code":401}}"""),
                new Twin("vertex: a value out of range", 400, INVALID_REQUEST, """
                        {"error":{"code":400,"message":"Unable to submit request because it has a temperature value of 9 but \
                        the supported range is from 0 to 2. Update the value and try again.","status":"INVALID_ARGUMENT"}}"""),
                new Twin("vertex: a role", 400, INVALID_REQUEST, """
                        {"error":{"code":400,"message":"Please use a valid role: user, model.","status":"INVALID_ARGUMENT",\
                        "details":[]}}"""));
    }

    @ParameterizedTest
    @MethodSource("twins")
    void errorsAreWhatTheyAre(Twin twin) {
        Failure failure = classifier
                .classify(ReceivedAnswer.of(twin.status(), Headers.empty(), Bytes.utf8(twin.body()), NOW))
                .orElseThrow();
        assertThat(failure.kind()).isEqualTo(twin.kind());
        assertThat(failure.status()).hasValue(twin.status());
        assertThat(failure.message()).isNotBlank().doesNotStartWith("{");
        assertThat(failure.suggestedDelay()).isEmpty();
    }

    @Test
    void anErrorOfAStreamIsOneThoughItsStatusWasGood() {
        ReceivedAnswer head = ReceivedAnswer.of(200, Headers.empty(), Bytes.utf8(""), NOW);
        String data =
                "{\"error\":{\"message\":\"Tool choice is none, but model called a tool\",\"type\":\"invalid_request_error\","
                        + "\"code\":\"tool_use_failed\",\"status_code\":400}}";
        assertThat(classifier.classify(new ServerSentEvent("error", data, ""), head))
                .hasValueSatisfying(failure -> assertThat(failure.kind()).isEqualTo(INVALID_REQUEST));
    }

    @Test
    void aFilterWithinASuccessIsARefusal() {
        String body =
                "{\"error\":{\"message\":\"The response was filtered.\",\"code\":\"content_filter\"},\"choices\":[]}";
        assertThat(classifier.classify(ReceivedAnswer.of(200, Headers.empty(), Bytes.utf8(body), NOW)))
                .hasValueSatisfying(failure -> assertThat(failure.kind()).isEqualTo(FailureKind.CONTENT_POLICY));
    }
}
