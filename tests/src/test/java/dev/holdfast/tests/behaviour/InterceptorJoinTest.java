package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.Endpoint;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.spi.Interceptor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An interceptor hears which client it is to stand in, and may refuse to. */
class InterceptorJoinTest {
    private final World world =
            new World().provider("p1", FaultScript.healthy()).provider("p2", FaultScript.healthy());

    @Test
    void hearsOfTheEndpointsOnceForEachClientBeforeAnyCall() {
        List<List<String>> heard = new ArrayList<>();
        var listening = new Interceptor() {
            @Override
            public void join(Setting setting) {
                heard.add(setting.endpoints().stream().map(Endpoint::name).toList());
            }
        };
        ClientBuilder builder = world.builder().interceptor(listening);
        assertThat(heard).isEmpty();
        try (ResilientClient one = builder.build();
                ResilientClient other = builder.build()) {
            assertThat(heard).containsExactly(List.of("p1", "p2"), List.of("p1", "p2"));
            world.call(one).answer();
            world.call(other).answer();
        }
        assertThat(heard).hasSize(2);
    }

    @Test
    void whatRefusesAClientKeepsItFromBeingBuilt() {
        var refusing = new Interceptor() {
            @Override
            public void join(Setting setting) {
                throw new IllegalArgumentException("endpoints: 2 (expected: one)");
            }
        };
        ClientBuilder builder = world.builder().interceptor(refusing);
        assertThatIllegalArgumentException().isThrownBy(builder::build).withMessage("endpoints: 2 (expected: one)");
    }
}
