package dev.holdfast.docs;

import dev.holdfast.Endpoint;
import dev.holdfast.ModelRequest;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;

/** What snippets take for granted: an endpoint, a request, a failure that need not be waited for. */
final class Local {
    private Local() {}

    static Endpoint endpoint(FaultyProvider provider) {
        return endpoint("local", provider);
    }

    static Endpoint endpoint(String name, FaultyProvider provider) {
        return Endpoint.builder(name, provider.baseUrl()).build();
    }

    static ModelRequest request() {
        return ModelRequest.chat("gpt-4.1").user("Name three rivers.").build();
    }

    /** A failure of that status which says to come again at once. */
    static Reply soon(int status) {
        return Reply.status(status).withHeader("retry-after-ms", "1");
    }
}
