package dev.holdfast.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.spi.TransportException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HostsTest {
    @Test
    void forgetsIdleOriginsButNoneThatIsInUse() throws Exception {
        var hosts = new Hosts(1, 1);
        Gate used = hosts.enter(new Origin("https", "used", 443), false, 0);
        for (int i = 0; i < 5_000; i++) {
            hosts.enter(new Origin("https", "host" + i, 443), i % 2 == 0, 0).leave();
        }
        assertThat(hosts.size()).isLessThanOrEqualTo(1_001);
        assertThat(used.taken()).isEqualTo(1);
        used.leave();
        assertThat(hosts.enter(new Origin("https", "used", 443), false, 0)).isSameAs(used);
    }

    @Test
    void aLineThatWasDroppedIsMadeAnewThoughTheOtherOfItsOriginIsInUse() throws Exception {
        var hosts = new Hosts(1, 1);
        var origin = new Origin("https", "chose-http-one", 443);
        Gate streams = hosts.enter(origin, true, 0);
        hosts.enter(origin, false, 0).leave();
        for (int i = 0; i < 1_500; i++) {
            hosts.enter(new Origin("https", "host" + i, 443), false, 0).leave();
        }
        Gate connections =
                CompletableFuture.supplyAsync(() -> enter(hosts, origin)).get(60, TimeUnit.SECONDS);
        assertThat(connections.taken()).isEqualTo(1);
        assertThat(streams.taken()).isEqualTo(1);
    }

    private static Gate enter(Hosts hosts, Origin origin) {
        try {
            return hosts.enter(origin, false, 0);
        } catch (TransportException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
