package dev.holdfast.benchmarks.lab;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.core.JsonText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Chromium without a window, driven as the W3C's WebDriver says. */
final class Browser implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("successfully on port (\\d+)");
    private static final String OPTIONS = """
            {"capabilities": {"alwaysMatch": {"goog:loggingPrefs": {"browser": "ALL"}, "goog:chromeOptions": {"args":
            ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]}}}}""";

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process driver;
    private final String root;
    private final String session;

    private Browser(Process driver, String root) {
        this.driver = driver;
        this.root = root;
        JsonObject value = (JsonObject) post("/session", OPTIONS);
        this.session = "/session/" + value.text("sessionId").orElseThrow();
    }

    /** A browser, if this machine has a ChromeDriver. */
    static Optional<Browser> find() throws IOException {
        Optional<Path> driver = List.of(System.getenv().getOrDefault("PATH", "").split(":")).stream()
                .map(directory -> Path.of(directory, "chromedriver"))
                .filter(Files::isExecutable)
                .findFirst();
        if (driver.isEmpty()) {
            return Optional.empty();
        }
        Process process = new ProcessBuilder(driver.get().toString(), "--port=0")
                .redirectErrorStream(true)
                .start();
        return Optional.of(new Browser(process, "http://localhost:" + port(process)));
    }

    private static String port(Process process) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher port = PORT.matcher(line);
            if (port.find()) {
                return port.group(1);
            }
        }
        throw new IOException("chromedriver ended without a port");
    }

    void open(Path page) {
        post(
                session + "/url",
                JsonObject.of("url", new JsonString(page.toUri().toString())).toJson());
    }

    /** So wide a page, in one of the schemes light and dark. */
    void show(int width, String scheme) {
        devTools(
                "Emulation.setDeviceMetricsOverride",
                "{\"width\": " + width + ", \"height\": 900, \"deviceScaleFactor\": 1, \"mobile\": false}");
        devTools(
                "Emulation.setEmulatedMedia",
                "{\"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"" + scheme + "\"}]}");
    }

    private void devTools(String command, String parameters) {
        post(session + "/goog/cdp/execute", "{\"cmd\": \"" + command + "\", \"params\": " + parameters + "}");
    }

    /** What a script returns, as text. */
    String run(String script) {
        JsonValue value = post(
                session + "/execute/sync",
                JsonObject.of("script", new JsonString(script))
                        .with("args", new JsonArray(List.of()))
                        .toJson());
        return value instanceof JsonString text ? text.text() : value.toJson();
    }

    /** What the browser's console says. */
    String console() {
        return post(session + "/se/log", "{\"type\": \"browser\"}").toJson();
    }

    private JsonValue post(String path, String body) {
        var request = HttpRequest.newBuilder(URI.create(root + path))
                .POST(BodyPublishers.ofString(body))
                .build();
        try {
            String answer = http.send(request, BodyHandlers.ofString()).body();
            JsonValue value = JsonText.parse(answer) instanceof JsonObject object
                    ? object.get("value").orElseThrow()
                    : JsonObject.empty();
            if (value instanceof JsonObject object && object.text("error").isPresent()) {
                throw new AssertionError(path + ": " + object.text("message").orElse(answer));
            }
            return value;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        try {
            http.send(
                    HttpRequest.newBuilder(URI.create(root + session)).DELETE().build(), BodyHandlers.discarding());
        } catch (IOException e) {
            // It is ended next.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            driver.destroy();
            http.close();
        }
    }
}
