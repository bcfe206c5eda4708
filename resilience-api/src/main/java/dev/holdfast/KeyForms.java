package dev.holdfast;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Tells whose key a key looks like, by the prefixes that vendors give theirs, so that it is not sent to another vendor. Only
 * the hosts of vendors are checked, and only keys that look like another's are refused: a key without a known prefix may be
 * of a kind that is newer than this table.
 */
final class KeyForms {
    /** The more specific prefix comes first: {@code sk-} alone is OpenAI's, and of many who copy its form. */
    private static final List<Form> FORMS = List.of(
            new Form("Anthropic", "sk-ant-"),
            new Form("OpenRouter", "sk-or-"),
            new Form("HolySheep", "sk-hs-"),
            new Form("OpenAI", "sk-proj-"),
            new Form("OpenAI", "sk-svcacct-"),
            new Form("OpenAI", "sk-admin-"),
            new Form("OpenAI", "sk-"),
            new Form("OpenAI", "sess-"),
            new Form("Groq", "gsk_"),
            new Form("xAI", "xai-"),
            new Form("Google", "AIza"),
            new Form("Google", "ya29."),
            new Form("Perplexity", "pplx-"),
            new Form("Hugging Face", "hf_"),
            new Form("NVIDIA", "nvapi-"),
            new Form("Fireworks", "fw_"),
            new Form("Cerebras", "csk-"),
            new Form("Replicate", "r8_"),
            new Form("Amazon", "AKIA"),
            new Form("GitHub", "ghp_"),
            new Form("GitHub", "github_pat_"));

    private static final List<Host> HOSTS = List.of(
            new Host("api.openai.com", "OpenAI", false),
            new Host("openai.azure.com", "Azure", false),
            new Host("services.ai.azure.com", "Azure", false),
            new Host("cognitiveservices.azure.com", "Azure", false),
            new Host("api.anthropic.com", "Anthropic", false),
            new Host("generativelanguage.googleapis.com", "Google", false),
            new Host("aiplatform.googleapis.com", "Google", false),
            new Host("api.groq.com", "Groq", false),
            new Host("api.x.ai", "xAI", false),
            new Host("openrouter.ai", "OpenRouter", false),
            new Host("holysheep.ai", "HolySheep", true),
            new Host("api.deepseek.com", "DeepSeek", true),
            new Host("api.mistral.ai", "Mistral", false),
            new Host("api.perplexity.ai", "Perplexity", false),
            new Host("huggingface.co", "Hugging Face", false),
            new Host("integrate.api.nvidia.com", "NVIDIA", false),
            new Host("api.fireworks.ai", "Fireworks", false),
            new Host("api.cerebras.ai", "Cerebras", false));

    private KeyForms() {}

    private record Form(String vendor, String prefix) {}

    /** Where a vendor is, and whether its keys have OpenAI's plain form. */
    private record Host(String name, String vendor, boolean plainForm) {
        boolean isAt(String host) {
            return host.equals(name) || host.endsWith("." + name);
        }

        boolean takes(Form form) {
            return form.vendor.equals(vendor) || (plainForm && form.prefix.equals("sk-"));
        }
    }

    /** Refuses a key that looks like that of another vendor than the one at the address; the key itself is not told. */
    static void check(String setting, Secret key, URI baseUrl) {
        String host = String.valueOf(baseUrl.getHost()).toLowerCase(Locale.ROOT);
        Optional<Host> vendor = HOSTS.stream().filter(each -> each.isAt(host)).findFirst();
        Optional<Form> form = FORMS.stream()
                .filter(each -> key.reveal().startsWith(each.prefix))
                .findFirst();
        if (vendor.isPresent() && form.isPresent() && !vendor.get().takes(form.get())) {
            throw new IllegalArgumentException(setting + ": looks like a key of " + form.get().vendor
                    + " (expected: one of " + vendor.get().vendor + ", whose host is " + host + ")");
        }
    }
}
