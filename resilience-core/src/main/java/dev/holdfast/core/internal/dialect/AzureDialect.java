package dev.holdfast.core.internal.dialect;

import dev.holdfast.Adjustment;
import dev.holdfast.Endpoint;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.DialectException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * OpenAI's documents at Azure: the URL forms and the key are its own. A model is a deployment there, known by its upstream name.
 *
 * <ul>
 *   <li>{@code https://NAME.openai.azure.com}, perhaps with {@code /openai}: {@code /openai/deployments/MODEL/…?api-version=…}
 *       for what a deployment is asked, {@code /openai/…?api-version=…} for the rest (learn.microsoft.com, "Azure OpenAI REST API
 *       reference", "Responses API")
 *   <li>{@code …/openai/deployments/MODEL}: below it, with the version
 *   <li>{@code …/openai/v1}: as at OpenAI, without a version unless one is set
 *   <li>{@code …/models} (Foundry): as at OpenAI, with the version
 * </ul>
 *
 * <p>A key goes as {@code api-key}, a token of Entra as {@code Authorization: Bearer}.
 */
public final class AzureDialect implements Dialect {
    /** The dialect's name. */
    public static final String NAME = "azure";

    private static final String VERSION = "api-version";
    /** What is asked of a deployment; everything else, such as the Responses API, stands beside the deployments. */
    private static final Pattern OF_A_DEPLOYMENT =
            Pattern.compile("/(chat/completions|completions|embeddings|audio/|images/|extensions/|realtime).*");

    private static final Pattern DEPLOYMENT = Pattern.compile("/openai/deployments/([^/]+)(/.+)");

    private final OpenAiDialect documents = new OpenAiDialect();

    /** How the base URL leads to what is asked for. */
    private enum Place {
        DEPLOYMENTS,
        BELOW_VERSIONED,
        BELOW;

        static Place of(URI base) {
            String path = Uris.path(base);
            if (path.isEmpty() || path.equals("/") || path.endsWith("/openai")) {
                return DEPLOYMENTS;
            }
            return path.endsWith("/models") || path.contains("/deployments/") ? BELOW_VERSIONED : BELOW;
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Form form() {
        return Form.OPENAI_CHAT;
    }

    /** What an endpoint lacks to be one of Azure's; empty if nothing. */
    static Optional<String> lack(Endpoint endpoint) {
        boolean needed = Place.of(endpoint.baseUrl()) != Place.BELOW;
        return needed && version(endpoint).isEmpty()
                ? Optional.of("api-version of endpoint " + endpoint.name()
                        + ": missing (expected: apiVersion(\"2024-10-21\") or a newer one, or a base-url that ends in"
                        + " /openai/v1, which needs none)")
                : Optional.empty();
    }

    /** The version that is set, or that the base URL carries itself. */
    private static Optional<String> version(Endpoint endpoint) {
        String query = endpoint.baseUrl().getRawQuery();
        boolean inUrl = query != null && List.of(query.split("&")).stream().anyMatch(each -> each.startsWith(VERSION));
        return inUrl ? Optional.of("") : endpoint.apiVersion();
    }

    @Override
    public WireRequest encodeRequest(OutgoingRequest outgoing) throws DialectException {
        Documents.expect(Form.OPENAI_CHAT, outgoing.request());
        Endpoint endpoint = outgoing.endpoint();
        Optional<String> lack = lack(endpoint);
        if (lack.isPresent()) {
            throw new DialectException("/: " + lack.get());
        }
        String path = outgoing.request().path().orElse(OpenAiDialect.CHAT_PATH);
        String rooted = path.startsWith("/") ? path : "/" + path;
        URI uri = Uris.below(endpoint.baseUrl(), versioned(endpoint, prefix(outgoing, rooted) + rooted));
        return OpenAiDialect.encode(outgoing, uri, WireHeaders.withKeyOrToken(outgoing, "api-key"));
    }

    private static String prefix(OutgoingRequest outgoing, String path) {
        URI base = outgoing.endpoint().baseUrl();
        if (Place.of(base) != Place.DEPLOYMENTS) {
            return "";
        }
        String root = Uris.path(base).endsWith("/openai") ? "" : "/openai";
        return OF_A_DEPLOYMENT.matcher(path).matches() ? root + "/deployments/" + Uris.segment(outgoing.model()) : root;
    }

    private static String versioned(Endpoint endpoint, String path) {
        Optional<String> version = version(endpoint).filter(each -> !each.isEmpty());
        return version.isEmpty() || path.contains(VERSION + "=")
                ? path
                : path + (path.contains("?") ? "&" : "?") + VERSION + "=" + Uris.segment(version.get());
    }

    @Override
    public ModelAnswer decodeAnswer(ModelRequest request, JsonObject document) throws DialectException {
        return documents.decodeAnswer(request, document);
    }

    /** A client of Azure names its deployment in the path. */
    @Override
    public ModelRequest decodeRequest(String path, JsonObject document) throws DialectException {
        String own = path.startsWith("/openai/v1/") ? path.substring("/openai".length()) : path;
        Matcher deployment = DEPLOYMENT.matcher(own);
        return deployment.matches()
                ? documents.decodeRequest(
                        Documents.withoutQuery(deployment.group(2)),
                        document.with("model", JsonValue.of(deployment.group(1))))
                : documents.decodeRequest(own, document);
    }

    @Override
    public JsonObject encodeAnswer(ModelAnswer answer, String model) {
        return documents.encodeAnswer(answer, model);
    }

    @Override
    public List<Adjustment> unsaid(ModelAnswer answer) {
        return documents.unsaid(answer);
    }

    @Override
    public Optional<StreamCodec> streams() {
        return documents.streams();
    }
}
