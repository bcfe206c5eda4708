package dev.holdfast.transport.internal;

import dev.holdfast.Delivery;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import dev.holdfast.spi.TransportReply;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/** Which redirects are followed: those that keep the request whole and the key at home. */
final class Redirects {
    private static final int MOST = 3;
    private static final Set<Integer> KEEP_METHOD = Set.of(307, 308);
    private static final Set<Integer> BECOME_GET = Set.of(301, 302, 303);
    private static final Set<String> SAFE = Set.of("GET", "HEAD");

    private Redirects() {}

    /** Where to go next; empty if the reply is no redirect. */
    static Optional<URI> next(TransportCall call, TransportReply reply, int followed) throws TransportException {
        int status = reply.status();
        if (!KEEP_METHOD.contains(status) && !BECOME_GET.contains(status)) {
            return Optional.empty();
        }
        if (!KEEP_METHOD.contains(status) && !SAFE.contains(call.method())) {
            throw refused(status, "it does not keep the method");
        }
        if (followed == MOST) {
            throw refused(status, "it is one more than " + MOST);
        }
        return Optional.of(sameOrigin(call.uri(), target(call.uri(), reply), status));
    }

    private static URI target(URI from, TransportReply reply) throws TransportException {
        String location = reply.headers().first("Location").orElse("");
        if (location.isEmpty()) {
            throw refused(reply.status(), "it says no Location");
        }
        try {
            return from.resolve(location);
        } catch (IllegalArgumentException e) {
            throw refused(reply.status(), "it leads nowhere");
        }
    }

    private static URI sameOrigin(URI from, URI to, int status) throws TransportException {
        if (to.getHost() == null || !Origin.of(from).equals(Origin.of(to))) {
            throw refused(status, "it leads out of the origin");
        }
        return to;
    }

    private static TransportException refused(int status, String why) {
        return new TransportException(
                Fault.REDIRECT_REFUSED, Delivery.ANSWERED, "redirect " + status + " not followed: " + why, null);
    }
}
