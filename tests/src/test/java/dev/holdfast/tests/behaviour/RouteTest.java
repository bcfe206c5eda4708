package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallOptions;
import dev.holdfast.ModelRequest;
import dev.holdfast.Route;
import dev.holdfast.Target;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.ModelRouter;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What a client looks at to find where a call goes. */
class RouteTest {
    private static final int MANY = 40;

    /** The state of a model is as of a time: who asks for it looks at the clock. */
    @Test
    void aRouteThatIsFixedAsksNothingOfModelsThatAreNotOnIt() {
        assertThat(looksAtTheClock(MANY, builder -> builder.route(World.MODEL)))
                .isEqualTo(looksAtTheClock(0, builder -> builder.route(World.MODEL)));
        assertThat(looksAtTheClock(MANY, builder -> builder)).isEqualTo(looksAtTheClock(0, builder -> builder));
    }

    @Test
    void aRouterIsToldOfEveryModel() {
        ModelRouter router = request -> Route.of("as always", World.MODEL);
        assertThat(looksAtTheClock(MANY, builder -> builder.router(router)))
                .isGreaterThan(looksAtTheClock(0, builder -> builder.router(router)) + MANY);
    }

    /** Callers may name models as they like, and more of them than a client remembers. */
    @Test
    void callsForMoreStrangersThanAClientRemembersGoWhereTheyWentBefore() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.completion("p1")))
                .provider("p2", FaultScript.always(Reply.completion("p2")));
        try (ResilientClient client = world.builder()
                .model(ModelSettings.of(World.MODEL).withEndpoints("p2"))
                .build()) {
            for (int i = 0; i < 2_500; i++) {
                world.call(
                        client, ModelRequest.chat("stranger-" + i).user("Hello").build(), CallOptions.none());
            }
            assertThat(world.call(client).answer().servedBy()).contains(new Target(World.MODEL, "p2"));
            assertThat(world.call(
                                    client,
                                    ModelRequest.chat("stranger-7")
                                            .user("Hello")
                                            .build(),
                                    CallOptions.none())
                            .answer()
                            .servedBy())
                    .contains(new Target("stranger-7", "p1"));
        }
    }

    /** How often a call looks at the clock, of a client that knows so many more models. */
    private static int looksAtTheClock(int more, UnaryOperator<ClientBuilder> change) {
        World world = World.always(Reply.completion("ok"));
        var looks = new AtomicInteger();
        ClientBuilder builder = world.builder().timekeeper(new ForwardedTime(world.time()) {
            @Override
            public long nanoTime() {
                looks.incrementAndGet();
                return super.nanoTime();
            }
        });
        builder.model(ModelSettings.of(World.MODEL));
        for (int i = 0; i < more; i++) {
            builder.model(ModelSettings.of("other-" + i));
        }
        try (ResilientClient client = change.apply(builder).build()) {
            world.call(client).answer();
            looks.set(0);
            world.call(client).answer();
            return looks.get();
        }
    }
}
