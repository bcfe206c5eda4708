package dev.holdfast.cache.internal.flight;

import dev.holdfast.DeadlineExceededException;
import dev.holdfast.ModelResponse;
import dev.holdfast.cache.internal.flight.Flight.Arrived;
import dev.holdfast.cache.internal.flight.Flight.Crashed;
import dev.holdfast.cache.internal.flight.Flight.Landing;
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
 * <p>Each caller keeps its own deadline. The flight's deadline is the leader's and as long again, so that it serves
 * whoever boards before the leader's deadline with as much time as the leader had; one who has still more and sees the
 * flight end by its deadline flies again.
 */
public final class Flights {
    private static final long FAREWELL_NANOS = 1_000_000_000L;
    private static final long FAR_NANOS = 86_400_000_000_000L;

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

    /** How many flights are in the air. */
    public int size() {
        return flights.size();
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
        var own = new Flight(flightDeadline(passenger.call()), timekeeper);
        Flight found = flights.putIfAbsent(key, own);
        if (found == null) {
            depart(key, own, passenger);
            return Optional.of(result(await(own, passenger.call())));
        }
        if (!found.board()) {
            flights.remove(key, found);
            return Optional.empty();
        }
        passenger.onJoined().run();
        return joined(found, await(found, passenger.call()), passenger.call());
    }

    private void depart(FlightKey key, Flight flight, Passenger leader) {
        try {
            flight.flownBy(timekeeper.start("holdfast-flight", () -> {
                Landing landing = land(leader, flight.deadlineNanos());
                flights.remove(key, flight);
                flight.land(landing);
            }));
        } catch (RuntimeException | Error e) {
            flights.remove(key, flight);
            flight.land(new Crashed(e));
        }
    }

    private static Landing land(Passenger leader, long deadlineNanos) {
        Call call = leader.call();
        var flown =
                new Call(call.id(), call.request(), call.options(), call.startedNanos(), deadlineNanos, call.events());
        try {
            return new Arrived(leader.body().apply(flown));
        } catch (RuntimeException | Error e) {
            return new Crashed(e);
        }
    }

    private static long flightDeadline(Call leader) {
        long length = leader.deadlineNanos() - leader.startedNanos();
        return leader.deadlineNanos() + (length < FAR_NANOS ? length : 0);
    }

    private Landing await(Flight flight, Call call) {
        try {
            Landing landing = flight.await(call.deadlineNanos());
            if (landing != null) {
                return landing;
            }
            return new Crashed(Departure.deadline(call.id(), leave(flight)));
        } catch (InterruptedException e) {
            Landing landing = leave(flight);
            Thread.currentThread().interrupt();
            return new Crashed(Departure.interrupted(call.id(), landing));
        }
    }

    /** The last to leave waits for the flight to end, so that nothing is in flight when its caller goes on. */
    private @Nullable Landing leave(Flight flight) {
        if (!flight.leave()) {
            return null;
        }
        try {
            return flight.await(timekeeper.nanoTime() + FAREWELL_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private Optional<ModelResponse> joined(Flight flight, Landing landing, Call call) {
        boolean endedByDeadline = landing instanceof Crashed(DeadlineExceededException cause);
        boolean hasMoreTime = call.deadlineNanos() - flight.deadlineNanos() > 0;
        return endedByDeadline && hasMoreTime && timekeeper.nanoTime() - call.deadlineNanos() < 0
                ? Optional.empty()
                : Optional.of(result(landing).replayedFor(call.id()));
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
