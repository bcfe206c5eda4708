package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.config.ClientSettings;
import dev.holdfast.core.config.Key;
import dev.holdfast.core.config.Schema;
import dev.holdfast.simulation.FaultyProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippets and the reference of docs/configuration.md. */
class ConfigurationSnippetsTest {
    @TempDir
    private Path directory;

    /** The file that the page shows, against a provider of this machine. */
    @Test
    void aClientIsBuiltFromTheFileOfThePage() throws IOException {
        Guide.Block shown = Guide.blocks(Guide.root().resolve("docs/configuration.md")).stream()
                .filter(block -> block.language().equals("json"))
                .findFirst()
                .orElseThrow();
        try (FaultyProvider provider = FaultyProvider.start()) {
            String text = String.join("\n", shown.lines())
                    .replace("https://api.openai.com/v1", provider.baseUrl().toString())
                    .replace("${OPENAI_API_KEY}", "key");
            Path file = Files.writeString(directory.resolve("holdfast.json"), text);
            // snippet: configuration
            ResilientClient client =
                    ClientSettings.read(file).applyTo(ResilientClient.builder()).build();
            // end
            try (client) {
                assertThat(client.call(Local.request()).answer().text()).isPresent();
            }
        }
    }

    /** {@code -Dholdfast.docs.write=true} writes both anew. */
    @Test
    void theReferenceAndTheSchemaAreThoseOfTheKeys() throws IOException {
        Path page = Guide.root().resolve("docs/configuration.md");
        Path schema = Guide.root().resolve("docs/holdfast.schema.json");
        String begin = "<!-- reference -->\n";
        String words = Files.readString(page);
        String expected = words.substring(0, words.indexOf(begin) + begin.length()) + "\n" + reference();
        String document = ClientSettings.SCHEMA.toJsonSchema().toJson() + "\n";
        if (Boolean.getBoolean("holdfast.docs.write")) {
            Files.writeString(page, expected);
            Files.write(schema, document.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(page).hasContent(expected);
        assertThat(schema).hasContent(document);
    }

    private static String reference() {
        var text = new StringBuilder();
        var sections = new ArrayList<Schema>();
        sections.add(ClientSettings.SCHEMA);
        for (int i = 0; i < sections.size(); i++) {
            Schema schema = sections.get(i);
            String title = schema.title();
            text.append("### ").append(Character.toUpperCase(title.charAt(0))).append(title.substring(1));
            text.append("\n\n| key | takes | default | meaning |\n| --- | --- | --- | --- |\n");
            for (Key<?> key : schema.keys()) {
                text.append("| `")
                        .append(key.name())
                        .append("` | ")
                        .append(key.kind().form())
                        .append(" | ");
                text.append(key.usual().map(usual -> "`" + usual + "`").orElse(""))
                        .append(" | ");
                text.append(key.meaning()).append(" |\n");
                key.kind().inner().filter(inner -> !sections.contains(inner)).ifPresent(sections::add);
            }
            schema.shorthand()
                    .ifPresent(key -> text.append("\nA single value in place of this section stands for `")
                            .append(key.name())
                            .append("`.\n"));
            text.append("\n");
        }
        return text.toString().stripTrailing() + "\n";
    }

    @Test
    void theFileOfThePageInYamlSaysTheSame() throws IOException {
        List<Guide.Block> blocks = Guide.blocks(Guide.root().resolve("docs/configuration.md"));
        List<String> names = new ArrayList<>();
        for (String language : List.of("json", "yaml")) {
            Guide.Block block = blocks.stream()
                    .filter(each -> each.language().equals(language))
                    .findFirst()
                    .orElseThrow();
            Path file = Files.writeString(
                    directory.resolve("holdfast." + language),
                    String.join("\n", block.lines()).replace("${OPENAI_API_KEY}", "key"));
            ClientSettings settings = ClientSettings.read(file);
            names.add(settings.endpoints() + " " + settings.models() + " " + settings.prices());
        }
        assertThat(names.get(0)).isEqualTo(names.get(1));
    }
}
