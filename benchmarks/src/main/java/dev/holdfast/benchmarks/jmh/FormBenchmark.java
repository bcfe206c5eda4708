package dev.holdfast.benchmarks.jmh;

import dev.holdfast.Bytes;
import dev.holdfast.Endpoint;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.ToolCall;
import dev.holdfast.core.internal.dialect.OpenAiDialect;
import dev.holdfast.core.internal.form.Addressee;
import dev.holdfast.core.internal.form.Conversation;
import dev.holdfast.core.internal.form.Translation;
import dev.holdfast.core.internal.form.Vendor;
import dev.holdfast.core.internal.json.JsonReader;
import dev.holdfast.spi.Dialect.OutgoingRequest;
import dev.holdfast.spi.Dialect.WireRequest;
import dev.holdfast.spi.DialectException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A request on its way out and in: written to bytes as it is, passed through to a server of its own form, translated to the
 * other two; parsed, and read to what it says. The request is a talk with tools. {@code ./holdfast jmh FormBenchmark -prof gc}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class FormBenchmark {
    private static final Addressee OPENAI =
            new Addressee(Form.OPENAI_CHAT, Vendor.OPENAI, "gpt-4.1", OptionalLong.empty());
    private static final Addressee CLAUDE =
            new Addressee(Form.ANTHROPIC_MESSAGES, Vendor.ANTHROPIC, "claude-sonnet-4-5", OptionalLong.empty());
    private static final Addressee GEMINI =
            new Addressee(Form.GEMINI_CONTENT, Vendor.GOOGLE, "gemini-2.5-flash", OptionalLong.empty());
    private static final String TEXT = "The river rises in the hills and flows to the sea past mills and towns. ";

    private final Endpoint endpoint =
            Endpoint.builder("openai", URI.create("http://localhost/v1")).build();
    private final OpenAiDialect dialect = new OpenAiDialect();

    @Param({"1024", "102400"})
    private int bytes = 1_024;

    private ModelRequest request = talk(1_024);
    private ModelRequest claude = request;
    private String text = "";

    @Setup
    public void prepare() throws DialectException {
        request = talk(bytes);
        claude = Translation.say(request, CLAUDE).request();
        text = request.document().toJson();
    }

    private static ModelRequest talk(int bytes) {
        JsonObject schema = JsonObject.of("type", JsonValue.of("object"))
                .with("properties", JsonObject.of("q", JsonObject.of("type", JsonValue.of("string"))));
        var builder = ModelRequest.chat("gpt-4.1")
                .system("Answer from what the tools say.")
                .tool("look_up", "Looks something up.", schema)
                .maxTokens(512);
        int rounds = Math.max(1, bytes / 1_024);
        for (int i = 0; i < rounds; i++) {
            builder.user(TEXT.repeat(5))
                    .toolCalls(List.of(new ToolCall("call_" + i, "look_up", "{\"q\":\"river " + i + "\"}")))
                    .toolResult("call_" + i, TEXT);
        }
        return builder.build();
    }

    /** Only the writing. */
    @Benchmark
    public Bytes written() {
        return Bytes.utf8(request.document().toJson());
    }

    /** All that is done to send it to a server of its own form, the writing included. */
    @Benchmark
    public WireRequest passThrough() throws DialectException {
        ModelRequest said = Translation.say(request, OPENAI).request();
        return dialect.encodeRequest(new OutgoingRequest(said, "gpt-4.1", endpoint, Optional.empty()));
    }

    /** What passing through does beside the writing. */
    @Benchmark
    public ModelRequest sameForm() throws DialectException {
        return Translation.say(request, OPENAI).request();
    }

    @Benchmark
    public Bytes toAnthropic() throws DialectException {
        return Bytes.utf8(Translation.say(request, CLAUDE).request().document().toJson());
    }

    @Benchmark
    public Bytes toGemini() throws DialectException {
        return Bytes.utf8(Translation.say(request, GEMINI).request().document().toJson());
    }

    @Benchmark
    public Bytes anthropicToOpenAi() throws DialectException {
        return Bytes.utf8(Translation.say(claude, OPENAI).request().document().toJson());
    }

    /** Only the parsing. */
    @Benchmark
    public JsonValue parsed() {
        return JsonReader.read(text);
    }

    /** Parsed and taken as it is, as a server does that passes it on. */
    @Benchmark
    public ModelRequest received() throws DialectException {
        return dialect.decodeRequest("/v1/chat/completions", (JsonObject) JsonReader.read(text));
    }

    /** Read to what it says, the parsing not included. */
    @Benchmark
    public Conversation understood() throws DialectException {
        return Translation.read(request);
    }
}
