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
import dev.holdfast.tests.behaviour.World.Ended;
import dev.holdfast.tests.behaviour.World.Sent;
import dev.holdfast.transport.JdkTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
        world.provider("p1", world.downUntil(Duration.ofSeconds(100))).provider("p2", FaultScript.healthy());
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
        world.provider("p1", world.downUntil(Duration.ofSeconds(10)));
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
        Set<String> allowed = IntStream.range(0, europeans.size())
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
