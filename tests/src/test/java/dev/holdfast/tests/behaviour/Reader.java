package dev.holdfast.tests.behaviour;

import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamEvent;
import dev.holdfast.core.ResilientClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a consumer that reads a stream from its beginning to its end sees of it. */
public record Reader(
        List<StreamEvent> events,
        Optional<ModelResponse> response,
        Optional<CallException> error,
        Duration began,
        Duration at,
        boolean interrupted) {
    /** Reads on the current task of the world. */
    public static Reader read(World world, ResilientClient client, ModelRequest request, CallOptions options) {
        Duration began = world.time().elapsed();
        var events = new ArrayList<StreamEvent>();
        Optional<ModelResponse> response = Optional.empty();
        Optional<CallException> error = Optional.empty();
        try (ModelStream stream = client.stream(request, options)) {
            stream.forEach(events::add);
            response = Optional.of(stream.toResponse());
        } catch (CallException e) {
            error = Optional.of(e);
        }
        return new Reader(
                events,
                response,
                error,
                began,
                world.time().elapsed(),
                Thread.currentThread().isInterrupted());
    }

    /** Reads in a task of its own. */
    public static Reader of(World world, ResilientClient client) {
        return of(world, client, CallOptions.none());
    }

    public static Reader of(World world, ResilientClient client, CallOptions options) {
        return world.time().call(() -> read(world, client, World.request(), options));
    }

    public static Reader of(World world, ResilientClient client, ModelRequest request) {
        return world.time().call(() -> read(world, client, request, CallOptions.none()));
    }

    public String text() {
        return textOf(events);
    }

    public static String textOf(List<StreamEvent> events) {
        var text = new StringBuilder();
        events.forEach(event -> {
            if (event instanceof StreamEvent.TextDelta(String more)) {
                text.append(more);
            }
        });
        return text.toString();
    }

    public ModelResponse answer() {
        return response.orElseThrow(() -> new AssertionError("the stream failed", error.orElse(null)));
    }

    public CallException failure() {
        return error.orElseThrow(() -> new AssertionError("the stream came to its end: " + response));
    }

    public Duration took() {
        return at.minus(began);
    }
}
