package dev.holdfast.core.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Bytes;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.Headers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Failures as one vendor or another words them, where a rule for the others would miss. */
class VendorFailuresTest {
    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");

    private final FailureClassifier classifier = new FailureClassifier(Redactor.of(List.of()));

    private Optional<Failure> classify(int status, String body, String... headers) {
        return classifier.classify(ReceivedAnswer.of(
                status, Headers.of(headers), Bytes.utf8(body.replace('\'', '"').replace('^', '\'')), NOW));
    }

    private Failure failure(int status, String body, String... headers) {
        return classify(status, body, headers).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "QUOTA_EXHAUSTED | 429 | {'error':{'code':429,'status':'RESOURCE_EXHAUSTED','message':'Quota exceeded for limit ^Generate requests per day^ of service x'}}",
                "QUOTA_EXHAUSTED | 429 | {'error':{'code':429,'message':'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 requests'}}",
                "QUOTA_EXHAUSTED | 429 | {'__type':'ThrottlingException','message':'Too many tokens per day, please wait before trying again.'}",
                "QUOTA_EXHAUSTED | 429 | {'errors':[{'code':4006,'message':'you have used up your daily free allocation of 10,000 neurons'}]}",
                "QUOTA_EXHAUSTED | 429 | {'message':'You are using a Trial key, which is limited to 1000 API calls / month.'}",
                "QUOTA_EXHAUSTED | 429 | {'message':'Tokens per day limit exceeded','code':'token_quota_exceeded'}",
                "QUOTA_EXHAUSTED | 429 | {'error':{'message':'RateLimitError: You exceeded your current quota, please check your plan','type':'throttling_error','code':'429'}}",
                "QUOTA_EXHAUSTED | 429 | {'error':{'message':'Weekly limit reached'}}",
                "RATE_LIMITED | 429 | {'message':'Tokens per minute limit exceeded','code':'token_quota_exceeded'}",
                "RATE_LIMITED | 429 | {'message':'You are using a Trial key, which is limited to 40 API calls / minute.'}",
                "RATE_LIMITED | 429 | {'error':{'message':'Rate limit exceeded: free-models-per-min. Add 10 credits to unlock 1000 requests per day'}}",
                "RATE_LIMITED | 429 | {'error':'Rate limit exceeded: 5 per 1 minute'}",
                "RATE_LIMITED | 429 | {'error':{'code':'rate_limit_exceeded','message':'Rate limit reached on requests per day (RPD): Limit 200. Please try again in 7m12s.'}}"
            })
    void aLimitOfADayOrAMonthIsAQuotaUnlessAWaitIsNamed(FailureKind kind, int status, String body) {
        assertThat(failure(status, body).kind()).as(body).isEqualTo(kind);
    }

    @Test
    void aLimitOfADayKeepsTheTimeThatItResets() {
        Failure failure = failure(
                429,
                "{'error':{'message':'Rate limit exceeded: free-models-per-day.','code':429,'metadata':{'headers':"
                        + "{'X-RateLimit-Remaining':'0','X-RateLimit-Reset':'1767657600000'}}}}");
        assertThat(failure.kind()).isEqualTo(FailureKind.QUOTA_EXHAUSTED);
        assertThat(failure.suggestedDelay()).hasValue(Duration.ofHours(14));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "QUOTA_EXHAUSTED | 403 | {'code':'The caller does not have permission','error':'Your newly created team does not have any credits or licenses yet.'}",
                "QUOTA_EXHAUSTED | 403 | {'code':'AllocationQuota.FreeTierOnly','message':'x'}",
                "QUOTA_EXHAUSTED | 403 | {'code':'x','message':'The free tier of the model has been exhausted.'}",
                "QUOTA_EXHAUSTED | 403 | {'code':30001,'message':'Sorry, your account balance is insufficient'}",
                "QUOTA_EXHAUSTED | 403 | {'error':{'code':'AccountOverdueError','message':'x'}}",
                "QUOTA_EXHAUSTED | 403 | {'error':{'message':'Your account has an overdue balance.'}}",
                "QUOTA_EXHAUSTED | 403 | {'message':'Out of call volume quota. Quota will be replenished soon.'}",
                "QUOTA_EXHAUSTED | 429 | {'error':{'type':'credit_limit','message':'x'}}",
                "QUOTA_EXHAUSTED | 429 | {'error':{'message':'Credit limit exceeded, please navigate to the settings'}}",
                "QUOTA_EXHAUSTED | 429 | {'error':{'code':'1113','message':'余额不足或无可用资源包,请充值。'}}",
                "QUOTA_EXHAUSTED | 400 | {'error':{'message':'ExceededBudget: User=x over budget. Spend=10.5','type':'auth_error'}}",
                "PERMISSION | 400 | {'error':{'type':'invalid_request_error','message':'This organization has been disabled.'}}",
                "PERMISSION | 400 | {'error':{'type':'invalid_request_error','code':'organization_restricted','message':'x'}}",
                "PERMISSION | 400 | {'error':{'message':'This credential is only authorized for use with one application'}}",
                "AUTH | 498 | {'message':'invalid api token'}",
                "OVERLOADED | 498 | {'error':{'message':'Flex tier capacity exceeded'}}",
                "OVERLOADED | 429 | {'errors':[{'code':3040,'message':'Capacity temporarily exceeded, please try again.'}]}"
            })
    void whatIsUnpaidUsedUpOrSuspendedIsNoMatterOfPermission(FailureKind kind, int status, String body) {
        assertThat(failure(status, body).kind()).as(body).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "CONTENT_POLICY | 403 | {'code':'The caller does not have permission','error':'Content violates usage guidelines. Failed check: X'}",
                "CONTENT_POLICY | 400 | {'error':{'message':'litellm.ContentPolicyViolationError: x','code':'400'}}",
                "CONTENT_POLICY | 446 | {'error':{'message':'The guardrail checks failed.','type':'hooks_failed'}}",
                "CONTENT_POLICY | 400 | {'error':{'code':'1301','message':'输入或生成内容可能包含不安全或敏感内容'}}",
                "CONTENT_POLICY | 400 | {'error':{'code':'SensitiveContentDetected','message':'x'}}",
                "CONTENT_POLICY | 400 | {'error':{'code':'InputTextSensitiveContentDetected','message':'x'}}"
            })
    void aPolicyOfContentIsRecognisedInEveryVendorsWords(FailureKind kind, int status, String body) {
        assertThat(failure(status, body).kind()).as(body).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "CONTEXT_LENGTH | 400 | {'error':{'message':'litellm.ContextWindowExceededError: x','code':'400'}}",
                "CONTEXT_LENGTH | 422 | {'error':'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096.'}",
                "CONTEXT_LENGTH | 422 | {'error':{'message':'Input validation error: `inputs` must have less than 4096 tokens. Given: 5000'}}",
                "CONTEXT_LENGTH | 400 | {'message':'too many tokens: total number of tokens in the prompt cannot exceed 4081'}",
                "CONTEXT_LENGTH | 400 | {'error':{'message':'Invalid request: Your request exceeded model token limit: 8192'}}",
                "INVALID_REQUEST | 200 | {'object':'response','status':'failed','error':{'code':'invalid_image_format','message':'x'}}"
            })
    void aRequestThatIsTooLongIsRecognisedInEveryVendorsWords(FailureKind kind, int status, String body) {
        assertThat(failure(status, body).kind()).as(body).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "RATE_LIMITED | 200 | {'success':false,'errors':[{'code':429,'message':'Rate limited'}],'result':null}",
                "RATE_LIMITED | 200 | {'errors':[{'message':'slow','extensions':{'code':'RATE_LIMITED'}}],'data':null}",
                "SERVER_ERROR | 200 | {'success':false,'result':{}}",
                "RATE_LIMITED | 200 | {'base_resp':{'status_code':1002,'status_msg':'x'}}",
                "RATE_LIMITED | 200 | {'base_resp':{'status_code':1039,'status_msg':'x'}}",
                "AUTH | 200 | {'base_resp':{'status_code':1004,'status_msg':'x'}}",
                "CONTENT_POLICY | 200 | {'base_resp':{'status_code':1026,'status_msg':'x'}}",
                "INVALID_REQUEST | 200 | {'base_resp':{'status_code':2013,'status_msg':'x'}}",
                "SERVER_ERROR | 200 | {'base_resp':{'status_code':1013,'status_msg':'x'}}"
            })
    void aSuccessThatSaysItFailedIsThatFailure(FailureKind kind, int status, String body) {
        assertThat(failure(status, body).kind()).as(body).isEqualTo(kind);
    }

    @Test
    void anAnswerWithAnEmptyListOfErrorsOrWithWarningsIsGood() {
        assertThat(classify(200, "{'success':true,'errors':[],'result':{'response':'hi'}}"))
                .isEmpty();
        assertThat(classify(200, "{'errors':[{'message':'partly'}],'choices':[{'message':{'content':'hi'}}]}"))
                .isEmpty();
        assertThat(classify(200, "{'errors':[{'message':'partly'}],'data':[{'embedding':[0.1]}]}"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Mon, 05 Jan 2026 10:00:30 +0000",
                "05 Jan 2026 10:00:30 GMT",
                "Mon, 5 Jan 2026 10:00:30 Z",
                "2026-01-05T10:00:30Z",
                "2026-01-05T12:00:30.000+02:00"
            })
    void aDateInAnyUnmistakableFormIsADate(String value) {
        assertThat(failure(429, "", "Retry-After", value).suggestedDelay()).hasValue(Duration.ofSeconds(30));
        assertThat(failure(429, "", "Retry-After", value, "Date", "Mon, 05 Jan 2026 10:00:20 GMT")
                        .suggestedDelay())
                .hasValue(Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @CsvSource({"Mon, 05 Jan 2026 10:00:30 PST", "2026-01-05", "2026-01-05T10:00:30", "10:00:30"})
    void aDateThatLeavesItsZoneOpenIsNone(String value) {
        assertThat(failure(429, "", "Retry-After", value).suggestedDelay()).isEmpty();
    }

    @Test
    void aSentenceMayNameTheInstant() {
        assertThat(failure(429, "{'error':{'message':'Please try again after 2026-01-05T10:01:00Z.'}}")
                        .suggestedDelay())
                .hasValue(Duration.ofMinutes(1));
        assertThat(failure(429, "{'error':{'message':'Rate limited until 2026-01-05T10:01:00+00:00'}}")
                        .suggestedDelay())
                .hasValue(Duration.ofMinutes(1));
        assertThat(failure(429, "{'error':{'message':'Your request at 2026-01-05T10:01:00Z was limited'}}")
                        .suggestedDelay())
                .isEmpty();
    }

    @Test
    void aModelThatLoadsAndADetailInSnakeCaseSayHowLong() {
        assertThat(failure(503, "{'error':'Model x is currently loading','estimated_time':20.5}")
                        .suggestedDelay())
                .hasValue(Duration.ofMillis(20_500));
        assertThat(failure(429, "{'error':{'code':429,'details':[{'retry_delay':'7s'}]}}")
                        .suggestedDelay())
                .hasValue(Duration.ofSeconds(7));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'error':{'kind':'x','request':{'prompt':'PRIVATE'}}}",
                "{'error':{'kind':'x','attempted':{'messages':[{'content':'PRIVATE'}]}}}",
                "{'error':{'kind':'x','metadata':{'flagged_input':'PRIVATE'}}}",
                "{'error':{'kind':'x','failed_generation':'PRIVATE'}}",
                "{'failures':[{'kind':'x','input':'PRIVATE'}]}",
                "{'detail':[{'loc':['body'],'problem':{'input':'PRIVATE'}}]}"
            })
    void anErrorWithoutWordsIsToldWithoutWhatItGivesBackOfTheRequest(String body) {
        assertThat(failure(400, body).toString()).doesNotContain("PRIVATE");
    }

    @ParameterizedTest
    @CsvSource({"true, true", "True, true", "FALSE, false", "maybe, ", "1, ", "'', "})
    void theServersVerdictIsReadInAnyCase(String value, Boolean verdict) {
        assertThat(failure(503, "", "X-Should-Retry", value).shouldRetry()).isEqualTo(Optional.ofNullable(verdict));
    }

    @Test
    void aQuotaSaysWhenItIsReplenished() {
        Failure failure = failure(
                403, "{'statusCode':403,'message':'Out of call volume quota. Quota will be replenished in 02:15:30.'}");
        assertThat(failure.kind()).isEqualTo(FailureKind.QUOTA_EXHAUSTED);
        assertThat(failure.suggestedDelay()).hasValue(Duration.parse("PT2H15M30S"));
    }
}
