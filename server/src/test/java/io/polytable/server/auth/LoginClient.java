package io.polytable.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

/** A client of the paths for logins. */
public final class LoginClient {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final String server;

    private LoginClient(String server) {
        this.server = server;
    }

    public static LoginClient of(int port) {
        return new LoginClient("http://127.0.0.1:" + port);
    }

    /** What a login issues. */
    public record Tokens(String access, String refresh) {}

    public Tokens login(String user, String password) throws IOException, InterruptedException {
        return tokens(post("/login", JSON.writeValueAsString(Map.of("user", user, "password", password))));
    }

    Tokens refresh(String token) throws IOException, InterruptedException {
        return tokens(tryRefresh(token));
    }

    HttpResponse<String> tryRefresh(String token) throws IOException, InterruptedException {
        return post("/refresh", JSON.writeValueAsString(Map.of("refresh_token", token)));
    }

    private static Tokens tokens(HttpResponse<String> response) throws IOException {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
        JsonNode body = JSON.readTree(response.body());
        assertThat(body.path("expires_in").asLong()).isPositive();
        return new Tokens(
                body.path("access_token").asText(), body.path("refresh_token").asText());
    }

    /** A request below {@code /v1/api/auth}, with pairs of headers. */
    public HttpResponse<String> post(String path, String body, String... headers)
            throws IOException, InterruptedException {
        return send("POST", LoginEndpoint.TREE + path, body, headers);
    }

    public HttpResponse<String> send(String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }

    HttpResponse<String> postBytes(String path, byte[] body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server + LoginEndpoint.TREE + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        return HTTP.send(request, BodyHandlers.ofString());
    }

    /** The status of a statement that is sent with this token. */
    public int sql(String statement, String token) throws IOException, InterruptedException {
        return statement(statement, token).statusCode();
    }

    HttpResponse<String> statement(String statement, String token) throws IOException, InterruptedException {
        return send(
                "POST",
                "/v1/api/sql",
                JSON.writeValueAsString(Map.of("sql", statement)),
                "Authorization",
                "Bearer " + token);
    }

    JsonNode json(HttpResponse<String> response) throws IOException {
        return JSON.readTree(response.body());
    }
}
