package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.config.ClientSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What editors complete and check a gateway's file by. */
class GatewaySchemaTest {
    private static Path page() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isRegularFile(root.resolve("docs/gateway.md"))) {
            root = root.getParent();
        }
        return root.resolve("docs/gateway.md");
    }

    /** {@code -Dholdfast.docs.write=true} writes it anew. */
    @Test
    void theSchemaIsThatOfTheKeys() throws IOException {
        Path schema = page().resolveSibling("holdfast-gateway.schema.json");
        String document = GatewaySettings.SCHEMA.toJsonSchema().toJson() + "\n";
        if (Boolean.getBoolean("holdfast.docs.write")) {
            Files.write(schema, document.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(schema).hasContent(document);
        assertThat(page()).content().contains("](holdfast-gateway.schema.json)");
    }

    /** Beside those of a client it has the gateway's own, and says which of the two it is. */
    @Test
    void theSchemaHasTheKeysOfAClientAndItsOwn() {
        JsonObject own = GatewaySettings.SCHEMA.toJsonSchema();
        JsonObject clients = ClientSettings.SCHEMA.toJsonSchema();
        assertThat(own.text("title")).contains("a gateway of Holdfast");
        JsonObject properties = own.object("properties").orElseThrow();
        clients.object("properties")
                .orElseThrow()
                .members()
                .forEach((name, property) ->
                        assertThat(properties.get(name)).as(name).contains(property));
        assertThat(properties.members().keySet()).contains("listen", "api-keys", "cache", "alerts", "stop");
    }
}
