package dev.holdfast;

/** In which order a call tries the models of its route. */
public enum RouteOrder {
    /** As the route has them: best first. */
    QUALITY_FIRST,
    /**
     * The model that answers soonest first: by the mean latency of each where all have answered before, else by their
     * timeouts; those of unknown timeout last. Equals stay as the route has them.
     */
    FAST_FIRST
}
