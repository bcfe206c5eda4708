package dev.holdfast.core.internal.failure;

import static dev.holdfast.FailureKind.AUTH;
import static dev.holdfast.FailureKind.CONTENT_POLICY;
import static dev.holdfast.FailureKind.CONTEXT_LENGTH;
import static dev.holdfast.FailureKind.MODEL_NOT_FOUND;
import static dev.holdfast.FailureKind.OVERLOADED;
import static dev.holdfast.FailureKind.PERMISSION;
import static dev.holdfast.FailureKind.QUOTA_EXHAUSTED;
import static dev.holdfast.FailureKind.RATE_LIMITED;
import static dev.holdfast.FailureKind.TIMEOUT;

import dev.holdfast.FailureKind;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the sentences of the providers mean where no code says it. Each is read only beside statuses it occurs with: "quota"
 * beside 429 may mean a minute, and a sentence may quote what the user wrote.
 */
final class ErrorWords {
    private static final Pattern MODEL = Pattern.compile(
            "\\bmodels?\\b.{1,200}?\\b(?:not found|not exist|was not found|not available|been deprecated|decommissioned)");
    private static final Pattern TOO_LARGE = Pattern.compile("\\brequest too large\\b");
    private static final int LONGEST_NUMBER = 15;
    private static final int FARTHEST = 60;

    /** The length of time that a limit is for: {@code per day}, {@code -per-min}, {@code / month}, {@code 5 per 1 minute}. */
    private static final Pattern WINDOW = Pattern.compile(
            "(?:\\bper[ _-]?|/ ?)(?:1 )?(second|sec|minute|min|hour|day|week|month)s?\\b|\\b(hourly|daily|weekly|monthly)\\b");

    private static final Set<String> LONG_WINDOWS = Set.of("day", "week", "month", "daily", "weekly", "monthly");

    private static final List<String> BILLING = List.of(
            "insufficient_quota",
            "billing hard limit",
            "billing_hard_limit",
            "billing is not active",
            "enable billing",
            "credit balance",
            "insufficient balance",
            "insufficient credit",
            "insufficient funds",
            "not enough credits",
            "out of credits",
            "credits are depleted",
            "used all available credits",
            "requires more credits",
            "payment required",
            "payment_required",
            "spending limit",
            "spend limit",
            "key limit exceeded",
            "credit limit exceeded",
            "have any credits",
            "balance is insufficient",
            "overdue balance",
            "budget has been exceeded",
            "over budget",
            "free tier of the model has been exhausted",
            "top up your",
            "\u4F59\u989D\u4E0D\u8DB3",
            "\u6B20\u8D39");
    private static final List<String> LONG_QUOTA = List.of(
            "exceeded your current quota",
            "monthly limit",
            "monthly quota",
            "monthly usage",
            "monthly spend",
            "usage limits. you will regain access");
    private static final List<String> QUOTA = List.of(
            "insufficient quota",
            "quota exceeded",
            "exceeded quota",
            "quota has been",
            "quota exhausted",
            "out of call volume quota",
            "api usage limits");
    private static final List<String> CONTEXT = List.of(
            "maximum context length",
            "max context length",
            "context_length_exceeded",
            "context window",
            "context length",
            "context size",
            "prompt is too long",
            "prompt too long",
            "input is too long",
            "exceed context limit",
            "exceeds the context",
            "maximum prompt length",
            "input token count",
            "input tokens exceed",
            "range of input length",
            "reduce the length of the messages",
            "too large for model with",
            "contextwindowexceeded",
            "tokens in the prompt cannot exceed",
            "exceeded model token limit",
            "exceeds model token limit",
            "`inputs` must have less than",
            "`max_new_tokens` must be <=");
    private static final List<String> CONTENT = List.of(
            "content filter",
            "content_filter",
            "content management policy",
            "content policy",
            "content_policy",
            "usage policy",
            "usage policies",
            "safety system",
            "content exists risk",
            "inappropriate content",
            "was flagged",
            "flagged as",
            "flagged by",
            "requires moderation",
            "prohibited content",
            "blocked by our safety",
            "usage guidelines",
            "contentpolicyviolation",
            "guardrail",
            "\u654F\u611F",
            "\u4E0D\u5B89\u5168");
    private static final List<String> NO_MODEL = List.of(
            "model_not_found",
            "model not found",
            "model does not exist",
            "model not exist",
            "no such model",
            "unknown model",
            "invalid model",
            "not a valid model",
            "model identifier is invalid",
            "no endpoints found",
            "deployment does not exist");
    private static final List<String> KEY = List.of(
            "api key not valid",
            "api key not found",
            "api key expired",
            "api key is invalid",
            "api key is not valid",
            "api key invalid",
            "no api key",
            "missing api key",
            "invalid api key",
            "invalid api token",
            "incorrect api key",
            "wrong api key",
            "invalid api_key",
            "invalid_api_key",
            "invalid x-api-key",
            "invalid subscription key",
            "invalid authentication",
            "authentication failed",
            "authentication fails",
            "no auth credentials",
            "no cookie auth credentials",
            "missing authentication header",
            "unauthorized",
            "security token included in the request is invalid");
    private static final List<String> DENIED = List.of(
            "permission denied",
            "permission_denied",
            "location is not supported",
            "not authorized",
            "access denied",
            "do not have permission",
            "does not have permission",
            "only authorized for use",
            "organization has been disabled",
            "organization has been restricted",
            "account has been disabled",
            "account has been suspended",
            "account has been restricted");
    private static final List<String> RATE = List.of(
            "rate limit",
            "rate-limit",
            "rate_limit",
            "ratelimit",
            "too many requests",
            "requests per minute",
            "tokens per minute",
            "throttl",
            "please slow down");
    private static final List<String> BUSY = List.of(
            "overloaded",
            "at capacity",
            "capacity temporarily exceeded",
            "over capacity",
            "server is busy",
            "servers are busy",
            "high demand",
            "high load");
    private static final List<String> LATE = List.of("timed out", "timeout", "deadline exceeded");

    private final String words;
    private final int status;
    private final boolean saysWhen;

    private ErrorWords(String message, int status, boolean saysWhen) {
        this.words = Prose.beginning(message).toLowerCase(Locale.ROOT);
        this.status = status;
        this.saysWhen = saysWhen;
    }

    /**
     * What the words mean.
     *
     * @param message the words
     * @param status the status they stand beside; 200 for an error inside a good answer that names none
     * @param saysWhen whether the answer names a time to wait, so that waiting helps
     */
    static Optional<FailureKind> read(String message, int status, boolean saysWhen) {
        return message.isEmpty() ? Optional.empty() : new ErrorWords(message, status, saysWhen).kind();
    }

    /**
     * Whether a refusal for a limit can never end, because one request alone is larger than the limit. The providers give
     * it the code of a passing limit, so that only the words and their numbers tell.
     */
    static boolean neverFits(String message) {
        String words = Prose.beginning(message).toLowerCase(Locale.ROOT);
        if (!words.contains("request")) {
            return false;
        }
        for (int at = words.indexOf("limit"); at >= 0; at = words.indexOf("limit", at + 1)) {
            int end = isWordStart(words, at) ? numberEnd(words, at + 5) : -1;
            int requested = words.startsWith(",", end) ? requestedEnd(words, end + 1) : -1;
            if (requested > 0) {
                return numberBefore(words, requested) > numberBefore(words, end);
            }
        }
        return words.contains("request too large") && TOO_LARGE.matcher(words).find();
    }

    /** Where the number of what was asked for ends, if it stands within sixty characters; negative if there is none. */
    private static int requestedEnd(String words, int from) {
        int at = words.indexOf("requested", from);
        while (at >= 0 && at <= from + FARTHEST) {
            int end = isWordStart(words, at) ? numberEnd(words, at + 9) : -1;
            if (end > 0) {
                return end;
            }
            at = words.indexOf("requested", at + 1);
        }
        return -1;
    }

    /** Where the number of at most 15 digits in {@code : 30000} ends, which is a word of its own; negative if it is none. */
    private static int numberEnd(String words, int from) {
        int blank = words.startsWith(":", from) ? from + 1 : from;
        int end = blank + 1;
        while (end - blank <= LONGEST_NUMBER && isDigit(words, end)) {
            end++;
        }
        return words.startsWith(" ", blank) && end > blank + 1 && !isOfWord(words, end) ? end : -1;
    }

    private static long numberBefore(String words, int end) {
        return Long.parseLong(words, words.lastIndexOf(' ', end - 1) + 1, end, 10);
    }

    /** Whether the words say {@code limit: 0}, and neither 0.5 nor 05: nothing is allowed, today and tomorrow. */
    static boolean nothingAllowed(String message) {
        String words = Prose.beginning(message);
        for (int colon = words.indexOf(':'); colon >= 0; colon = words.indexOf(':', colon + 1)) {
            int zero = words.startsWith(" ", colon + 1) ? colon + 2 : colon + 1;
            boolean fraction = words.startsWith(".", zero + 1) && isDigit(words, zero + 2);
            if (colon >= 5
                    && words.regionMatches(true, colon - 5, "limit", 0, 5)
                    && isWordStart(words, colon - 5)
                    && words.startsWith("0", zero)
                    && !isOfWord(words, zero + 1)
                    && !fraction) {
                return true;
            }
        }
        return false;
    }

    private static boolean isWordStart(String words, int at) {
        return !isOfWord(words, at - 1);
    }

    private static boolean isOfWord(String words, int at) {
        if (at < 0 || at >= words.length()) {
            return false;
        }
        char c = words.charAt(at);
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || isDigit(words, at);
    }

    private static boolean isDigit(String words, int at) {
        return at >= 0 && at < words.length() && words.charAt(at) >= '0' && words.charAt(at) <= '9';
    }

    /**
     * Whether a refusal is for a limit of a day or a month, which no wait within a call outlasts. The window named first
     * counts: what follows praises other plans. The providers give it the code of a passing limit as well.
     */
    static boolean namesLongWindow(String message) {
        Matcher window = WINDOW.matcher(Prose.beginning(message).toLowerCase(Locale.ROOT));
        return window.find() && LONG_WINDOWS.contains(window.group(1) == null ? window.group(2) : window.group(1));
    }

    private Optional<FailureKind> kind() {
        return limits().or(this::request).or(this::access).or(this::load);
    }

    private Optional<FailureKind> limits() {
        boolean quota =
                has(BILLING) || (has(LONG_QUOTA) && !saysWhen) || (status != 429 && (has(QUOTA) || has(LONG_QUOTA)));
        return when(quota && status != 404, QUOTA_EXHAUSTED);
    }

    private Optional<FailureKind> request() {
        boolean about = isVague() || status == 413;
        return when(about && has(CONTEXT), CONTEXT_LENGTH)
                .or(() -> when((isVague() || status == 403) && has(CONTENT), CONTENT_POLICY))
                .or(() -> when(
                        (isVague() || status == 403)
                                && (has(NO_MODEL) || MODEL.matcher(words).find()),
                        MODEL_NOT_FOUND));
    }

    private Optional<FailureKind> access() {
        return when((isVague() || status == 403 || status == 498) && has(KEY), AUTH)
                .or(() -> when(isVague() && has(DENIED), PERMISSION));
    }

    private Optional<FailureKind> load() {
        boolean mayBeLoad = isVague() || status == 403 || status >= 500;
        return when(mayBeLoad && has(RATE), RATE_LIMITED)
                .or(() -> when((mayBeLoad || status == 429) && has(BUSY), OVERLOADED))
                .or(() -> when(status == 200 && has(LATE), TIMEOUT));
    }

    /** Statuses that say no more than that something is wrong. */
    private boolean isVague() {
        return status == 200 || status == 400 || status == 422 || status == 500;
    }

    private boolean has(List<String> phrases) {
        return phrases.stream().anyMatch(words::contains);
    }

    private static Optional<FailureKind> when(boolean condition, FailureKind kind) {
        return condition ? Optional.of(kind) : Optional.empty();
    }
}
