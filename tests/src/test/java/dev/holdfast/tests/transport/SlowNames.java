package dev.holdfast.tests.transport;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Resolves names as the JDK does, but for one that takes half a minute, one that means this machine, one that moves and one that nobody
 * has: a machine without a network may take long to say so of a name, and some networks answer to any.
 */
public final class SlowNames extends InetAddressResolverProvider {
    static final String SLOW = "slow.invalid";
    static final String HERE = "here.invalid";
    static final String MOVING = "moving.invalid";
    static final String NOWHERE = "nowhere.invalid";

    private static volatile byte moved = 1;

    /** From now on {@link #MOVING} is that one of this machine's addresses. */
    static void move(int last) {
        moved = (byte) last;
    }

    @Override
    public InetAddressResolver get(Configuration configuration) {
        return new Resolver(configuration.builtinResolver());
    }

    @Override
    public String name() {
        return "slow names";
    }

    private record Resolver(InetAddressResolver builtin) implements InetAddressResolver {
        @Override
        public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
            if (host.equals(SLOW)) {
                return slowly(host);
            }
            if (host.equals(NOWHERE)) {
                throw new UnknownHostException(host);
            }
            if (host.equals(MOVING)) {
                return Stream.of(InetAddress.getByAddress(host, new byte[] {127, 0, 0, moved}));
            }
            return host.equals(HERE)
                    ? Stream.of(InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1}))
                    : builtin.lookupByName(host, policy);
        }

        private static Stream<InetAddress> slowly(String host) throws UnknownHostException {
            try {
                if (new CountDownLatch(1).await(30, TimeUnit.SECONDS)) {
                    throw new AssertionError("nobody counts down");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new UnknownHostException(host);
        }

        @Override
        public String lookupByAddress(byte[] address) throws UnknownHostException {
            return builtin.lookupByAddress(address);
        }
    }
}
