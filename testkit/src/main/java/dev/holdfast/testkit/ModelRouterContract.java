package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.CallOptions;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.Route;
import dev.holdfast.spi.ModelRouter;
import dev.holdfast.spi.ModelRouter.LikelyRoute;
import dev.holdfast.spi.ModelRouter.ModelStatus;
import dev.holdfast.spi.ModelRouter.RouteRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every {@link ModelRouter} keeps. Extend it in a test of your own. */
public abstract class ModelRouterContract {
    private static final String ASKED = "the-model-asked-for";

    /** For subclasses. */
    protected ModelRouterContract() {}

    /** {@return the router under test} */
    protected abstract ModelRouter router();

    /** {@return the models a client of this router would configure} */
    protected abstract List<String> models();

    /** Only models that are configured, or the one asked for, are named; no user pays for one that was not listed. */
    @Test
    protected void onlyConfiguredModelsAreNamed() {
        for (ModelRequest request : requests()) {
            for (int count = 0; count <= models().size(); count++) {
                List<String> configured = models().subList(0, count);
                Set<String> allowed = new HashSet<>(configured);
                allowed.add(request.model());
                assertThat(route(request, configured).models())
                        .as("%s with %s", request, configured)
                        .isNotEmpty()
                        .isSubsetOf(allowed);
            }
        }
    }

    /** The reason is a sentence for a log line and tells nothing of the prompt. */
    @Test
    protected void theReasonIsGivenWithoutThePrompt() {
        for (ModelRequest request : requests()) {
            assertThat(route(request, models()).reason())
                    .isNotBlank()
                    .doesNotContain("\n")
                    .doesNotContain("a secret");
        }
    }

    /** An opaque request can go to no other model than the one it is for. */
    @Test
    protected void anOpaqueRequestStaysWithItsModel() {
        ModelRequest request = ModelRequest.opaque("/embeddings", ASKED, JsonObject.empty());
        assertThat(route(request, models()).models()).containsExactly(ASKED);
    }

    /** What is known of the models, or is not, is no reason to fail. */
    @Test
    protected void anyStatusIsAccepted() {
        ModelRequest request = requests().getFirst();
        List<ModelStatus> statuses = models().stream()
                .map(model -> new ModelStatus(
                        model, false, OptionalLong.of(1), Optional.of(Duration.ofMinutes(5)), Optional.of(0.0)))
                .toList();
        assertThat(router().route(new RouteRequest(request, CallOptions.none(), statuses))
                        .models())
                .isNotEmpty();
    }

    /** Nor is what no one would say: no window at all, no time at all, no number, the same model twice. */
    @Test
    protected void strangeStatusesAreAccepted() {
        List<ModelStatus> statuses = new ArrayList<>();
        for (String model : models()) {
            for (double rate : new double[] {0, 1, Double.NaN, -1, Double.POSITIVE_INFINITY}) {
                statuses.add(new ModelStatus(
                        model, rate > 0, OptionalLong.of(0), Optional.of(Duration.ZERO), Optional.of(rate)));
            }
            statuses.add(new ModelStatus(
                    model,
                    true,
                    OptionalLong.of(Long.MAX_VALUE),
                    Optional.of(Duration.ofSeconds(Long.MAX_VALUE)),
                    Optional.empty()));
        }
        for (ModelRequest request : requests()) {
            assertThat(router().route(new RouteRequest(request, CallOptions.none(), statuses))
                            .models())
                    .isNotEmpty()
                    .doesNotHaveDuplicates();
        }
    }

    /** A request for more tokens than any model takes is routed all the same: the provider has the last word. */
    @Test
    protected void aRequestThatFitsNowhereIsRouted() {
        ModelRequest request = ModelRequest.chat(ASKED)
                .user("a secret ".repeat(50_000))
                .maxTokens(Long.MAX_VALUE)
                .build();
        List<ModelStatus> statuses = models().stream()
                .map(model -> new ModelStatus(model, true, OptionalLong.of(8_192), Optional.empty(), Optional.empty()))
                .toList();
        Route route = router().route(new RouteRequest(request, CallOptions.none(), statuses));
        assertThat(route.models()).isNotEmpty();
        assertThat(route.reason()).doesNotContain("a secret").hasSizeLessThan(2_000);
    }

    /** What it may answer is known beforehand, and to ask for that changes nothing. */
    @Test
    protected void whatIsChosenIsAmongWhatIsLikely() {
        for (ModelRequest request : requests()) {
            RouteRequest asked = known(request, models());
            ModelRouter router = router();
            List<LikelyRoute> likely = router.likely(asked);
            assertThat(likely.stream().mapToDouble(LikelyRoute::probability).sum())
                    .isCloseTo(1, within(1e-9));
            assertThat(likely)
                    .isSortedAccordingTo(
                            Comparator.comparingDouble(LikelyRoute::probability).reversed());
            List<Route> chosen =
                    Stream.generate(() -> router.route(asked)).limit(100).toList();
            assertThat(likely.stream().map(LikelyRoute::route)).containsAll(chosen);
            assertThat(router.likely(asked)).isEqualTo(likely);
        }
    }

    /** Many threads may ask at once. */
    @Test
    protected void manyThreadsMayAsk() {
        ModelRouter router = router();
        List<ModelRequest> requests = requests();
        assertThat(IntStream.range(0, 1_000)
                        .parallel()
                        .mapToObj(i -> router.route(known(requests.get(i % requests.size()), models())))
                        .filter(route -> !route.models().isEmpty()))
                .hasSize(1_000);
    }

    private Route route(ModelRequest request, List<String> configured) {
        return router().route(known(request, configured));
    }

    private static RouteRequest known(ModelRequest request, List<String> configured) {
        List<ModelStatus> statuses = configured.stream()
                .map(model -> new ModelStatus(model, true, OptionalLong.empty(), Optional.empty(), Optional.empty()))
                .toList();
        return new RouteRequest(request, CallOptions.none(), statuses);
    }

    private static List<ModelRequest> requests() {
        JsonObject odd = JsonObject.of("messages", JsonArray.of(JsonValue.of(1), JsonObject.empty()))
                .with("contents", JsonValue.of("a secret"));
        return List.of(
                ModelRequest.chat(ASKED).user("a secret").build(),
                ModelRequest.chat(ASKED)
                        .user("a secret ".repeat(1_000))
                        .maxTokens(8_192)
                        .build(),
                ModelRequest.of(Form.OPENAI_CHAT, ASKED, odd),
                ModelRequest.of(Form.ANTHROPIC_MESSAGES, ASKED, odd),
                ModelRequest.of(Form.GEMINI_CONTENT, ASKED, odd),
                ModelRequest.of(Form.GEMINI_CONTENT, ASKED, JsonObject.empty()));
    }
}
