package dev.holdfast.core.internal.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.internal.form.Translation.Said;
import dev.holdfast.core.internal.json.JsonReader;
import dev.holdfast.spi.DialectException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Requests that were sent to real providers: read and written again, and taken to the other forms and back. */
class RecordedRequestsTest {
    private static final Set<String> OPAQUE_INSIDE =
            Set.of("args", "response", "parameters", "responseSchema", "responseJsonSchema", "parametersJsonSchema");

    private record Recorded(String id, ModelRequest request, boolean served) {}

    private static List<Recorded> recorded() throws IOException {
        Path folder = Path.of(System.getProperty("holdfast.shared", "../../shared"), "data", "exchanges");
        assumeThat(folder)
                .as("recorded exchanges at ../shared/data/exchanges from the project's root")
                .isDirectory();
        var all = new ArrayList<Recorded>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                for (String line : Files.readAllLines(file)) {
                    JsonObject exchange = JsonReader.read(line).asObject().orElseThrow();
                    JsonObject request = exchange.object("request").orElseThrow();
                    long status = exchange.object("response")
                            .orElseThrow()
                            .longValue("status")
                            .orElse(0);
                    String uri = request.text("uri").orElse("");
                    JsonReader.tryRead(request.text("body").orElse(""))
                            .flatMap(JsonValue::asObject)
                            .filter(document -> formOf(document) != Form.OPAQUE)
                            .ifPresent(document -> all.add(new Recorded(
                                    exchange.text("id").orElse(""), request(uri, document), status < 400)));
                }
            }
        }
        return all;
    }

    private static Form formOf(JsonObject document) {
        if (document.get("contents").isPresent()) {
            return Form.GEMINI_CONTENT;
        }
        if (document.get("messages").isEmpty()) {
            return Form.OPAQUE;
        }
        return document.text("model").orElse("").startsWith("claude") ? Form.ANTHROPIC_MESSAGES : Form.OPENAI_CHAT;
    }

    private static ModelRequest request(String uri, JsonObject document) {
        Form form = formOf(document);
        String model = document.text("model").orElseGet(() -> uri.replaceAll(".*/models/([^:/]+).*", "$1"));
        return ModelRequest.of(form, model, document)
                .withStreaming(
                        form == Form.GEMINI_CONTENT
                                ? uri.contains("streamGenerateContent")
                                : document.get("stream").map(JsonValue::isTrue).orElse(false));
    }

    @Test
    void eachServedRequestIsReadAndWrittenAsItWas() throws Exception {
        int count = 0;
        for (Recorded recorded : recorded()) {
            if (recorded.served()) {
                ModelRequest request = recorded.request();
                Conversation read = Translation.read(request);
                Addressee same =
                        new Addressee(request.form(), Vendor.OTHER, request.model(), java.util.OptionalLong.empty());
                JsonObject written = Translation.writer(request.form()).write(read, same, new Changes());
                assertThat(Facts.sorted(normal(request.form(), written)).toJson())
                        .as(recorded.id())
                        .isEqualTo(Facts.sorted(normal(request.form(), withModel(request)))
                                .toJson());
                count++;
            }
        }
        assertThat(count).isGreaterThan(200);
    }

    /** Azure's documents need not name the model: the path does. */
    private static JsonObject withModel(ModelRequest request) {
        return request.form() == Form.GEMINI_CONTENT
                ? request.document()
                : request.document().with("model", JsonValue.of(request.model()));
    }

    /** Gemini's members in one of their two spellings, and without objects that say nothing, which mean the same to it. */
    private static JsonValue normal(Form form, JsonObject document) {
        return form == Form.GEMINI_CONTENT ? camel(document) : document;
    }

    private static JsonValue camel(JsonValue value) {
        return switch (value) {
            case JsonObject object -> {
                JsonObject.Builder renamed = JsonObject.builder();
                object.members().forEach((name, member) -> {
                    String camel = camel(name);
                    boolean empty = camel.equals("generationConfig")
                            && member instanceof JsonObject inner
                            && inner.members().isEmpty();
                    if (!empty) {
                        renamed.with(camel, OPAQUE_INSIDE.contains(camel) ? member : camel(member));
                    }
                });
                yield renamed.build();
            }
            case JsonArray(List<JsonValue> elements) ->
                new JsonArray(elements.stream().map(RecordedRequestsTest::camel).toList());
            default -> value;
        };
    }

    private static String camel(String name) {
        var camel = new StringBuilder();
        for (String word : name.split("_")) {
            camel.append(
                    camel.isEmpty() || word.isEmpty()
                            ? word
                            : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return camel.toString();
    }

    @Test
    void eachServedRequestCrossesToTheOtherFormsAndBackWithoutSilentLoss() throws Exception {
        int crossings = 0;
        for (Recorded recorded : recorded()) {
            if (!recorded.served()) {
                continue;
            }
            ModelRequest request = withOneSpelling(recorded.request());
            for (Addressee addressee : List.of(Crossing.OPENAI, Crossing.CLAUDE, Crossing.GEMINI)) {
                if (addressee.form() != request.form()) {
                    cross(recorded.id(), request, addressee);
                    crossings++;
                }
            }
        }
        assertThat(crossings).isGreaterThan(400);
    }

    @Test
    void eachMemberOfAServedRequestCounts() throws Exception {
        var silent = new ArrayList<String>();
        Set<String> seen = new HashSet<>();
        for (Recorded recorded : recorded()) {
            if (!recorded.served()) {
                continue;
            }
            ModelRequest request = withOneSpelling(recorded.request());
            Set<String> here = new HashSet<>();
            for (Addressee addressee : List.of(Crossing.OPENAI, Crossing.CLAUDE, Crossing.GEMINI_NEXT)) {
                if (addressee.form() != request.form()) {
                    silent.addAll(EveryMemberCountsTest.silent(request, addressee, pointer -> {
                        String kind = request.form() + pointer.replaceAll("/[0-9]+", "/*");
                        boolean fresh = !seen.contains(kind) && !pointer.contains("/properties/");
                        here.add(kind);
                        return fresh;
                    }));
                }
            }
            seen.addAll(here);
        }
        assertThat(seen).hasSizeGreaterThan(200);
        assertThat(silent).isEmpty();
    }

    private static ModelRequest withOneSpelling(ModelRequest request) {
        return request.form() == Form.GEMINI_CONTENT
                ? request.withDocument((JsonObject) camel(request.document()))
                : request;
    }

    private static void cross(String id, ModelRequest request, Addressee addressee) throws DialectException {
        try {
            Said there = Crossing.to(addressee, request);
            assertThat(there.request().streaming()).isEqualTo(request.streaming());
            Addressee home =
                    switch (request.form()) {
                        case OPENAI_CHAT -> Crossing.OPENAI;
                        case ANTHROPIC_MESSAGES -> Crossing.CLAUDE;
                        default -> Crossing.GEMINI;
                    };
            Said back = Crossing.to(home, there.request());
            assertThat(back.request().streaming()).isEqualTo(request.streaming());
        } catch (AssertionError e) {
            throw new AssertionError(id + " to " + addressee + ": " + e.getMessage(), e);
        }
    }
}
