package dev.holdfast.tests.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.Form;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.ModelStream;
import dev.holdfast.Price;
import dev.holdfast.Usage;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.routing.Budget;
import dev.holdfast.routing.Budgets;
import dev.holdfast.routing.Ledger;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.PriceSource;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.transport.JdkTransport;
import java.math.BigDecimal;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What each vendor says it used, asked for in each form, whole and streamed over sockets: one split of tokens by the vendor's own
 * rules, and the cost in answer, ledger and budget to the last digit. The expected numbers are worked out by hand.
 */
class UsageOfEachVendorTest {
    /** Dollars per million: input 3, from the cache 0.3, written to it 3.75, output 15, reasoning 20. */
    private static final PriceSource PRICES = (model, at) -> Optional.of(Price.of(new Price.Rates(
            new BigDecimal("3"),
            new BigDecimal("0.3"),
            new BigDecimal("3.75"),
            new BigDecimal("15"),
            new BigDecimal("20"))));

    /**
     * An answer with usage.
     *
     * @param usage what it costs, by hand
     * @param streamed the documents of the stream, one a line
     */
    private record Vendor(String name, String model, Usage usage, String usd, String whole, String streamed) {}

    private static final List<Vendor> VENDORS = List.of(
            // The cached 600 of 1,000 are part of the prompt; the 40 of reasoning part of the 50.
            // 400 x 3 + 600 x 0.3 + 10 x 15 + 40 x 20 = 1200 + 180 + 150 + 800 millionths
            new Vendor(
                    "openai",
                    "gpt-4.1",
                    new Usage(400, 600, 0, 50, 40),
                    "0.00233",
                    "{'id':'i','model':'m','choices':[{'index':0,'message':{'role':'assistant','content':'ok'},"
                            + "'finish_reason':'stop'}],'usage':{'prompt_tokens':1000,'completion_tokens':50,"
                            + "'total_tokens':1050,'prompt_tokens_details':{'cached_tokens':600},"
                            + "'completion_tokens_details':{'reasoning_tokens':40}}}",
                    """
                    {'id':'i','model':'m','choices':[{'index':0,'delta':{'role':'assistant','content':'ok'}}]}
                    {'id':'i','model':'m','choices':[{'index':0,'delta':{},'finish_reason':'stop'}]}
                    {'id':'i','model':'m','choices':[],'usage':{'prompt_tokens':1000,'completion_tokens':50,'total_tokens':1050,\
                    'prompt_tokens_details':{'cached_tokens':600},'completion_tokens_details':{'reasoning_tokens':40}}}
                    """),
            // Read and written come on top of the input; the start of the stream counts 1 of output, the end all 30, 10
            // of them thoughts.
            // 100 x 3 + 2000 x 0.3 + 500 x 3.75 + 20 x 15 + 10 x 20 = 300 + 600 + 1875 + 300 + 200 millionths
            new Vendor(
                    "anthropic",
                    "claude-sonnet-4-5",
                    new Usage(100, 2_000, 500, 30, 10),
                    "0.003275",
                    "{'id':'i','type':'message','role':'assistant','model':'m','content':[{'type':'text','text':'ok'}],"
                            + "'stop_reason':'end_turn','usage':{'input_tokens':100,'cache_read_input_tokens':2000,"
                            + "'cache_creation_input_tokens':500,'cache_creation':{'ephemeral_5m_input_tokens':400,"
                            + "'ephemeral_1h_input_tokens':100},'output_tokens':30,'output_tokens_details':{'thinking_tokens':10}}}",
                    """
                    {'type':'message_start','message':{'id':'i','type':'message','role':'assistant','model':'m','content':[],\
                    'usage':{'input_tokens':100,'cache_read_input_tokens':2000,'cache_creation_input_tokens':500,\
                    'cache_creation':{'ephemeral_5m_input_tokens':400,'ephemeral_1h_input_tokens':100},'output_tokens':1}}}
                    {'type':'content_block_start','index':0,'content_block':{'type':'text','text':''}}
                    {'type':'content_block_delta','index':0,'delta':{'type':'text_delta','text':'ok'}}
                    {'type':'content_block_stop','index':0}
                    {'type':'message_delta','delta':{'stop_reason':'end_turn'},'usage':{'output_tokens':30,'output_tokens_details':{'thinking_tokens':10}}}
                    {'type':'message_stop'}
                    """),
            // What tools brought in, 70, is input beside the prompt of 900, of which 300 were cached; thoughts of 25
            // come on
            // top of the candidates' 15.
            // 670 x 3 + 300 x 0.3 + 15 x 15 + 25 x 20 = 2010 + 90 + 225 + 500 millionths
            new Vendor(
                    "gemini",
                    "gemini-2.5-flash",
                    new Usage(670, 300, 0, 40, 25),
                    "0.002825",
                    "{'candidates':[{'content':{'parts':[{'text':'ok'}],'role':'model'},'finishReason':'STOP','index':0}],"
                            + "'usageMetadata':{'promptTokenCount':900,'cachedContentTokenCount':300,"
                            + "'toolUsePromptTokenCount':70,'candidatesTokenCount':15,'thoughtsTokenCount':25,"
                            + "'totalTokenCount':1010},'modelVersion':'m','responseId':'i'}",
                    """
                    {'candidates':[{'content':{'parts':[{'text':'o'}],'role':'model'},'index':0}],'usageMetadata':\
                    {'promptTokenCount':900,'cachedContentTokenCount':300,'totalTokenCount':925,'thoughtsTokenCount':25}}
                    {'candidates':[{'content':{'parts':[{'text':'k'}],'role':'model'},'finishReason':'STOP','index':0}],\
                    'usageMetadata':{'promptTokenCount':900,'cachedContentTokenCount':300,'toolUsePromptTokenCount':70,\
                    'candidatesTokenCount':15,'thoughtsTokenCount':25,'totalTokenCount':1010}}
                    """));

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    private static JsonObject document(String text) {
        return JsonText.parse(json(text)).asObject().orElseThrow();
    }

    private static ModelRequest request(String asked, String model) {
        return switch (asked) {
            case "openai" ->
                ModelRequest.chat(model)
                        .user("Name three rivers.")
                        .maxTokens(50)
                        .build();
            case "anthropic" ->
                ModelRequest.of(
                        Form.ANTHROPIC_MESSAGES,
                        document("{'model':'" + model
                                + "','max_tokens':50,'messages':[{'role':'user','content':'q'}]}"));
            default ->
                ModelRequest.of(
                        Form.GEMINI_CONTENT, model, document("{'contents':[{'role':'user','parts':[{'text':'q'}]}]}"));
        };
    }

    private static Reply reply(Vendor vendor, ProviderRequest request) {
        if (!request.asksForStream()) {
            return Reply.json(200, document(vendor.whole()));
        }
        var chunks = new ArrayList<Reply.Chunk>();
        vendor.streamed().lines().forEach(line -> {
            String type = document(line)
                    .text("type")
                    .map(each -> "event: " + each + "\n")
                    .orElse("");
            chunks.add(Reply.Chunk.of(type + "data: " + json(line) + "\n\n"));
        });
        if (vendor.name().equals("openai")) {
            chunks.add(Reply.Chunk.of("data: [DONE]\n\n"));
        }
        return Reply.events(chunks);
    }

    @TestFactory
    Stream<DynamicTest> isCountedByItsOwnRulesAndPaidToTheLastDigit() {
        return VENDORS.stream()
                .flatMap(vendor -> Stream.of("openai", "anthropic", "gemini")
                        .flatMap(asked -> Stream.of(false, true)
                                .map(streamed -> dynamicTest(
                                        vendor.name() + ", asked in the form of " + asked
                                                + (streamed ? ", streamed" : ""),
                                        () -> play(vendor, asked, streamed)))));
    }

    private static void play(Vendor vendor, String asked, boolean streamed) {
        Ledger ledger = Ledger.create();
        Budgets budgets = Budgets.of(100, Timekeeper.system(), Budget.perDay("day", new BigDecimal("100")));
        try (var provider = FaultyProvider.start(FaultScript.answering(request -> reply(vendor, request)));
                ResilientClient client = client(vendor, provider, ledger, budgets)) {
            CallOptions options = CallOptions.none().withTenant("acme");
            ModelResponse response = ask(client, request(asked, vendor.model()), options, streamed);
            Cost cost = new Cost(new BigDecimal(vendor.usd()));
            assertThat(response.text()).hasValue("ok");
            assertThat(response.usage()).hasValue(vendor.usage());
            assertThat(response.cost()).hasValue(cost);
            assertThat(ledger.total().reported().usage()).isEqualTo(vendor.usage());
            assertThat(ledger.total().cost()).isEqualTo(cost);
            assertThat(ledger.total().isExact()).isTrue();
            assertThat(ledger.byModel().of(vendor.model()).cost()).isEqualTo(cost);
            assertThat(ledger.byTenant().of("acme").cost()).isEqualTo(cost);
            assertThat(budgets.statusOf(options).getFirst().spent()).isEqualTo(cost);
            assertThat(budgets.statusOf(options).getFirst().reserved()).isEqualTo(Cost.ZERO);
        }
    }

    private static ModelResponse ask(
            ResilientClient client, ModelRequest request, CallOptions options, boolean streamed) {
        if (!streamed) {
            return client.call(request, options);
        }
        try (ModelStream stream = client.stream(request, options)) {
            return stream.toResponse();
        }
    }

    private static ResilientClient client(Vendor vendor, FaultyProvider provider, Ledger ledger, Budgets budgets) {
        URI base = vendor.name().equals("openai")
                ? provider.baseUrl()
                : provider.baseUrl().resolve("/");
        return ResilientClient.builder()
                .endpoint(Endpoint.builder(vendor.name(), base)
                        .dialect(vendor.name())
                        .credential(Credential.of("key-1"))
                        .build())
                .model(ModelSettings.of(vendor.model()).withEndpoints(vendor.name()))
                .retry(RetryPolicy.standard())
                .transport(new JdkTransport())
                .discovery(false)
                .prices(PRICES)
                .listener(ledger)
                .spendGuard(budgets)
                .build();
    }
}
