package dev.holdfast.core.internal.dialect;

import dev.holdfast.Form;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.Usage;
import java.util.List;
import java.util.Optional;

/** Reads answers of no form: the document, and its usage where it has one of a form that is known. */
final class OpaqueAnswers {
    private OpaqueAnswers() {}

    static ModelAnswer decode(JsonObject document) {
        return new ModelAnswer(
                Form.OPAQUE,
                document,
                document.text("model").or(() -> document.text("modelVersion")),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                usage(document));
    }

    private static Optional<Usage> usage(JsonObject document) {
        Optional<JsonObject> said = document.object("usage");
        boolean anthropic = said.filter(AnthropicUsage::isOwn).isPresent();
        return (anthropic ? said.flatMap(AnthropicUsage::decode) : OpenAiUsage.decode(document))
                .or(() -> document.object("usageMetadata").flatMap(GeminiUsage::decode));
    }
}
