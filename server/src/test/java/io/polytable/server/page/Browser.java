package io.polytable.server.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A headless Chromium, driven through chromedriver by the WebDriver protocol, which is JSON over HTTP. */
final class Browser implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern PORT = Pattern.compile("started successfully on port (\\d+)");
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);
    private static final long STOP_SECONDS_MAX = 10;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Process driver;
    private final String base;

    private Browser(Process driver, int port, ObjectNode capabilities) throws IOException, InterruptedException {
        this.driver = driver;
        String sessions = "http://127.0.0.1:" + port + "/session";
        base = sessions + "/"
                + send("POST", sessions, capabilities).path("sessionId").asText();
    }

    /**
     * Starts a browser, or skips the calling test on a machine without one; under continuous integration it must be there.
     *
     * @param resolved host names that stand for this machine, as after DNS rebinding
     */
    static Browser start(Path profile, String... resolved) throws IOException, InterruptedException {
        Path chromium = Program.CHROMIUM.require();
        Path chromedriver = Program.CHROMEDRIVER.require();
        ObjectNode capabilities = capabilities(chromium, profile, List.of(resolved));
        Process driver = new ProcessBuilder(chromedriver.toString(), "--port=0")
                .redirectErrorStream(true)
                .start();
        try {
            return new Browser(driver, port(driver), capabilities);
        } catch (IOException | InterruptedException | RuntimeException | Error failed) {
            driver.destroyForcibly();
            throw failed;
        }
    }

    private static ObjectNode capabilities(Path chromium, Path profile, List<String> resolved) {
        ObjectNode root = MAPPER.createObjectNode();
        ObjectNode options =
                root.putObject("capabilities").putObject("alwaysMatch").putObject("goog:chromeOptions");
        options.put("binary", chromium.toString());
        ArrayNode words = options.putArray("args");
        List.of(
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--window-size=1280,800",
                        "--user-data-dir=" + profile)
                .forEach(words::add);
        if (!resolved.isEmpty()) {
            String rules = String.join(
                    ", ",
                    resolved.stream().map(host -> "MAP " + host + " 127.0.0.1").toList());
            words.add("--host-resolver-rules=" + rules);
        }
        return root;
    }

    private static int port(Process driver) throws IOException {
        BufferedReader lines = driver.inputReader(StandardCharsets.UTF_8);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher port = PORT.matcher(line);
            if (port.find()) {
                return Integer.parseInt(port.group(1));
            }
        }
        throw new IOException("chromedriver ended before it told its port");
    }

    private JsonNode send(String method, String uri, ObjectNode body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(uri))
                .timeout(ANSWER_MAX)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body.toString()))
                .build();
        JsonNode value = MAPPER.readTree(
                        http.send(request, HttpResponse.BodyHandlers.ofString()).body())
                .path("value");
        if (value.has("error")) {
            throw new AssertionError(
                    value.path("error").asText() + ": " + value.path("message").asText());
        }
        return value;
    }

    private JsonNode post(String path, ObjectNode body) throws IOException, InterruptedException {
        return send("POST", base + path, body);
    }

    void open(String url) throws IOException, InterruptedException {
        post("/url", MAPPER.createObjectNode().put("url", url));
    }

    /** What a script in the page returns; a promise is awaited. */
    JsonNode run(String script) throws IOException, InterruptedException {
        ObjectNode body = MAPPER.createObjectNode().put("script", script);
        body.putArray("args");
        return post("/execute/sync", body);
    }

    /** The text that is shown of the first element. */
    String text(String selector) throws IOException, InterruptedException {
        return run("const found = document.querySelector(" + MAPPER.writeValueAsString(selector)
                        + "); return found ? found.innerText : ''")
                .asText();
    }

    private String element(String selector) throws IOException, InterruptedException {
        JsonNode found = post(
                "/element",
                MAPPER.createObjectNode().put("using", "css selector").put("value", selector));
        return "/element/" + found.properties().iterator().next().getValue().asText();
    }

    void click(String selector) throws IOException, InterruptedException {
        post(element(selector) + "/click", MAPPER.createObjectNode());
    }

    /** Types the text in the place of what was there. */
    void type(String selector, String text) throws IOException, InterruptedException {
        String target = element(selector);
        post(target + "/clear", MAPPER.createObjectNode());
        post(target + "/value", MAPPER.createObjectNode().put("text", text));
    }

    /** Waits until an expression of the page is true. */
    void await(String condition) throws IOException, InterruptedException {
        Await.until(
                () -> condition + "; the page shows: " + shown(),
                () -> run("return !!(" + condition + ")").asBoolean());
    }

    private String shown() {
        try {
            return text("body");
        } catch (IOException | InterruptedException failure) {
            return failure.toString();
        }
    }

    /** A picture of what is shown, for whoever looks into a failure. */
    void picture(Path file) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(base + "/screenshot")).build();
        JsonNode answer = MAPPER.readTree(
                http.send(request, HttpResponse.BodyHandlers.ofString()).body());
        Files.write(file, Base64.getDecoder().decode(answer.path("value").asText()));
    }

    @Override
    public void close() throws IOException {
        try {
            send("DELETE", base, MAPPER.createObjectNode());
            driver.destroy();
            if (!driver.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                driver.destroyForcibly();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } finally {
            driver.destroyForcibly();
        }
    }
}
