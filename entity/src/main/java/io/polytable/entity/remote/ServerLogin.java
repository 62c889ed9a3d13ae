package io.polytable.entity.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The bearer token of a connection: a service token that it was given, or the one that a login with a password issues. */
final class ServerLogin {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpClient client;
    private final URI server;
    private final Credential credential;
    private final Duration timeout;
    private @Nullable CompletableFuture<String> issued;

    /**
     * What the URI gives.
     *
     * @param user who logs in
     * @param password empty for none
     * @param token empty for none
     */
    record Credential(String user, String password, String token) {
        @Override
        public String toString() {
            return user;
        }
    }

    ServerLogin(HttpClient client, URI server, Credential credential, Duration timeout) {
        this.client = client;
        this.server = server;
        this.credential = credential;
        this.timeout = timeout;
    }

    /** Empty for a server that asks for none. */
    synchronized CompletableFuture<String> token() {
        if (!logsIn()) {
            return CompletableFuture.completedFuture(credential.token());
        }
        CompletableFuture<String> present = issued;
        if (present == null || present.isCompletedExceptionally()) {
            present = login();
            issued = present;
        }
        return present.copy();
    }

    /** Drops a token that the server has refused; false if there cannot be another one. */
    synchronized boolean renews(String refused) {
        CompletableFuture<String> present = issued;
        if (present != null && present.isDone() && refused.equals(present.getNow(""))) {
            issued = null;
        }
        return logsIn();
    }

    private boolean logsIn() {
        return credential.token().isEmpty() && !credential.password().isEmpty();
    }

    private CompletableFuture<String> login() {
        try {
            Map<String, String> body = Map.of("user", credential.user(), "password", credential.password());
            HttpRequest request = HttpRequest.newBuilder(server.resolve("/v1/api/auth/login"))
                    .timeout(timeout)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
                    .build();
            return client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
                    .thenApply(this::token);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("Texts can be written as JSON", impossible);
        }
    }

    private String token(HttpResponse<byte[]> response) {
        if (response.statusCode() != 200) {
            throw new EntityException(
                    EntityError.DENIED,
                    "The server refused the login",
                    Map.of("server", server.getAuthority(), "user", credential.user()));
        }
        try {
            return JSON.readTree(response.body()).path("access_token").asText();
        } catch (IOException malformed) {
            throw new UncheckedIOException(malformed);
        }
    }
}
