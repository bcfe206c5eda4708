package dev.holdfast.transport.internal;

/**
 * Whom an exchange has to reach, in the words of an error: of its address no more than host and port, which hold no secret.
 *
 * @param origin whose answer is wanted
 * @param direct whether there is no proxy between
 */
record Peer(Origin origin, boolean direct) {
    String refused() {
        return next() + " refused the connection";
    }

    String withoutRoute() {
        return "there is no route to " + next();
    }

    String unresolved() {
        return direct
                ? "the name " + origin.host() + " cannot be resolved"
                : "the name of " + next() + " cannot be resolved";
    }

    String unconnected() {
        return "no connection to " + this + (direct ? "" : " through the proxy");
    }

    /** Who has to be reached first. */
    private String next() {
        return direct ? toString() : "the proxy to " + this;
    }

    @Override
    public String toString() {
        return origin.host() + ":" + origin.port();
    }
}
