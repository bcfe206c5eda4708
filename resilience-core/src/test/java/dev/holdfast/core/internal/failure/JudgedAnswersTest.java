package dev.holdfast.core.internal.failure;

import static dev.holdfast.FailureKind.AUTH;
import static dev.holdfast.FailureKind.CONTEXT_LENGTH;
import static dev.holdfast.FailureKind.EMPTY_RESPONSE;
import static dev.holdfast.FailureKind.INVALID_REQUEST;
import static dev.holdfast.FailureKind.MALFORMED_RESPONSE;
import static dev.holdfast.FailureKind.MODEL_NOT_FOUND;
import static dev.holdfast.FailureKind.OVERLOADED;
import static dev.holdfast.FailureKind.PERMISSION;
import static dev.holdfast.FailureKind.PROXY_AUTH;
import static dev.holdfast.FailureKind.QUOTA_EXHAUSTED;
import static dev.holdfast.FailureKind.RATE_LIMITED;
import static dev.holdfast.FailureKind.REDIRECT_REFUSED;
import static dev.holdfast.FailureKind.SERVER_ERROR;
import static dev.holdfast.FailureKind.TIMEOUT;
import static dev.holdfast.FailureKind.TRUNCATED;
import static dev.holdfast.core.internal.failure.FailedAnswer.answer;
import static dev.holdfast.core.internal.failure.FailedAnswer.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.holdfast.Failure;
import dev.holdfast.Form;
import dev.holdfast.JsonValue.JsonObject;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Which answers are failures, whatever the provider: by their status, and by what a success has in it. */
class JudgedAnswersTest {
    private final FailureClassifier classifier = new FailureClassifier(Redactor.of(List.of()));

    private static final List<FailedAnswer> STATUSES = List.of(
            row(RATE_LIMITED, 429, ""),
            row(RATE_LIMITED, 429, "<html><head><title>429 Too Many Requests</title></head></html>"),
            row(OVERLOADED, 503, ""),
            row(OVERLOADED, 529, ""),
            row(SERVER_ERROR, 500, ""),
            row(SERVER_ERROR, 502, "<html><title>502 Bad Gateway</title>"),
            row(SERVER_ERROR, 504, "upstream request timeout"),
            row(SERVER_ERROR, 520, ""),
            row(SERVER_ERROR, 524, "<!DOCTYPE html><title>a timeout occurred</title>"),
            row(SERVER_ERROR, 599, ""),
            row(TIMEOUT, 408, ""),
            row(SERVER_ERROR, 409, ""),
            row(SERVER_ERROR, 425, ""),
            row(PROXY_AUTH, 407, ""),
            row(REDIRECT_REFUSED, 301, ""),
            row(REDIRECT_REFUSED, 308, ""),
            row(CONTEXT_LENGTH, 413, "<html>"),
            row(INVALID_REQUEST, 400, ""),
            row(INVALID_REQUEST, 422, ""),
            row(AUTH, 401, ""),
            row(QUOTA_EXHAUSTED, 402, ""),
            row(PERMISSION, 403, ""),
            row(MODEL_NOT_FOUND, 404, ""),
            row(MALFORMED_RESPONSE, 101, ""),
            row(SERVER_ERROR, 999, ""));

    private static final List<FailedAnswer> SUCCESSES = List.of(
            row(EMPTY_RESPONSE, 200, " \\n"),
            row(EMPTY_RESPONSE, 204, ""),
            row(MALFORMED_RESPONSE, 200, "<html><title>Welcome</title></html>"),
            row(MALFORMED_RESPONSE, 200, "ok"),
            row(MALFORMED_RESPONSE, 200, "[]"),
            row(MALFORMED_RESPONSE, 200, "{'choices':[null]}"),
            row(MALFORMED_RESPONSE, 200, "{'choices':[{'finish_reason':'stop'}]}"),
            row(MALFORMED_RESPONSE, 200, "{'choices':'x'}"),
            row(MALFORMED_RESPONSE, 200, "{'id':'x','object':'chat.completion'}"),
            row(TRUNCATED, 200, "{'id':'x','cho"),
            row(TRUNCATED, 200, "{'choices':[{'message':{'content':'hi'}}"),
            row(
                    SERVER_ERROR,
                    200,
                    "{'object':'response','status':'failed','error':{'code':'server_error','message':'x'}}"),
            row(SERVER_ERROR, 200, "{'object':'response','status':'failed','error':null}"),
            row(SERVER_ERROR, 200, "{'error':'boom'}"),
            row(RATE_LIMITED, 200, "{'error':'Rate limit reached'}"),
            row(RATE_LIMITED, 200, "[{'error':{'code':429,'message':'slow'}}]"),
            row(RATE_LIMITED, 200, "{'code':429,'message':'slow'}"),
            row(OVERLOADED, 200, "{'error':{'type':'overloaded_error','message':'Overloaded'}}"),
            row(OVERLOADED, 200, "{'error':{'code':529,'message':'x'}}"),
            row(AUTH, 200, "{'error':{'code':401,'message':'x'}}"),
            row(OVERLOADED, 200, "{'choices':[{'finish_reason':'insufficient_system_resource','message':{}}]}"),
            row(SERVER_ERROR, 200, "{'choices':[{'finish_reason':'error','message':{'content':''}}]}"),
            row(QUOTA_EXHAUSTED, 200, "{'base_resp':{'status_code':1008,'status_msg':'insufficient balance'}}"));

    @TestFactory
    Stream<DynamicTest> kinds() {
        return Stream.of(STATUSES, SUCCESSES).flatMap(answers -> FailedAnswer.tests(classifier, answers).stream());
    }

    @TestFactory
    List<DynamicTest> goodAnswers() {
        return List.of(
                        "{'choices':[{'message':{'content':'hi'}}],'error':null}",
                        "{'choices':[{'message':{'content':'hi'}}],'error':{}}",
                        "{'choices':[{'message':{'content':'hi'}}],'error':{'message':null,'code':0}}",
                        "\\n\\n{'choices':[{'message':{'content':'error'},'finish_reason':'length'}]}",
                        "{'choices':[{'message':{'content':'x'},'content_filter_results':"
                                + "{'error':{'code':'content_filter_error','message':'not filtered'}}}]}",
                        "{'choices':[{'text':'legacy','finish_reason':'stop'}]}",
                        "{'choices':[{'index':0,'finish_reason':'content_filter'}]}",
                        "{'base_resp':{'status_code':0,'status_msg':'success'},'choices':[{'message':{}}]}",
                        "{'type':'message','content':[{'type':'text','text':'hi'}]}",
                        "{'candidates':[{'content':{'parts':[{'text':'hi'}]}}]}",
                        "{'object':'list','data':[{'embedding':[0.1]}]}",
                        "{'object':'response','status':'completed','error':null,'output':[]}",
                        "{'object':'response','status':'incomplete','error':null,'output':[]}")
                .stream()
                .map(body -> dynamicTest(
                        body,
                        () -> assertThat(
                                        classifier.classify(answer(200, body.replace("\\n", "\n"), "retry-after", "5")))
                                .isEmpty()))
                .toList();
    }

    @Test
    void eachFormAsksForWhatMakesAnAnswer() {
        ReceivedAnswer message = answer(200, "{'type':'message','content':[]}");
        assertThat(classifier.judge(message, Form.ANTHROPIC_MESSAGES)).isInstanceOf(Judgement.Good.class);
        assertThat(classifier.judge(message, Form.OPENAI_CHAT)).isInstanceOf(Judgement.Bad.class);
        assertThat(classifier.judge(message, Form.GEMINI_CONTENT)).isInstanceOf(Judgement.Bad.class);
        assertThat(classifier.judge(answer(200, "{'choices':[{'message':{}}]}"), Form.OPENAI_CHAT))
                .isEqualTo(new Judgement.Good(dev.holdfast.core.JsonText.parse("{\"choices\":[{\"message\":{}}]}")
                        .asObject()
                        .orElse(JsonObject.empty())));
    }

    @Test
    void theStatusWithinASuccessStandsForTheStatus() {
        Failure failure = classifier
                .classify(answer(200, "{'error':{'code':429,'message':'x'}}"))
                .orElseThrow();
        assertThat(failure.status()).hasValue(429);
    }

    @Test
    void whatCameWithASuccessIsNotQuotedSinceItMayBeTheModelsWords() {
        Failure failure =
                classifier.classify(answer(200, "The secret plan is …")).orElseThrow();
        assertThat(failure.message()).doesNotContain("secret plan");
    }
}
