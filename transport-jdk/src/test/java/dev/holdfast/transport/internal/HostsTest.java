package dev.holdfast.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

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
}
