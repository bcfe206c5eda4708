package dev.holdfast.cache.internal.flight;

import dev.holdfast.CallException;
import dev.holdfast.ModelResponse;
import dev.holdfast.cache.internal.flight.Flight.Arrived;
import dev.holdfast.cache.internal.flight.Flight.Crashed;
import dev.holdfast.cache.internal.flight.Flight.Landing;
import dev.holdfast.cache.internal.flight.Flight.Seat;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.ResponseCache.CacheKey;
import dev.holdfast.spi.Timekeeper;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The calls in flight: of several that ask for the same at once, one is made, on a thread of its own.
 *
 * <p>Each caller keeps its own deadline. The flight waits for what is asked of it as long as the most patient one aboard
 * would, and no longer; who boards when it has made up its mind already, and has more time than it knew of, flies again.
 */
public final class Flights {
    private static final long FAREWELL_NANOS = 1_000_000_000L;
    /** "No deadline", far enough away that sums with it do not overflow. */
    private static final long FAR_NANOS = Long.MAX_VALUE / 4;

    private final Timekeeper timekeeper;
    private final ConcurrentHashMap<FlightKey, Flight> flights = new ConcurrentHashMap<>();

    /** Creates an empty sky. */
    public Flights(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
    }

    /** A caller of a flight: what it asks for, how the flight is flown, and what happens when it finds one. */
    public record Passenger(
            Call call, CacheKey key, boolean stores, Function<Call, ModelResponse> body, Runnable onJoined) {
        FlightKey flightKey() {
            return FlightKey.of(key, stores, call.options());
        }
    }

    /** The response to a caller, from a flight of its own or one it found. */
    public ModelResponse fly(Passenger passenger) {
        Optional<ModelResponse> response = Optional.empty();
        while (response.isEmpty()) {
            response = tryFly(passenger);
        }
        return response.get();
    }

    /** Empty if the flight was no flight for this caller. */
    private Optional<ModelResponse> tryFly(Passenger passenger) {
        FlightKey key = passenger.flightKey();
        var seat = new Seat(passenger.call().deadlineNanos());
        var own = new Flight(seat, timekeeper.nanoTime() + FAR_NANOS, timekeeper);
        Flight found = flights.putIfAbsent(key, own);
        if (found == null) {
            depart(key, own, passenger);
            return Optional.of(result(await(own, seat, passenger.call())));
        }
        if (!found.board(seat)) {
            flights.remove(key, found);
            return Optional.empty();
        }
        passenger.onJoined().run();
        return joined(found, seat, await(found, seat, passenger.call()), passenger);
    }

    private void depart(FlightKey key, Flight flight, Passenger leader) {
        try {
            flight.flownBy(timekeeper.start("holdfast-flight", () -> {
                Landing landing = land(leader, flight);
                flights.remove(key, flight);
                flight.land(landing);
            }));
        } catch (RuntimeException | Error e) {
            flights.remove(key, flight);
            flight.land(new Crashed(e));
        }
    }

    private static Landing land(Passenger leader, Flight flight) {
        Call call = leader.call();
        var flown = new Call(
                call.id(),
                call.request(),
                call.options(),
                call.startedNanos(),
                flight.endNanos(),
                flight::patienceNanos,
                call.events());
        try {
            return new Arrived(leader.body().apply(flown));
        } catch (RuntimeException | Error e) {
            return new Crashed(e);
        }
    }

    private Landing await(Flight flight, Seat seat, Call call) {
        try {
            Landing landing = flight.await(call.deadlineNanos());
            if (landing != null) {
                return landing;
            }
            throw Departure.deadline(call.id(), leave(flight, seat));
        } catch (InterruptedException e) {
            Landing landing = leave(flight, seat);
            Thread.currentThread().interrupt();
            throw Departure.interrupted(call.id(), landing);
        }
    }

    /** The last to leave waits for the flight to end, so that nothing is in flight when its caller goes on. */
    private @Nullable Landing leave(Flight flight, Seat seat) {
        if (!flight.leave(seat)) {
            return null;
        }
        try {
            return flight.await(timekeeper.nanoTime() + FAREWELL_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private Optional<ModelResponse> joined(Flight flight, Seat seat, Landing landing, Passenger passenger) {
        Call call = passenger.call();
        return switch (landing) {
            case Arrived(ModelResponse response) -> Optional.of(response.replayedFor(call.id()));
            case Crashed(CallException e)
            when timekeeper.nanoTime() - call.deadlineNanos() < 0 -> {
                if (isTheLeadersOwn(e)) {
                    yield Optional.of(passenger.body().apply(call));
                }
                if (flight.knewNothingOf(seat)) {
                    yield Optional.empty();
                }
                throw SharedFailure.of(e, call.id());
            }
            case Crashed(CallException e) -> throw SharedFailure.of(e, call.id());
            case Crashed crashed -> Optional.of(result(crashed));
        };
    }

    /**
     * A key that is refused, a budget that is spent, which may be that of a tag, and a thread that is interrupted are nothing to
     * those who only joined: they ask by themselves.
     */
    private static boolean isTheLeadersOwn(CallException e) {
        return switch (e.kind()) {
            case AUTH, PERMISSION, CANCELLED -> true;
            case COST_LIMIT -> e.attempts().isEmpty();
            default -> false;
        };
    }

    private static ModelResponse result(Landing landing) {
        return switch (landing) {
            case Arrived(ModelResponse response) -> response;
            case Crashed(Throwable cause) -> throw asUnchecked(cause);
        };
    }

    private static RuntimeException asUnchecked(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return (RuntimeException) cause;
    }
}
