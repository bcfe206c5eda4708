package dev.holdfast.comparisons;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import javax.net.ssl.SSLContext;

/** The least that does the same: a tree written, a tree read. */
final class BareCaller implements Caller {
    private final HttpClient client;
    private final ObjectMapper jackson = new ObjectMapper();
    private final URI uri;

    private BareCaller(HttpClient.Builder client, URI baseUrl) {
        this.client = client.version(HttpClient.Version.HTTP_1_1).build();
        this.uri = URI.create(baseUrl + "/chat/completions");
    }

    /** As the JDK's client comes, with an executor of its own. */
    static BareCaller asItComes(URI baseUrl) {
        return new BareCaller(HttpClient.newBuilder(), baseUrl);
    }

    /** Without another thread than the caller's and the selector's. */
    static BareCaller inPlace(URI baseUrl) {
        return new BareCaller(HttpClient.newBuilder().executor(Runnable::run), baseUrl);
    }

    /** As it comes, with a trust of its own. */
    static BareCaller overTls(URI baseUrl, SSLContext trust) {
        return new BareCaller(HttpClient.newBuilder().sslContext(trust), baseUrl);
    }

    @Override
    public String ask() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer sk-measuring-0123456789")
                .POST(BodyPublishers.ofByteArray(jackson.writeValueAsBytes(document())))
                .build();
        HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
        JsonNode answer = jackson.readTree(response.body());
        return answer.path("choices").path(0).path("message").path("content").textValue();
    }

    private ObjectNode document() {
        ObjectNode document = jackson.createObjectNode().put("model", ClientContender.MODEL);
        document.putArray("messages").addObject().put("role", "user").put("content", ClientContender.QUESTION);
        return document;
    }

    @Override
    public void close() {
        client.close();
    }
}
