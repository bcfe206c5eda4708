package dev.holdfast.clients;

import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import java.util.ArrayList;

/** Streams that break off after they have begun. */
final class Broken {
    static final String BEGINNING = "one two ";

    private Broken() {}

    /** A stream that is cut between two events, after {@link #BEGINNING}. */
    static Reply reply(ProviderRequest request) {
        Reply whole = Reply.completion(request, "one two three");
        return whole.cutAfter(lengthOfTheBeginning(whole));
    }

    /** The same, reset. */
    static Reply reset(ProviderRequest request) {
        Reply whole = Reply.completion(request, "one two three");
        return whole.resetAfter(lengthOfTheBeginning(whole));
    }

    /** The same, and then the provider's own error in the place of the rest. */
    static Reply told(ProviderRequest request) {
        Reply whole = Reply.completion(request, "one two three");
        var begun = new ArrayList<Reply.Chunk>();
        int length = lengthOfTheBeginning(whole);
        int sent = 0;
        for (Reply.Chunk chunk : whole.chunks()) {
            if (sent >= length) {
                break;
            }
            begun.add(chunk);
            sent += chunk.bytes().size();
        }
        begun.add(
                Reply.Chunk.of(
                        "data: {\"error\":{\"message\":\"overloaded\",\"type\":\"server_error\",\"code\":\"server_is_overloaded\"}}\n\n"));
        return whole.withChunks(begun);
    }

    /** Cut within an event, so that what came of it is no event. */
    static Reply within(ProviderRequest request) {
        Reply whole = Reply.completion(request, "one two three");
        return whole.cutAfter(lengthOfTheBeginning(whole) + 25);
    }

    /** The same, and then silence. */
    static Reply silent(ProviderRequest request) {
        Reply whole = Reply.completion(request, "one two three");
        return whole.hangAfter(lengthOfTheBeginning(whole));
    }

    private static int lengthOfTheBeginning(Reply whole) {
        String body = whole.body().toUtf8();
        int last = body.indexOf("three");
        return Math.max(body.lastIndexOf("data: ", last), 0);
    }
}
