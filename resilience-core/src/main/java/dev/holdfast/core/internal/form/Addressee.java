package dev.holdfast.core.internal.form;

import dev.holdfast.Endpoint;
import dev.holdfast.Form;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Who reads a document: vendors of one form differ in what they take, and so do their models.
 *
 * @param form the form of the document
 * @param vendor who serves it
 * @param model the name the vendor knows the model by
 * @param maxOutput how many tokens the model writes at most; empty where unknown
 */
public record Addressee(Form form, Vendor vendor, String model, OptionalLong maxOutput) {
    /** By the ends of host names: the vendors' own. */
    private static final Map<String, Vendor> HOSTS = Map.of(
            "openai.com", Vendor.OPENAI,
            "azure.com", Vendor.AZURE,
            "anthropic.com", Vendor.ANTHROPIC,
            "googleapis.com", Vendor.GOOGLE,
            "deepseek.com", Vendor.DEEPSEEK,
            "mistral.ai", Vendor.MISTRAL,
            "openrouter.ai", Vendor.OPENROUTER,
            "together.ai", Vendor.TOGETHER,
            "together.xyz", Vendor.TOGETHER);

    /** By the words that endpoints and dialects are named with. */
    private static final Map<String, Vendor> WORDS = Map.ofEntries(
            Map.entry("openai", Vendor.OPENAI),
            Map.entry("azure", Vendor.AZURE),
            Map.entry("microsoft", Vendor.AZURE),
            Map.entry("anthropic", Vendor.ANTHROPIC),
            Map.entry("google", Vendor.GOOGLE),
            Map.entry("gemini", Vendor.GOOGLE),
            Map.entry("vertex", Vendor.GOOGLE),
            Map.entry("deepseek", Vendor.DEEPSEEK),
            Map.entry("mistral", Vendor.MISTRAL),
            Map.entry("openrouter", Vendor.OPENROUTER),
            Map.entry("together", Vendor.TOGETHER));

    /**
     * Who reads what goes to an endpoint: whom it names as its vendor, else whose host it is, else who invented the form.
     *
     * @param form the form of its dialect
     * @param endpoint the endpoint
     * @param model the name it knows the model by
     * @param maxOutput how many tokens the model writes at most; empty where unknown
     */
    public static Addressee of(Form form, Endpoint endpoint, String model, OptionalLong maxOutput) {
        Vendor vendor = endpoint.vendor()
                .flatMap(Addressee::named)
                .or(() -> hosted(endpoint.baseUrl().getHost()))
                .or(() -> endpoint.dialect().equals("openai") ? Optional.empty() : named(endpoint.dialect()))
                .orElse(inventor(form));
        return new Addressee(form, vendor, model, maxOutput);
    }

    /** Many servers speak OpenAI's form; the other two are spoken by those who invented them and by who serves their models. */
    private static Vendor inventor(Form form) {
        return switch (form) {
            case ANTHROPIC_MESSAGES -> Vendor.ANTHROPIC;
            case GEMINI_CONTENT -> Vendor.GOOGLE;
            case OPENAI_CHAT, OPAQUE -> Vendor.OTHER;
        };
    }

    private static Optional<Vendor> named(String word) {
        return Optional.ofNullable(WORDS.get(word.toLowerCase(Locale.ROOT)));
    }

    private static Optional<Vendor> hosted(@Nullable String said) {
        if (said == null) {
            return Optional.empty();
        }
        String lower = said.toLowerCase(Locale.ROOT);
        for (Map.Entry<String, Vendor> own : HOSTS.entrySet()) {
            String host = own.getKey();
            int before = lower.length() - host.length() - 1;
            if (lower.endsWith(host) && (before < 0 || lower.charAt(before) == '.')) {
                return Optional.of(own.getValue());
            }
        }
        return Optional.empty();
    }
}
