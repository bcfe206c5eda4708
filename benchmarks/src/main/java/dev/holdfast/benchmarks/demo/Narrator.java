package dev.holdfast.benchmarks.demo;

import dev.holdfast.Attempt;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.AttemptFinished;
import dev.holdfast.CallEvent.AttemptStarted;
import dev.holdfast.CallEvent.CallFinished;
import dev.holdfast.CallEvent.Moved;
import dev.holdfast.CallEvent.RetryScheduled;
import dev.holdfast.CallException;
import dev.holdfast.Failure;
import dev.holdfast.ModelResponse;
import dev.holdfast.spi.CallListener;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Tells what happens to a call while it happens. */
final class Narrator implements CallListener {
    private static final String RED = "\u001b[31m";
    private static final String GREEN = "\u001b[32m";
    private static final String YELLOW = "\u001b[33m";
    private static final String PLAIN = "\u001b[0m";

    private final PrintWriter out;
    private final boolean colours;
    private Duration took = Duration.ZERO;

    Narrator(PrintWriter out, boolean colours) {
        this.out = out;
        this.colours = colours;
    }

    @Override
    public void onEvent(CallEvent event) {
        switch (event) {
            case AttemptStarted started ->
                begin("   attempt " + started.number() + "  " + started.target().model() + " … ");
            case AttemptFinished finished -> end(outcome(finished.attempt()));
            case RetryScheduled scheduled -> end(waiting(scheduled));
            case Moved moved ->
                end(coloured(YELLOW, "              goes to " + moved.to().model() + ", without a wait"));
            case CallFinished finished -> took = finished.took();
            default -> out.flush();
        }
    }

    void answered(ModelResponse response) {
        end("   answer: " + response.text().orElse("(none)"));
        end("   " + response.attempts().size() + " attempts, " + seconds(took) + " in all, served by "
                + response.model().orElse("nobody"));
        response.attempts().stream()
                .findFirst()
                .flatMap(Attempt::failure)
                .ifPresent(failure -> end("   Without Holdfast: " + coloured(RED, "no answer, but an error") + " after "
                        + seconds(response.attempts().getFirst().took()) + ": " + words(failure)));
    }

    void failed(CallException e) {
        end("   " + coloured(RED, "no answer: " + e.getMessage()));
    }

    private String outcome(Attempt attempt) {
        return attempt.failure()
                        .map(failure -> coloured(RED, words(failure)))
                        .orElseGet(() -> coloured(GREEN, "200 ok"))
                + " (" + seconds(attempt.took()) + ")";
    }

    private static String words(Failure failure) {
        String status = failure.status().isPresent() ? failure.status().getAsInt() + " " : "";
        String message = failure.message().isEmpty() ? "" : ": " + failure.message();
        return status + failure.kind().wireName() + message;
    }

    private String waiting(RetryScheduled scheduled) {
        String why = scheduled.suggested() ? "as the provider asked" : "backoff with jitter";
        return coloured(YELLOW, "              waits " + seconds(scheduled.delay()) + ", " + why);
    }

    private String coloured(String colour, String text) {
        return colours ? colour + text + PLAIN : text;
    }

    private void begin(String text) {
        out.print(text);
        out.flush();
    }

    private void end(String line) {
        out.println(line);
        out.flush();
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.2f s", duration.toNanos() / 1e9);
    }
}
