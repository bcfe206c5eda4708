package dev.holdfast.docs;

// snippet: readme
import dev.holdfast.*;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.*;

public class ReadmeExample {
    public static void main(String[] args) {
        var script = FaultScript.of(Reply.status(503), Reply.status(429).withHeader("retry-after-ms", "300"));
        try (var provider = FaultyProvider.start(script)) {
            var endpoint = Endpoint.builder("local", provider.baseUrl()).build();
            var client = ResilientClient.builder().endpoint(endpoint).build();
            var answer = client.call(ModelRequest.chat("gpt-4.1").user("Hello").build());
            System.out.println(answer.text().orElseThrow() + " " + answer.attempts());
        }
    }
}
// end
