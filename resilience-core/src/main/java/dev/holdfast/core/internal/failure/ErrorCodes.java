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
import static dev.holdfast.FailureKind.TIMEOUT;

import dev.holdfast.FailureKind;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The structured codes of the providers. Spelling does not matter: {@code insufficient_quota} and
 * {@code InsufficientQuota} are one. Plain codes say what happened; vague ones are what a provider says when it has no better
 * word ({@code invalid_request_error} also for a key that is wrong), so that its sentence comes first.
 */
final class ErrorCodes {
    private static final Map<String, FailureKind> PLAIN = new HashMap<>();
    private static final Map<String, FailureKind> VAGUE = new HashMap<>();

    static {
        plain(
                QUOTA_EXHAUSTED,
                "insufficient_quota credit_balance_exhausted organization_spend_limit_exceeded"
                        + " project_spend_limit_exceeded organization_usage_limit_exceeded billing_error"
                        + " billing_hard_limit_reached billing_not_active billing_disabled enforced_spend_limit_reached"
                        + " insufficient_balance insufficient_funds insufficient_credits insufficient_user_quota"
                        + " payment_required arrearage exceeded_current_quota_error exceeded_current_quota"
                        + " service_quota_exceeded_exception spend_limit_exceeded budget_exceeded credits_exhausted"
                        + " quota_exhausted credit_limit credit_limit_exceeded account_overdue account_overdue_error"
                        + " insufficient_credit insufficient_balance_error allocation_quota_free_tier_only free_tier_only"
                        + " spending_limit_exceeded monthly_limit_exceeded");
        plain(
                RATE_LIMITED,
                "rate_limit_exceeded rate_limit_error rate_limit rate_limited rate_limit_reached"
                        + " rate_limit_reached_error too_many_requests too_many_requests_error"
                        + " too_many_requests_exception throttling throttling_exception throttled"
                        + " throttled_exception request_limit_exceeded request_quota_exceeded token_quota_exceeded"
                        + " slow_down provisioned_throughput_exceeded_exception limit_requests limit_burst_rate"
                        + " rate_limit_exceeded_error concurrency_limit_exceeded throttling_rate_quota"
                        + " throttling_allocation_quota throttling_burst_rate");
        plain(
                OVERLOADED,
                "overloaded overloaded_error server_is_overloaded service_unavailable service_unavailable_error"
                        + " service_unavailable_exception unavailable engine_overloaded engine_overloaded_error"
                        + " model_overloaded server_overloaded server_busy capacity_exceeded"
                        + " service_tier_capacity_exceeded no_capacity model_not_ready_exception");
        plain(
                AUTH,
                "invalid_api_key incorrect_api_key authentication_error unauthenticated unauthorized"
                        + " unauthorized_error invalid_token token_expired access_token_expired expired_token_exception"
                        + " unrecognized_client_exception invalid_signature_exception incomplete_signature"
                        + " missing_authentication_token missing_authentication_token_exception"
                        + " invalid_authentication invalid_authentication_error invalid_client_token_id api_key_invalid"
                        + " api_key_expired account_deactivated invalid_organization authentication_failed"
                        + " missing_api_key no_api_key not_authenticated access_token_invalid");
        plain(
                PERMISSION,
                "permission_error permission_denied permission_denied_error access_denied access_denied_exception"
                        + " forbidden forbidden_error unsupported_country_region_territory service_disabled"
                        + " api_key_service_blocked consumer_suspended ip_not_authorized model_access_denied"
                        + " organization_must_be_verified user_project_denied organization_restricted"
                        + " organization_disabled account_suspended account_restricted");
        plain(
                MODEL_NOT_FOUND,
                "model_not_found model_not_found_error model_not_found_exception deployment_not_found invalid_model"
                        + " unknown_model model_not_available model_decommissioned model_deprecated model_not_supported"
                        + " unsupported_model model_not_exist model_does_not_exist invalid_model_name"
                        + " resource_not_found_exception no_such_model");
        plain(
                CONTEXT_LENGTH,
                "context_length_exceeded context_window_exceeded context_length_exceeded_error"
                        + " exceed_context_size_error exceed_context_size request_too_large max_context_length_exceeded"
                        + " prompt_too_long input_too_long token_limit_exceeded tokens_limit_reached"
                        + " model_context_window_exceeded");
        plain(
                CONTENT_POLICY,
                "content_filter content_filtered content_policy_violation content_policy_violation_error"
                        + " responsible_ai_policy_violation data_inspection_failed moderation_blocked safety"
                        + " prohibited_content image_content_policy_violation invalid_prompt content_policy"
                        + " content_moderation sensitive_content sensitive_words_detected sensitive_content_detected"
                        + " input_text_sensitive_content_detected output_text_sensitive_content_detected"
                        + " input_image_sensitive_content_detected output_image_sensitive_content_detected"
                        + " guardrail_intervened hooks_failed");
        vague(
                INVALID_REQUEST,
                "invalid_request_error invalid_request bad_request bad_request_error invalid_argument"
                        + " failed_precondition out_of_range validation_exception validation_error unsupported_parameter"
                        + " unsupported_value invalid_value missing_required_parameter unprocessable_entity"
                        + " unprocessable_entity_error not_supported_error unimplemented method_not_allowed"
                        + " invalid_parameter invalid_type unknown_parameter");
        plain(
                INVALID_REQUEST,
                "previous_response_not_found response_not_found conversation_not_found thread_not_found"
                        + " assistant_not_found file_not_found string_above_max_length unknown_url invalid_image"
                        + " invalid_image_url invalid_image_format invalid_image_mode invalid_base64_image image_too_large"
                        + " image_too_small image_parse_error image_file_too_large image_file_not_found empty_image_file"
                        + " unsupported_image_media_type");
        vague(
                SERVER_ERROR,
                "server_error api_error internal_error internal internal_server_error internal_server_exception"
                        + " internal_failure model_stream_error_exception model_error_exception bad_gateway"
                        + " gateway_timeout upstream_error provider_error aborted conflict conflict_error unknown"
                        + " data_loss vector_store_timeout apierror apiconnection_error");
        vague(TIMEOUT, "timeout timeout_error deadline_exceeded request_timeout model_timeout_exception");
        vague(MODEL_NOT_FOUND, "not_found not_found_error resource_not_found");
        vague(QUOTA_EXHAUSTED, "quota_exceeded quota_limit_exceeded usage_limit_reached usage_limit_error");
        vague(RATE_LIMITED, "resource_exhausted tokens requests throttling_error");
    }

    private ErrorCodes() {}

    /** What the most specific plain code means. */
    static Optional<FailureKind> plain(List<String> codes) {
        return first(PLAIN, codes);
    }

    /** What the most specific vague code means. */
    static Optional<FailureKind> vague(List<String> codes) {
        return first(VAGUE, codes);
    }

    /** Whether a code is of use to people: not a number, not just "error". */
    static boolean isTelling(String code) {
        String normal = normal(code);
        return !normal.isEmpty() && !normal.equals("error") && !normal.chars().allMatch(Character::isDigit);
    }

    private static Optional<FailureKind> first(Map<String, FailureKind> table, List<String> codes) {
        for (String code : codes) {
            FailureKind kind = table.get(normal(code));
            if (kind != null) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /** Letters and digits only; of {@code com.amazon.coral#ThrottlingException:http://…} the name alone. */
    private static String normal(String code) {
        String name = code.substring(code.lastIndexOf('#') + 1);
        int colon = name.indexOf(':');
        String lower = (colon > 0 ? name.substring(0, colon) : name).toLowerCase(Locale.ROOT);
        var normal = new StringBuilder(lower.length());
        for (int i = 0; i < lower.length(); i++) {
            char c = lower.charAt(i);
            if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
                normal.append(c);
            }
        }
        return normal.toString();
    }

    private static void plain(FailureKind kind, String codes) {
        add(PLAIN, kind, codes);
    }

    private static void vague(FailureKind kind, String codes) {
        add(VAGUE, kind, codes);
    }

    private static void add(Map<String, FailureKind> table, FailureKind kind, String codes) {
        for (String code : List.of(codes.split(" "))) {
            table.put(normal(code), kind);
        }
    }
}
