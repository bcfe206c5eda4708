package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallOptions;
import dev.holdfast.ModelRequest;
import dev.holdfast.Route;
import dev.holdfast.spi.ModelRouter.RouteRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RagRouterTest {
    private static final List<String> MODELS = List.of("gpt-4.1", "gpt-4.1-mini", "deepseek-v3.2", "gemini-2.5-flash");

    @ParameterizedTest
    @CsvSource({
        "standard,   32003, 'gemini-2.5-flash,deepseek-v3.2'",
        "premium,    32003, 'gpt-4.1,gemini-2.5-flash,deepseek-v3.2'",
        "enterprise, 32003, 'gpt-4.1,gemini-2.5-flash,deepseek-v3.2'",
        "standard,   32004, 'deepseek-v3.2,gemini-2.5-flash'",
        "premium,    32004, 'deepseek-v3.2,gemini-2.5-flash'",
    })
    void contextAndTierDecide(String tier, int characters, String expected) {
        assertThat(route("가".repeat(characters), tier, RagRouter.defaults()).models())
                .containsExactly(expected.split(","));
    }

    @Test
    void eachDocumentIsReckonedByItself() {
        RagRouter router = RagRouter.defaults().withContext(request -> List.of("x".repeat(16_003), "y".repeat(16_003)));
        assertThat(route("question", "standard", router).reason()).isEqualTo("rag: 8000 tokens of context, standard");
    }

    @Test
    void withoutATierAUserIsStandard() {
        ModelRequest request = ModelRequest.chat("asked").user("hello").build();
        assertThat(RagRouter.defaults()
                        .route(SeedRouterTest.request(request, MODELS))
                        .models())
                .containsExactly("gemini-2.5-flash", "deepseek-v3.2");
    }

    @Test
    void modelsThatAreNotConfiguredAreLeftOut() {
        ModelRequest request = ModelRequest.chat("asked").user("hello").build();
        assertThat(RagRouter.defaults()
                        .route(SeedRouterTest.request(request, List.of("other", "deepseek-v3")))
                        .models())
                .containsExactly("deepseek-v3");
        assertThat(RagRouter.defaults()
                        .route(SeedRouterTest.request(request, List.of("gpt-4.1")))
                        .models())
                .containsExactly("asked");
    }

    private static Route route(String question, String tier, RagRouter router) {
        ModelRequest request = ModelRequest.chat("asked").user(question).build();
        CallOptions options = CallOptions.none().withTag("tier", tier);
        return router.route(new RouteRequest(
                request, options, SeedRouterTest.request(request, MODELS).models()));
    }
}
