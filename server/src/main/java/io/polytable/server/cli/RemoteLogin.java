package io.polytable.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polytable.server.run.RefusedException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;

/** A login with a password at a server on any machine, and the token that it has issued. */
final class RemoteLogin {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpClient http;
    private final URI server;
    private final String user;
    private final String password;
    private String token = "";

    RemoteLogin(HttpClient http, URI server, String user, String password) {
        this.http = http;
        this.server = server;
        this.user = user;
        this.password = password;
    }

    /** The value of the header; empty without a password, for a server that asks for none. */
    synchronized String authorization() throws IOException, InterruptedException {
        if (token.isEmpty() && !password.isEmpty()) {
            renew();
        }
        return token.isEmpty() ? "" : "Bearer " + token;
    }

    /** Logs in again, because the token has ended; false without a password. */
    synchronized boolean renew() throws IOException, InterruptedException {
        if (password.isEmpty()) {
            return false;
        }
        HttpRequest request = HttpRequest.newBuilder(server.resolve("/v1/api/auth/login"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        JSON.writeValueAsString(Map.of("user", user, "password", password))))
                .build();
        HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        JsonNode answer = JSON.readTree(response.body());
        if (response.statusCode() != 200) {
            throw new RefusedException("The login of " + user + " failed: "
                    + answer.path("error").asText("HTTP " + response.statusCode()));
        }
        token = answer.path("access_token").asText();
        return true;
    }
}
