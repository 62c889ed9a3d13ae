package io.polytable.server.cli;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.server.http.AdminToken;
import io.polytable.server.run.PinnedCertificate;
import io.polytable.server.run.RefusedException;
import io.polytable.server.run.ServerFile;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** Sends statements to the server that holds a data directory, with the credential of local commands. */
final class SqlClient {
    /** Decimals keep the digits that the server sent. */
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);

    private final HttpClient http;
    private final URI uri;
    private final Credential credential;

    /** What proves who sends a request. */
    private interface Credential {
        /** The value of the header, empty for none. */
        String header() throws IOException, InterruptedException;

        /** Whether there is another one, because the server has refused this one. */
        default boolean isRenewed() throws IOException, InterruptedException {
            return false;
        }
    }

    SqlClient(URI uri, String authorization) {
        this(build(HttpClient.newBuilder()), uri, () -> authorization);
    }

    private SqlClient(HttpClient http, URI uri, Credential credential) {
        this.http = http;
        this.uri = uri;
        this.credential = credential;
    }

    private static HttpClient build(HttpClient.Builder http) {
        return http.connectTimeout(CONNECT_MAX).build();
    }

    static SqlClient of(Path directory) {
        try {
            ServerFile server = ServerFile.read(directory)
                    .orElseThrow(() -> new RefusedException("No server runs on " + directory
                            + ": start one with polytable serve, or name the data directory of a running one with"
                            + " --data.dir, or its address with --host and --port"));
            HttpClient.Builder http = HttpClient.newBuilder();
            if (server.certificate().isPresent()) {
                http.sslContext(PinnedCertificate.context(server.certificate().get()));
            }
            String token = AdminToken.headerFor(directory);
            return new SqlClient(build(http), server.uri("/v1/api/sql"), () -> token);
        } catch (IOException failure) {
            throw new RefusedException(
                    "No server can be reached on " + directory + ": " + failure.getMessage(), failure);
        }
    }

    /**
     * A server on any machine. Without a password the server must be one that asks for none.
     *
     * @param tls how the connection is encrypted; empty for a plain one
     */
    static SqlClient of(String host, int port, String user, String password, Optional<SSLContext> tls) {
        String literal = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
        HttpClient.Builder builder = HttpClient.newBuilder();
        tls.ifPresent(builder::sslContext);
        HttpClient http = build(builder);
        try {
            URI uri = new URI((tls.isPresent() ? "https://" : "http://") + literal + ":" + port + "/v1/api/sql");
            RemoteLogin login = new RemoteLogin(http, uri, user, password);
            return new SqlClient(http, uri, new Credential() {
                @Override
                public String header() throws IOException, InterruptedException {
                    return login.authorization();
                }

                @Override
                public boolean isRenewed() throws IOException, InterruptedException {
                    return login.renew();
                }
            });
        } catch (URISyntaxException malformed) {
            throw new RefusedException("--host takes a name or an address, not " + host, malformed);
        }
    }

    /** Runs a text on its own; the answer may be an error. */
    JsonNode ask(String sql) {
        return ask(sql, "");
    }

    /**
     * Runs a text in a session. It is sent once: only the caller knows whether it may be sent again.
     *
     * @param session {@code new} to begin one, empty for none
     */
    JsonNode ask(String sql, String session) {
        ObjectNode body = MAPPER.createObjectNode();
        body.put("sql", sql);
        if (!session.isEmpty()) {
            body.put("session_id", session);
        }
        return answer(body);
    }

    private JsonNode answer(ObjectNode body) {
        try {
            HttpResponse<byte[]> response = send(body);
            if (response.statusCode() == HttpURLConnection.HTTP_UNAUTHORIZED && credential.isRenewed()) {
                // Nothing was executed.
                response = send(body);
            }
            if (response.headers().firstValue("Content-Type").orElse("").startsWith("application/json")) {
                return MAPPER.readTree(response.body());
            }
            throw new RefusedException(new String(response.body(), StandardCharsets.UTF_8).strip());
        } catch (IOException failure) {
            throw new RefusedException("The server cannot be reached at " + uri + ": " + reason(failure), failure);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new RefusedException("Interrupted", stop);
        }
    }

    private HttpResponse<byte[]> send(ObjectNode body) throws IOException, InterruptedException {
        HttpRequest.Builder builder = HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString(), StandardCharsets.UTF_8));
        String header = credential.header();
        if (!header.isEmpty()) {
            builder.header("Authorization", header);
        }
        return http.send(builder.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    /** A refused connection has no message. */
    private static String reason(IOException failure) {
        return failure.getMessage() == null ? "connection refused" : failure.getMessage();
    }
}
