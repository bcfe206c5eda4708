package dev.holdfast.core.internal.dialect;

import dev.holdfast.Endpoint;
import dev.holdfast.spi.Dialect;
import java.util.List;
import java.util.Optional;

/** The dialects that need no jar of their own. */
public final class BuiltInDialects {
    private BuiltInDialects() {}

    /** {@return one of each} */
    public static List<Dialect> all() {
        return List.of(
                new OpenAiDialect(),
                new AzureDialect(),
                new AnthropicDialect(),
                new GeminiDialect(),
                new VertexDialect());
    }

    /**
     * {@return what an endpoint lacks for its dialect, with the setting and the fix; empty if nothing}
     *
     * @param endpoint the endpoint
     */
    public static Optional<String> lack(Endpoint endpoint) {
        return switch (endpoint.dialect()) {
            case AzureDialect.NAME -> AzureDialect.lack(endpoint);
            case VertexDialect.NAME -> VertexDialect.lack(endpoint);
            default -> Optional.empty();
        };
    }
}
