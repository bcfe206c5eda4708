package dev.holdfast.comparisons;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The provider of {@link GatewayCompare}, a process of its own. */
final class GatewayUpstream {
    private static final int WORDS = 20;

    private GatewayUpstream() {}

    /** Runs until it is ended. */
    @SuppressWarnings("SystemOut") // a command's output
    public static void main(String[] args) throws InterruptedException {
        FixedServer server = FixedServer.start(ClientContender.BODY, events());
        System.out.println("listening on " + server.baseUrl());
        new CountDownLatch(1).await();
    }

    private static List<String> events() {
        var events = new ArrayList<String>();
        events.add(event("{\"role\":\"assistant\",\"content\":\"\"}", "null"));
        for (int i = 0; i < WORDS; i++) {
            events.add(event("{\"content\":\"word" + i + " \"}", "null"));
        }
        events.add(event("{}", "\"stop\""));
        events.add("data: [DONE]\n\n");
        return events;
    }

    private static String event(String delta, String reason) {
        return "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1767225600,\"model\":\"gpt-4.1\","
                + "\"choices\":[{\"index\":0,\"delta\":" + delta + ",\"logprobs\":null,\"finish_reason\":" + reason
                + "}]}\n\n";
    }
}
