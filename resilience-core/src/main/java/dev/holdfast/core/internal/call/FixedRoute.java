package dev.holdfast.core.internal.call;

import dev.holdfast.Route;
import dev.holdfast.spi.ModelRouter;

/**
 * The route of every call that names none. It wants to know nothing, so nobody has to find out for it how the models do.
 *
 * @param route the route
 */
public record FixedRoute(Route route) implements ModelRouter {
    @Override
    public Route route(RouteRequest request) {
        return route;
    }
}
