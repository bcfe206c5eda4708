package dev.holdfast.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.http.HttpResponseFor;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How often a provider does the work of one idempotency key, where answers are lost on their way after it is done. */
class ExecutionsTest {
    private static final int KEYS = 150;
    private static final int AT_ONCE = 16;
    private static final String STORE = "idempotency: {ttl: 1h, in-flight: wait}";

    /** A fifth of the answers is lost after the work was done, a tenth of the requests refused before; never a call's fourth attempt. */
    private static Reply lossy(ProviderRequest request) {
        if (request.headers().first("X-Attempt").filter("4"::equals).isPresent()) {
            return Answers.of(request);
        }
        int drawn = new SplittableRandom(request.number()).nextInt(10);
        if (drawn < 2) {
            return Answers.of(request).resetAfter(10);
        }
        return drawn < 3 ? Reply.status(503) : Answers.of(request);
    }

    private static FaultyProvider provider(boolean honours) {
        FaultyProvider.Builder builder = FaultyProvider.builder(FaultScript.answering(ExecutionsTest::lossy));
        return (honours ? builder.honoursIdempotencyKeys() : builder).start();
    }

    /** What a client was told: how many attempts may have been paid for beside the one that answered, and whether it was a replay. */
    private record Told(int maybePaid, boolean replayed) {}

    /** One call for each key, many at once. */
    private static ConcurrentHashMap<String, Told> callEach(Front front) throws InterruptedException {
        var told = new ConcurrentHashMap<String, Told>();
        OpenAIClient client = OpenAIOkHttpClient.builder()
                .baseUrl(front.uri() + "/v1")
                .apiKey("sk-any-0123456789")
                .maxRetries(0)
                .build();
        var places = new Semaphore(AT_ONCE);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (String key : keys()) {
                places.acquire();
                threads.execute(() -> {
                    try {
                        told.put(key, call(client, key));
                    } finally {
                        places.release();
                    }
                });
            }
        } finally {
            client.close();
        }
        return told;
    }

    private static Told call(OpenAIClient client, String key) {
        ChatCompletionCreateParams params = ChatCompletionCreateParams.builder()
                .model(Front.MODEL)
                .addUserMessage("do " + key)
                .putAdditionalHeader("Idempotency-Key", key)
                .build();
        try (HttpResponseFor<ChatCompletion> response =
                client.chat().completions().withRawResponse().create(params)) {
            assertThat(response.parse().choices().getFirst().message().content())
                    .contains("do " + key);
            List<String> paid = response.headers().values("x-holdfast-maybe-billed");
            boolean replayed = response.headers().values("idempotent-replayed").contains("true");
            return new Told(paid.isEmpty() ? 0 : Integer.parseInt(paid.getFirst()), replayed);
        }
    }

    private static List<String> keys() {
        return IntStream.range(0, KEYS).mapToObj(number -> "order-" + number).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", STORE})
    void whereTheProviderHonoursKeysEachIsExecutedOnce(String store) throws InterruptedException {
        try (FaultyProvider provider = provider(true);
                Front front = Front.alone(provider, ", honours-idempotency-key: true", store)) {
            assertThat(callEach(front)).hasSize(KEYS);
            assertThat(callEach(front)).hasSize(KEYS);
            assertThat(keys())
                    .allSatisfy(
                            key -> assertThat(provider.executions(key)).as(key).isEqualTo(1));
            assertThat(provider.executions()).isEqualTo(KEYS);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aKeyThatWasAnsweredIsNotExecutedAgainWhileItIsStored(boolean honours) throws InterruptedException {
        try (FaultyProvider provider = provider(honours);
                Front front = Front.alone(provider, ", honours-idempotency-key: " + honours, STORE)) {
            assertThat(callEach(front).values()).noneMatch(Told::replayed);
            int before = provider.executions();
            assertThat(callEach(front).values()).allMatch(Told::replayed);
            assertThat(provider.executions()).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", STORE})
    void whereItDoesNotEveryExecutionTooManyIsTold(String store) throws InterruptedException {
        try (FaultyProvider provider = provider(false);
                Front front = Front.alone(provider, "", store)) {
            ConcurrentHashMap<String, Told> told = callEach(front);
            assertThat(told).hasSize(KEYS);
            assertThat(keys())
                    .allSatisfy(key -> assertThat(provider.executions(key))
                            .as(key)
                            .isEqualTo(1 + told.get(key).maybePaid()));
            assertThat(provider.executions()).as("answers were lost").isGreaterThan(KEYS);
        }
    }
}
