package dev.holdfast.simulation.internal.provider;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.HttpVersion;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Numbers the requests, finds their answers and writes down what became of them; of the latest {@value #KEPT} in full. */
public final class Books {
    private static final int KEPT = 10_000;

    private final FaultScript script;
    private final KeptAnswers kept;
    private final ConcurrentSkipListMap<Integer, Received> received = new ConcurrentSkipListMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger executions = new AtomicInteger();
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicInteger refusedStreams = new AtomicInteger();
    private final AtomicInteger resetStreams = new AtomicInteger();

    private record Received(ProviderRequest request, int connection, HttpVersion version, boolean executed) {}

    Books(FaultScript script, boolean honoursKeys) {
        this.script = script;
        this.kept = new KeptAnswers(honoursKeys);
    }

    /** Numbers a request, finds its answer and writes both down. */
    public Reply answer(int connection, HttpVersion version, String method, String path, Headers headers, Bytes body) {
        var request = new ProviderRequest(numbers.incrementAndGet(), method, path, headers, body);
        received.put(request.number(), new Received(request, connection, version, false));
        KeptAnswers.Answer answer = kept.answer(request, this::scripted);
        if (answer.executed()) {
            executions.incrementAndGet();
            received.put(request.number(), new Received(request, connection, version, true));
        }
        Received dropped = received.remove(request.number() - KEPT);
        if (dropped != null) {
            kept.forget(dropped.request());
        }
        return answer.reply();
    }

    /** A script that throws must not look like a connection that was lost. */
    private Reply scripted(ProviderRequest request) {
        try {
            return script.reply(request);
        } catch (RuntimeException | Error e) {
            return Reply.error(500, "script_error", "script_failed", "The script threw " + e);
        }
    }

    /** A whole answer has gone out. */
    public void answered() {
        answers.incrementAndGet();
    }

    /** A stream was one too many and its request not read. */
    public void streamRefused() {
        refusedStreams.incrementAndGet();
    }

    /** A client gave a stream up. */
    public void streamReset() {
        resetStreams.incrementAndGet();
    }

    public List<ProviderRequest> requests() {
        return received.values().stream().map(Received::request).toList();
    }

    public int connectionOf(int number) {
        return found(number).connection();
    }

    public HttpVersion versionOf(int number) {
        return found(number).version();
    }

    private Received found(int number) {
        Received found = received.get(number);
        if (found == null) {
            throw new IllegalArgumentException("number: " + number + " (expected: that of a request which is kept)");
        }
        return found;
    }

    public int executions() {
        return executions.get();
    }

    public int executions(String key) {
        return (int) received.values().stream()
                .filter(one -> one.executed())
                .filter(one ->
                        KeptAnswers.key(one.request()).filter(key::equals).isPresent())
                .count();
    }

    public int answers() {
        return answers.get();
    }

    public int streamsRefused() {
        return refusedStreams.get();
    }

    public int streamsReset() {
        return resetStreams.get();
    }
}
