package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AllowList;
import dev.holdfast.CallEvent;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.FailureKind;
import dev.holdfast.HealthStatus;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.EndpointOrder;
import dev.holdfast.core.EndpointPolicy;
import dev.holdfast.core.HealthPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Weather;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.tests.behaviour.World.Ended;
import dev.holdfast.tests.behaviour.World.Sent;
import dev.holdfast.transport.JdkTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Which endpoint a call goes to, by what it and others have seen of them. */
class EndpointChoiceTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final RetryPolicy ONCE = RetryPolicy.none();

    /** A provider that is down until a time. */
    private static FaultScript downUntil(World world, Duration end) {
        return FaultScript.answering(
                request -> world.time().elapsed().compareTo(end) < 0 ? Reply.status(503) : Reply.completion("ok"));
    }

    private static void callEverySecond(World world, ResilientClient client, int times) {
        world.time().run(() -> {
            for (int i = 0; i < times; i++) {
                assertThat(world.callHere(client).response()).as("call %d", i).isPresent();
                world.sleep(SECOND);
            }
        });
    }

    private static long sentTo(World world, String provider, Duration from, Duration to) {
        return world.sentTo(provider).stream()
                .filter(sent -> sent.at().compareTo(from) >= 0 && sent.at().compareTo(to) < 0)
                .count();
    }

    @Test
    void callsLeaveADarkEndpointAndReturnLittleByLittleWhenItIsBack() {
        World world = new World();
        world.provider("p1", downUntil(world, Duration.ofSeconds(100))).provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder().retry(ONCE).build()) {
            callEverySecond(world, client, 300);

            assertThat(world.sentTo("p1").stream().map(Sent::at).limit(5))
                    .as("three failures, then one call tries it after 30 s, and one 60 s later")
                    .containsExactly(
                            Duration.ZERO,
                            SECOND,
                            Duration.ofSeconds(2),
                            Duration.ofSeconds(32),
                            Duration.ofSeconds(92));
            Duration back = Duration.ofSeconds(92 + 120 + 1);
            assertThat(sentTo(world, "p1", back, back.plusSeconds(15)))
                    .as("slow start")
                    .isBetween(1L, 9L);
            assertThat(sentTo(world, "p2", back.plusSeconds(30), Duration.ofSeconds(300)))
                    .as("all calls are back at the primary")
                    .isZero();
            assertThat(world.events(CallEvent.HealthChanged.class))
                    .filteredOn(event -> event.model().isPresent())
                    .extracting(CallEvent.HealthChanged::to)
                    .contains(HealthStatus.UNHEALTHY)
                    .endsWith(HealthStatus.HEALTHY);
        }
    }

    @Test
    void theOnlyEndpointIsNeverLeftOut() {
        World world = new World();
        world.provider("p1", downUntil(world, Duration.ofSeconds(10)));
        try (ResilientClient client = world.builder().retry(ONCE).build()) {
            for (int i = 0; i < 10; i++) {
                assertThat(world.call(client).failure().kind()).isEqualTo(FailureKind.OVERLOADED);
                world.pass(SECOND);
            }
            assertThat(world.call(client).answer().endpoint()).contains("p1");
            assertThat(world.sent()).hasSize(11);
        }
    }

    @Test
    void whereAllAreUnhealthyEveryOneIsStillTried() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(503)))
                .provider("p2", FaultScript.always(Reply.status(503)));
        try (ResilientClient client = world.builder().retry(ONCE).build()) {
            for (int i = 0; i < 10; i++) {
                assertThat(world.call(client).failure().attempts()).hasSize(2);
            }
        }
    }

    @Test
    void anEndpointThatCannotBeReachedIsLeftForEveryModel() {
        World world =
                new World().provider("p1", FaultScript.always(Reply.refused())).provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder().retry(ONCE).build()) {
            for (int i = 0; i < 3; i++) {
                world.call(client);
            }
            ModelRequest other = ModelRequest.chat("other").user("hi").build();
            int before = world.sentTo("p1").size();
            assertThat(world.call(client, other, CallOptions.none()).answer().attempts())
                    .hasSize(1);
            assertThat(world.sentTo("p1")).hasSize(before);
        }
    }

    @Test
    void aServerErrorOfOneModelSendsNoOtherModelAway() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.answering(request -> request.body().toUtf8().contains("\"other\"")
                                ? Reply.completion("ok")
                                : Reply.status(503)))
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder().retry(ONCE).build()) {
            for (int i = 0; i < 5; i++) {
                world.call(client);
            }
            ModelRequest other = ModelRequest.chat("other").user("hi").build();
            assertThat(world.call(client, other, CallOptions.none()).answer().endpoint())
                    .contains("p1");
            assertThat(world.call(client)
                            .answer()
                            .attempts()
                            .getFirst()
                            .target()
                            .endpoint())
                    .isEqualTo("p2");
        }
    }

    @Test
    void primaryOnlyTriesTheSecondKeyAndNoOtherEndpoint() {
        World world = new World()
                .provider("p1", Weather.of(FaultScript.of(Reply.status(429), Reply.status(503))), withSpareKey())
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder()
                .retry(ONCE)
                .endpointPolicy(EndpointPolicy.primaryOnly())
                .build()) {
            assertThat(world.call(client).failure().attempts()).hasSize(2);
            assertThat(world.path()).containsExactly("p1", "p1");
        }
    }

    private static UnaryOperator<Endpoint.Builder> withSpareKey() {
        return builder -> builder.credential(Credential.of("sk-test-spare-0123456789abcdef"));
    }

    @Test
    void aModelMayHaveAChoiceOfItsOwn() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(503)))
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder()
                .retry(ONCE)
                .model(ModelSettings.of(World.MODEL).withEndpointPolicy(EndpointPolicy.primaryOnly()))
                .build()) {
            assertThat(world.call(client).failure().attempts()).hasSize(1);
        }
    }

    @Test
    void aLimitBelongsToTheKeyAndTheOthersGoOn() {
        World world = new World()
                .provider("p1", Weather.of(FaultScript.of(Reply.rateLimited(Duration.ofSeconds(30)))), withSpareKey())
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder().retry(ONCE).build()) {
            for (int i = 0; i < 10; i++) {
                assertThat(world.call(client).answer().endpoint()).contains("p1");
            }
            assertThat(world.sent().stream().map(sent -> sent.header("Authorization")))
                    .startsWith("Bearer " + World.keyOf("p1"))
                    .filteredOn(key -> key.contains("spare"))
                    .hasSize(10);
        }
    }

    @Test
    void withoutCooldownsALimitSendsNoLaterCallAway() {
        World world = new World()
                .provider("p1", FaultScript.of(Reply.rateLimited(Duration.ofSeconds(30))))
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client =
                world.builder().retry(ONCE.withoutCooldowns()).build()) {
            assertThat(world.call(client).answer().endpoint()).contains("p2");
            assertThat(world.call(client).answer().endpoint()).contains("p1");
        }
    }

    @Test
    void theFastestComesFirstWhereThePolicySaysSo() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.completion("ok").withDelay(Duration.ofMillis(900))))
                .provider("p2", FaultScript.always(Reply.completion("ok").withDelay(Duration.ofMillis(100))));
        try (ResilientClient client = world.builder()
                .endpointPolicy(EndpointPolicy.failover().withOrder(EndpointOrder.FASTEST))
                .build()) {
            for (int i = 0; i < 10; i++) {
                world.call(client);
            }
            assertThat(world.path()).startsWith("p1", "p2", "p2").endsWith("p2");
            assertThat(world.sentTo("p1")).hasSize(1);
        }
    }

    @Test
    void balancedCallsFollowTheWeights() {
        World world = new World()
                .provider("p1", Weather.of(FaultScript.healthy()), builder -> builder.weight(3))
                .provider("p2", FaultScript.healthy());
        int calls = 2_000;
        try (ResilientClient client = balanced(world)) {
            for (int i = 0; i < calls; i++) {
                world.call(client);
            }
            double deviation = Math.sqrt(calls * 0.75 * 0.25);
            assertThat((double) world.sentTo("p1").size())
                    .isBetween(calls * 0.75 - 5 * deviation, calls * 0.75 + 5 * deviation);
        }
    }

    @Test
    void balancedCallsAvoidASlowEndpointAndLookAtItNowAndThen() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.completion("ok").withDelay(Duration.ofSeconds(4))))
                .provider("p2", FaultScript.always(Reply.completion("ok").withDelay(Duration.ofMillis(500))));
        try (ResilientClient client = balanced(world)) {
            for (int i = 0; i < 500; i++) {
                world.call(client);
            }
            assertThat(world.sentTo("p1").size()).isBetween(2, 25);
        }
    }

    @Test
    void balancedCallsInFlightAreSpread() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.completion("ok").withDelay(SECOND)))
                .provider("p2", FaultScript.always(Reply.completion("ok").withDelay(SECOND)));
        List<Ended> results = new ArrayList<>();
        try (ResilientClient client = balanced(world)) {
            world.time().run(() -> {
                List<Timekeeper.Task> tasks = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    tasks.add(world.startCall(client, results));
                }
                tasks.forEach(World::join);
            });
        }
        assertThat(results).hasSize(100).allMatch(ended -> ended.response().isPresent());
        assertThat(world.sentTo("p1").size()).isBetween(48, 52);
    }

    @Test
    void aConversationStaysAtItsEndpointMovesWhileThatCoolsDownAndReturns() {
        World world = new World();
        for (String name : List.of("p1", "p2", "p3")) {
            world.provider(
                    name,
                    FaultScript.answering(request -> isLimited(world, name)
                            ? Reply.rateLimited(Duration.ofSeconds(20))
                            : Reply.completion("ok")));
        }
        CallOptions mine = CallOptions.none().withAffinityKey("user-7");
        try (ResilientClient client = balanced(world)) {
            for (int i = 0; i < 20; i++) {
                world.call(client, mine);
            }
            assertThat(Set.copyOf(world.path())).hasSize(1);
            String home = world.path().getFirst();
            limited = home;
            String refuge = world.call(client, mine).answer().endpoint().orElseThrow();
            limited = "";
            assertThat(refuge).isNotEqualTo(home);
            for (int i = 0; i < 10; i++) {
                assertThat(world.call(client, mine).answer().endpoint()).contains(refuge);
                assertThat(world.call(client, mine).answer().attempts()).hasSize(1);
            }
            world.pass(Duration.ofSeconds(21));
            assertThat(world.call(client, mine).answer().endpoint()).contains(home);
        }
    }

    @Test
    void onlyKeysOfItsOwnTryAnEndpointThatWasAway() {
        World world = new World();
        world.provider("p1", downUntil(world, Duration.ofSeconds(20))).provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder()
                .retry(ONCE)
                .endpointPolicy(EndpointPolicy.loadBalanced())
                .build()) {
            List<CallOptions> keys = java.util.stream.IntStream.range(0, 20)
                    .mapToObj(i -> CallOptions.none().withAffinityKey("user-" + i))
                    .toList();
            List<CallOptions> ofFirst = keys.stream()
                    .filter(key -> client.explain(World.request(), key)
                            .order()
                            .getFirst()
                            .endpoint()
                            .equals("p1"))
                    .toList();
            assertThat(ofFirst).hasSizeBetween(3, 17);
            ofFirst.forEach(key -> world.call(client, key));
            int sent = world.sentTo("p1").size();
            world.pass(Duration.ofSeconds(40));
            keys.stream().filter(key -> !ofFirst.contains(key)).forEach(key -> world.call(client, key));
            assertThat(world.sentTo("p1")).as("others leave it alone").hasSize(sent);
            for (int i = 0; i < 2; i++) {
                world.call(client, ofFirst.getFirst());
            }
            assertThat(world.sentTo("p1").size()).isEqualTo(sent + 2);
            ofFirst.forEach(key -> world.call(client, key));
            assertThat(world.sentTo("p1").size() - sent - 2)
                    .as("it has just returned, and its keys come back little by little")
                    .isLessThanOrEqualTo(ofFirst.size() / 2);
            world.pass(Duration.ofSeconds(30));
            int early = world.sentTo("p1").size();
            ofFirst.forEach(key -> world.call(client, key));
            assertThat(world.sentTo("p1").size()).isEqualTo(early + ofFirst.size());
        }
    }

    private String limited = "";

    private boolean isLimited(World world, String name) {
        return name.equals(limited);
    }

    @Test
    void promptsThatBeginAlikeGoTogetherWhereThePolicySaysSo() {
        World world = new World();
        List.of("p1", "p2", "p3", "p4").forEach(name -> world.provider(name, FaultScript.healthy()));
        try (ResilientClient client = world.builder()
                .endpointPolicy(EndpointPolicy.loadBalanced().withAffinity(true))
                .build()) {
            Set<String> used = new java.util.HashSet<>();
            for (int prompt = 0; prompt < 20; prompt++) {
                String system = ("You answer as clerk number " + prompt + ". ").repeat(100);
                Set<String> endpoints = new java.util.HashSet<>();
                for (int question = 0; question < 5; question++) {
                    ModelRequest request = ModelRequest.chat(World.MODEL)
                            .system(system)
                            .user("Question " + question)
                            .build();
                    endpoints.add(world.call(client, request, CallOptions.none())
                            .answer()
                            .endpoint()
                            .orElseThrow());
                }
                assertThat(endpoints).hasSize(1);
                used.addAll(endpoints);
            }
            assertThat(used).as("different prompts are spread").hasSize(4);
        }
    }

    @Test
    void balancedCallsSkipAnOpenBreakerWithoutARejection() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(503)))
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder()
                .retry(ONCE)
                .breaker(dev.holdfast.core.BreakerPolicy.defaults().withFailureThreshold(1))
                .endpointPolicy(EndpointPolicy.loadBalanced())
                .build()) {
            for (int i = 0; i < 40; i++) {
                assertThat(world.call(client).answer().endpoint()).contains("p2");
            }
            assertThat(world.sentTo("p1")).hasSize(1);
            assertThat(world.events(CallEvent.TargetRejected.class)).isEmpty();
        }
    }

    @Test
    void streamsThatBreakOffSpeakAgainstTheirEndpointAndGoodOnesHealIt() {
        Reply broken = Sse.of(Sse.text("a"));
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.of(broken, broken, broken).thenAlways(Sse.of(Sse.text("a"), Sse.STOP, Sse.DONE)))
                .provider("p2", FaultScript.always(Sse.of(Sse.text("b"), Sse.STOP, Sse.DONE)));
        try (ResilientClient client = world.builder().retry(ONCE).build()) {
            for (int i = 0; i < 3; i++) {
                assertThat(Reader.of(world, client).error())
                        .as("broken off, and not begun again")
                        .isPresent();
            }
            assertThat(Reader.of(world, client).text()).isEqualTo("b");
            assertThat(world.path()).containsExactly("p1", "p1", "p1", "p2");
            world.pass(Duration.ofSeconds(30));
            assertThat(Reader.of(world, client).text()).isEqualTo("a");
            assertThat(Reader.of(world, client).text()).isEqualTo("a");
            assertThat(world.events(CallEvent.HealthChanged.class).getLast().to())
                    .isNotEqualTo(HealthStatus.UNHEALTHY);
        }
    }

    @Test
    void aStreamThatTheCallerClosesSpeaksAgainstNobody() {
        World world = new World()
                .provider("p1", FaultScript.always(Sse.of(Sse.text("a"), Sse.text("b"), Sse.STOP, Sse.DONE)))
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder().retry(ONCE).build()) {
            for (int i = 0; i < 5; i++) {
                world.time().run(() -> client.stream(World.request()).close());
            }
            assertThat(world.path()).containsOnly("p1").hasSize(5);
            assertThat(world.events(CallEvent.HealthChanged.class)).isEmpty();
        }
    }

    @Test
    void theSameSeedMakesTheSameChoices() {
        assertThat(pathOf(1)).isEqualTo(pathOf(1)).isNotEqualTo(pathOf(2));
    }

    private static List<String> pathOf(long seed) {
        World world = new World();
        List.of("p1", "p2", "p3").forEach(name -> world.provider(name, FaultScript.healthy()));
        try (ResilientClient client = world.builder()
                .random(new java.util.Random(seed))
                .endpointPolicy(EndpointPolicy.loadBalanced())
                .build()) {
            for (int i = 0; i < 50; i++) {
                world.call(client);
            }
        }
        return world.path();
    }

    private static ResilientClient balanced(World world) {
        return world.builder().endpointPolicy(EndpointPolicy.loadBalanced()).build();
    }

    @Property(tries = 60)
    void noEndpointIsUsedThatTheCallDoesNotAllow(
            @ForAll @Size(min = 1, max = 5) List<Boolean> europeans, @ForAll("policies") EndpointPolicy policy) {
        World world = new World();
        for (int i = 0; i < europeans.size(); i++) {
            String region = europeans.get(i) ? "eu" : "us";
            world.provider(
                    "p" + i, Weather.of(FaultScript.always(Reply.status(503))), builder -> builder.region(region));
        }
        CallOptions europe = CallOptions.none().withAllow(new AllowList(Set.of("eu"), Set.of(), Set.of()));
        try (ResilientClient client = world.builder()
                .endpointPolicy(policy)
                .model(ModelSettings.of(World.MODEL).withFallbacks("second"))
                .model(ModelSettings.of("second"))
                .retry(World.retry().withMaxAttempts(2))
                .build()) {
            for (int i = 0; i < 6; i++) {
                Ended call = world.call(client, europe);
                boolean anywhere = europeans.contains(true);
                assertThat(call.failure().kind())
                        .isEqualTo(anywhere ? FailureKind.OVERLOADED : FailureKind.POLICY_REFUSED);
                world.pass(Duration.ofSeconds(20));
            }
        }
        Set<String> allowed = java.util.stream.IntStream.range(0, europeans.size())
                .filter(europeans::get)
                .mapToObj(i -> "p" + i)
                .collect(Collectors.toSet());
        assertThat(allowed).containsAll(world.path());
    }

    @Provide
    Arbitrary<EndpointPolicy> policies() {
        return Arbitraries.of(
                EndpointPolicy.primaryOnly(),
                EndpointPolicy.failover(),
                EndpointPolicy.failover().withOrder(EndpointOrder.LAST_GOOD),
                EndpointPolicy.loadBalanced(),
                EndpointPolicy.loadBalanced().withAffinity(true));
    }

    /** Where a socket is bound and does not listen, nobody can take the port and connections are refused. */
    @Test
    void overRealSocketsAnEndpointThatRefusesConnectionsIsLeftAtOnceWhereThePolicySaysSo() throws Exception {
        try (var nobody = SocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                FaultyProvider provider = FaultyProvider.start();
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Endpoint.builder(
                                        "dark",
                                        URI.create("http://127.0.0.1:"
                                                + nobody.socket().getLocalPort() + "/v1"))
                                .build())
                        .endpoint(Endpoint.builder("lit", provider.baseUrl()).build())
                        .transport(new JdkTransport())
                        .discovery(false)
                        .withoutBreaker()
                        .retry(ONCE)
                        .healthPolicy(HealthPolicy.defaults().withUnreachableAtOnce(true))
                        .build()) {
            assertThat(client.call(World.request()).attempts())
                    .extracting(attempt -> attempt.target().endpoint())
                    .containsExactly("dark", "lit");
            for (int i = 0; i < 5; i++) {
                assertThat(client.call(World.request()).attempts()).hasSize(1);
            }
            assertThat(provider.requests()).hasSize(6);
        }
    }
}
