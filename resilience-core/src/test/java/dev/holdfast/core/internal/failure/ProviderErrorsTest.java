package dev.holdfast.core.internal.failure;

import static dev.holdfast.FailureKind.AUTH;
import static dev.holdfast.FailureKind.CONTENT_POLICY;
import static dev.holdfast.FailureKind.CONTEXT_LENGTH;
import static dev.holdfast.FailureKind.INVALID_REQUEST;
import static dev.holdfast.FailureKind.MODEL_NOT_FOUND;
import static dev.holdfast.FailureKind.OVERLOADED;
import static dev.holdfast.FailureKind.PERMISSION;
import static dev.holdfast.FailureKind.QUOTA_EXHAUSTED;
import static dev.holdfast.FailureKind.RATE_LIMITED;
import static dev.holdfast.FailureKind.SERVER_ERROR;
import static dev.holdfast.core.internal.failure.FailedAnswer.anthropic;
import static dev.holdfast.core.internal.failure.FailedAnswer.row;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What each provider's errors mean, by the facts that are known of their bodies. */
class ProviderErrorsTest {
    private final FailureClassifier classifier = new FailureClassifier(Redactor.of(List.of()));

    private static final List<FailedAnswer> OPENAI = List.of(
            row(QUOTA_EXHAUSTED, 429, "{'error':{'type':'insufficient_quota','code':'credit_balance_exhausted'}}"),
            row(QUOTA_EXHAUSTED, 429, "{'error':{'code':'organization_spend_limit_exceeded','message':'x'}}"),
            row(QUOTA_EXHAUSTED, 429, "{'error':{'code':'project_spend_limit_exceeded','message':'x'}}"),
            row(QUOTA_EXHAUSTED, 429, "{'error':{'code':'organization_usage_limit_exceeded','message':'x'}}"),
            row(QUOTA_EXHAUSTED, 429, "{'error':{'code':null,'type':'insufficient_quota','message':'x'}}"),
            row(
                    QUOTA_EXHAUSTED,
                    429,
                    "{'error':{'message':'You exceeded your current quota, please check your plan'}}"),
            row(RATE_LIMITED, 429, "{'error':{'type':'insufficient_quota','code':'rate_limit_exceeded'}}"),
            row(
                    RATE_LIMITED,
                    429,
                    "{'error':{'type':'tokens','code':'rate_limit_exceeded','message':'Rate limit reached"
                            + " for gpt-4 on tokens per min (TPM): Limit 10000, Used 9500, Requested 900."
                            + " Please try again in 2.4s.'}}"),
            row(RATE_LIMITED, 429, "{'error':{'type':'rate_limit_error','code':'slow_down'}}"),
            row(RATE_LIMITED, 503, "{'error':{'code':'slow_down','message':'Slow down'}}"),
            row(
                    CONTEXT_LENGTH,
                    429,
                    "{'error':{'type':'tokens','code':'rate_limit_exceeded','message':'Request too large for gpt-4o on"
                            + " tokens per min (TPM): Limit 30000, Requested 40000. The input or output tokens must be"
                            + " reduced.'}}"),
            row(OVERLOADED, 503, "{'error':{'type':'service_unavailable_error','code':'server_is_overloaded'}}"),
            row(MODEL_NOT_FOUND, 404, "{'error':{'type':'invalid_request_error','code':'model_not_found'}}"),
            row(
                    MODEL_NOT_FOUND,
                    400,
                    "{'error':{'message':'The model `x` does not exist or you do not have access"
                            + " to it.','type':'invalid_request_error'}}"),
            row(INVALID_REQUEST, 404, "{'error':{'code':'previous_response_not_found','message':'x'}}"),
            row(CONTEXT_LENGTH, 400, "{'error':{'type':'invalid_request_error','code':'context_length_exceeded'}}"),
            row(
                    INVALID_REQUEST,
                    400,
                    "{'error':{'type':'invalid_request_error','param':'max_tokens','code':null,'message':'max_tokens"
                            + " is too large: 99999. This model supports at most 4096 completion tokens'}}"),
            row(CONTENT_POLICY, 400, "{'error':{'code':'content_policy_violation','message':'x'}}"),
            row(
                    CONTENT_POLICY,
                    400,
                    "{'error':{'code':'invalid_prompt','message':'x','type':'invalid_request_error'}}"),
            row(AUTH, 401, "{'error':{'message':'Incorrect API key provided','code':'invalid_api_key'}}"),
            row(PERMISSION, 403, "{'error':{'code':'unsupported_country_region_territory','message':'x'}}"),
            row(SERVER_ERROR, 500, "{'error':{'type':'server_error','message':'The server had an error'}}"));

    private static final List<FailedAnswer> AZURE = List.of(
            row(
                    CONTENT_POLICY,
                    400,
                    "{'error':{'code':'content_filter','message':'x','innererror':"
                            + "{'code':'ResponsibleAIPolicyViolation'}}}"),
            row(AUTH, 401, "{'error':{'code':'401','message':'Access denied due to invalid subscription key'}}"),
            row(MODEL_NOT_FOUND, 404, "{'error':{'code':'DeploymentNotFound','message':'x'}}"),
            row(MODEL_NOT_FOUND, 404, "{'error':{'code':'404','message': 'Resource not found'}}"),
            row(
                    RATE_LIMITED,
                    429,
                    "{'error':{'code':'429','message':'Requests have exceeded token rate limit."
                            + " Please retry after 37 seconds.'}}"));

    private static final List<FailedAnswer> ANTHROPIC = List.of(
            row(INVALID_REQUEST, 400, anthropic("invalid_request_error", "messages.0: Input does not match")),
            row(CONTEXT_LENGTH, 400, anthropic("invalid_request_error", "prompt is too long: 3333404 tokens > 200000")),
            row(QUOTA_EXHAUSTED, 400, anthropic("invalid_request_error", "Your credit balance is too low to access")),
            row(
                    QUOTA_EXHAUSTED,
                    400,
                    anthropic(
                            "invalid_request_error",
                            "You have reached your specified workspace API usage limits. You will regain access on")),
            row(AUTH, 401, anthropic("authentication_error", "invalid x-api-key")),
            row(QUOTA_EXHAUSTED, 402, anthropic("billing_error", "x")),
            row(PERMISSION, 403, anthropic("permission_error", "x")),
            row(MODEL_NOT_FOUND, 404, anthropic("not_found_error", "model: claude-x")),
            row(SERVER_ERROR, 409, anthropic("conflict_error", "x")),
            row(CONTEXT_LENGTH, 413, anthropic("request_too_large", "x")),
            row(RATE_LIMITED, 429, anthropic("rate_limit_error", "x")),
            row(
                    QUOTA_EXHAUSTED,
                    429,
                    "{'type':'error','error':{'type':'rate_limit_error','message':'x',"
                            + "'details':{'error_code':'enforced_spend_limit_reached'}}}"),
            row(SERVER_ERROR, 500, anthropic("api_error", "x")),
            row(SERVER_ERROR, 504, anthropic("timeout_error", "x")),
            row(OVERLOADED, 529, anthropic("overloaded_error", "Overloaded")));

    private static final List<FailedAnswer> GEMINI = List.of(
            row(
                    AUTH,
                    400,
                    "{'error':{'code':400,'message':'API key not valid.','status':'INVALID_ARGUMENT',"
                            + "'details':[{'@type':'type.googleapis.com/google.rpc.ErrorInfo','reason':'API_KEY_INVALID'}]}}"),
            row(
                    AUTH,
                    400,
                    "{'error':{'code':400,'message':'API key expired. Please renew the API key.',"
                            + "'status':'INVALID_ARGUMENT'}}"),
            row(
                    INVALID_REQUEST,
                    400,
                    "[{'error':{'code':400,'message':'Please use a valid role: user, model.',"
                            + "'status':'INVALID_ARGUMENT','details':[]}}]"),
            row(
                    CONTEXT_LENGTH,
                    400,
                    "{'error':{'code':400,'status':'INVALID_ARGUMENT','message':'The input token count"
                            + " (1200000) exceeds the maximum number of tokens allowed (1048576).'}}"),
            row(
                    PERMISSION,
                    400,
                    "{'error':{'code':400,'status':'FAILED_PRECONDITION','message':'User location is not"
                            + " supported for the API use.'}}"),
            row(RATE_LIMITED, 429, quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "15")),
            row(QUOTA_EXHAUSTED, 429, quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "50")),
            row(QUOTA_EXHAUSTED, 429, quota("GenerateContentInputTokensPerModelPerMinute-FreeTier", "0")),
            row(
                    QUOTA_EXHAUSTED,
                    429,
                    "{'error':{'code':429,'message':'You exceeded your current quota, please check your plan and"
                            + " billing details. * Quota exceeded for metric: x, limit: 0, model: y\\n"
                            + "Please retry in 26.660853464s.','status':'RESOURCE_EXHAUSTED'}}"),
            row(
                    RATE_LIMITED,
                    429,
                    "{'error':{'code':429,'message':'You exceeded your current quota, please check your"
                            + " plan and billing details. * Quota exceeded for metric: x, limit: 15\\nPlease retry in"
                            + " 26.660853464s.','status':'RESOURCE_EXHAUSTED'}}"),
            row(
                    RATE_LIMITED,
                    429,
                    "{'error':{'code':429,'message':'Resource exhausted. Please try again later.',"
                            + "'status':'RESOURCE_EXHAUSTED'}}"),
            row(OVERLOADED, 503, "{'error':{'code':503,'message':'The model is overloaded.','status':'UNAVAILABLE'}}"),
            row(SERVER_ERROR, 500, "{'error':{'code':500,'message':'x','status':'INTERNAL'}}"),
            row(SERVER_ERROR, 504, "{'error':{'code':504,'message':'x','status':'DEADLINE_EXCEEDED'}}"),
            row(
                    MODEL_NOT_FOUND,
                    404,
                    "{'error':{'code':404,'message':'models/x is not found for API version v1beta',"
                            + "'status':'NOT_FOUND'}}"),
            row(PERMISSION, 403, "{'error':{'code':403,'message':'x','status':'PERMISSION_DENIED'}}"),
            row(CONTENT_POLICY, 200, "{'promptFeedback':{'blockReason':'SAFETY'},'usageMetadata':{}}"));

    private static String quota(String id, String value) {
        return "{'error':{'code':429,'status':'RESOURCE_EXHAUSTED','message':'You exceeded your current quota, please"
                + " check your plan and billing"
                + " details.','details':[{'@type':'type.googleapis.com/google.rpc.QuotaFailure',"
                + "'violations':[{'quotaMetric':'m','quotaId':'" + id + "','quotaValue':'" + value + "'}]},"
                + "{'@type':'type.googleapis.com/google.rpc.RetryInfo','retryDelay':'34s'}]}}";
    }

    private static final List<FailedAnswer> OTHERS = List.of(
            row(QUOTA_EXHAUSTED, 402, "{'error':{'message':'Insufficient Balance','code':'invalid_request_error'}}"),
            row(CONTENT_POLICY, 400, "{'error':{'message':'Content Exists Risk','code':'invalid_request_error'}}"),
            row(
                    CONTEXT_LENGTH,
                    400,
                    "{'error':{'message':'This model\\u0027s maximum context length is 1048565 tokens.',"
                            + "'type':'invalid_request_error','code':'invalid_request_error'}}"),
            row(
                    AUTH,
                    400,
                    "{'code':'Client specified an invalid argument','error':'Incorrect API key provided: xai-'}"),
            row(
                    QUOTA_EXHAUSTED,
                    403,
                    "{'code':'The caller does not have permission','error':'Your team has used all"
                            + " available credits or reached its monthly spending limit.'}"),
            row(
                    CONTEXT_LENGTH,
                    413,
                    "{'error':{'message':'Request too large for model `x` on tokens per minute (TPM):"
                            + " Limit 6000, Requested 12345','type':'tokens','code':'rate_limit_exceeded'}}"),
            row(RATE_LIMITED, 429, "{'message':'INSUFFICIENT QUOTA'}"),
            row(RATE_LIMITED, 429, "{'error':{'message':'INSUFFICIENT QUOTA','code':'rate_limit_exceeded'}}"),
            row(
                    OVERLOADED,
                    429,
                    "{'object':'error','message':'Service tier capacity exceeded for this model.',"
                            + "'type':'service_tier_capacity_exceeded','param':null,'code':'3505'}"),
            row(
                    MODEL_NOT_FOUND,
                    400,
                    "{'object':'error','message':'Invalid model: x','type':'invalid_model','code':1500}"),
            row(INVALID_REQUEST, 400, "{'object':'error','message':'flat','type':'BadRequestError','code':400}"),
            row(MODEL_NOT_FOUND, 404, "{'object':'error','message':'The model `x` does not exist.','code':404}"),
            row(MODEL_NOT_FOUND, 404, "{'error':'model \\u0027x\\u0027 not found, try pulling it first'}"),
            row(MODEL_NOT_FOUND, 400, "{'error':{'message':'x is not a valid model ID','code':400}}"),
            row(
                    CONTENT_POLICY,
                    403,
                    "{'error':{'code':403,'message':'Your input was flagged','metadata':"
                            + "{'reasons':['violence'],'flagged_input':'…'}}}"),
            row(AUTH, 401, "{'error':{'message':'No cookie auth credentials found','code':401}}"),
            row(
                    RATE_LIMITED,
                    429,
                    "{'error':{'message':'Provider returned error','code':429,'metadata':{'raw':"
                            + "'{\\'error\\':{\\'message\\':\\'Rate limit reached\\'}}','provider_name':'x'}}}"),
            row(
                    QUOTA_EXHAUSTED,
                    429,
                    "{'error':{'message':'Provider returned error','code':429,'metadata':{'raw':"
                            + "'{\\'error\\':{\\'code\\':\\'insufficient_quota\\'}}'}}}"),
            row(
                    QUOTA_EXHAUSTED,
                    500,
                    "{'error':{'message':'upstream said: {\\'error\\':{\\'code\\':\\'insufficient_quota\\'}}'}}"),
            row(RATE_LIMITED, 502, "{'error':{'code':429,'message':'upstream'}}"),
            row(
                    RATE_LIMITED,
                    400,
                    "{'message':'Too many tokens, please wait before trying again.'}",
                    "x-amzn-errortype",
                    "ThrottlingException:http://internal.amazon.com/coral/"),
            row(OVERLOADED, 429, "{'__type':'com.amazon.bedrock#ModelNotReadyException','Message':'x'}"),
            row(SERVER_ERROR, 424, "{'message':'x'}", "x-amzn-ErrorType", "ModelErrorException"),
            row(
                    CONTEXT_LENGTH,
                    400,
                    "{'message':'Input is too long for requested model.'}",
                    "x-amzn-errortype",
                    "ValidationException"),
            row(MODEL_NOT_FOUND, 400, "{'message':'The provided model identifier is invalid.'}"),
            row(QUOTA_EXHAUSTED, 400, "{'code':'Arrearage','message':'Access denied, account is in good standing'}"),
            row(RATE_LIMITED, 429, "{'code':'Throttling.RateQuota','message':'x'}"),
            row(CONTENT_POLICY, 400, "{'code':'DataInspectionFailed','message':'x'}"),
            row(OVERLOADED, 429, "{'error':{'type':'engine_overloaded_error','message':'x'}}"),
            row(QUOTA_EXHAUSTED, 429, "{'error':{'type':'exceeded_current_quota_error','message':'x'}}"),
            row(RATE_LIMITED, 429, "{'type':'too_many_tokens_error','code':'token_quota_exceeded','message':'x'}"),
            row(
                    CONTEXT_LENGTH,
                    400,
                    "{'error':{'code':400,'message':'the request exceeds the available context size',"
                            + "'type':'exceed_context_size_error'}}"),
            row(AUTH, 403, "{'errors':[{'code':10000,'message':'Authentication failed'}],'success':false}"),
            row(QUOTA_EXHAUSTED, 402, "{'title':'Insufficient credit','detail':'x','status':402}"));

    @TestFactory
    Stream<DynamicTest> kinds() {
        return Stream.of(OPENAI, AZURE, ANTHROPIC, GEMINI, OTHERS)
                .flatMap(answers -> FailedAnswer.tests(classifier, answers).stream());
    }
}
