package io.polytable.server.cli;

import io.polytable.server.http.AdminToken;
import io.polytable.server.run.DataDirectory;
import io.polytable.server.run.PinnedCertificate;
import io.polytable.server.run.RefusedException;
import io.polytable.server.run.ServerFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.net.ssl.HttpsURLConnection;

/** The server that holds a data directory, reached through its admin endpoint. */
final class RunningServer {
    private static final int CONNECT_MILLIS_MAX = 5000;
    private static final byte[] NO_BODY = {};

    private final ServerFile server;
    private final String authorization;

    private RunningServer(ServerFile server, String authorization) {
        this.server = server;
        this.authorization = authorization;
    }

    /** The server's answer. */
    record Answer(int status, String text) {
        Answer orThrow() {
            if (status != HttpURLConnection.HTTP_OK) {
                throw refusal();
            }
            return this;
        }

        RefusedException refusal() {
            return new RefusedException(text.isEmpty() ? "The server answered " + status : text);
        }
    }

    static RunningServer of(Path directory) {
        try {
            ServerFile server = ServerFile.read(directory)
                    .orElseThrow(
                            () -> new RefusedException(
                                    directory
                                            + " is locked by another process that is not a Polytable server, or by one that is starting"));
            return new RunningServer(server, AdminToken.headerFor(directory));
        } catch (IOException failure) {
            throw new RefusedException(
                    "A server holds " + directory + ", but how to reach it cannot be read: " + failure, failure);
        }
    }

    /** The server of a directory, for commands that need one. */
    static RunningServer require(Path directory) {
        Optional<DataDirectory> held = DataDirectory.holdExisting(directory);
        if (held.isPresent()) {
            held.get().close();
            throw new RefusedException("No server runs on " + directory + "; polytable serve starts one");
        }
        return of(directory);
    }

    long pid() {
        return server.pid();
    }

    /** Waits without a timeout; if the server dies, the connection breaks. */
    Answer post(String path, Map<String, String> parameters) {
        return post(path, parameters, NO_BODY);
    }

    /** As {@link #post(String, Map)}, with what must not be in a URL. */
    Answer post(String path, Map<String, String> parameters, byte[] sent) {
        return post(path, parameters, sent, RunningServer::text);
    }

    /** As {@link #post(String, Map)}, with each line of the reply as it comes; the answer is the last one. */
    Answer follow(String path, Map<String, String> parameters, Consumer<String> lines) {
        return post(path, parameters, NO_BODY, body -> lastLine(body, lines));
    }

    private static String lastLine(InputStream body, Consumer<String> lines) throws IOException {
        String last = "";
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.accept(line);
                last = line;
            }
        }
        return last;
    }

    /** Reads the body of a reply. */
    private interface BodyReader {
        String read(InputStream body) throws IOException;
    }

    private Answer post(String path, Map<String, String> parameters, byte[] sent, BodyReader reader) {
        String query = parameters.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) server.uri(path + "?" + query).toURL().openConnection();
            if (connection instanceof HttpsURLConnection encrypted
                    && server.certificate().isPresent()) {
                encrypted.setSSLSocketFactory(
                        PinnedCertificate.context(server.certificate().get()).getSocketFactory());
                // The certificate is compared byte by byte instead.
                encrypted.setHostnameVerifier((host, session) -> true);
            }
            return exchange(connection, sent, reader);
        } catch (IOException failure) {
            throw new RefusedException(
                    "The server (process " + server.pid() + ") cannot be reached at " + server.host() + " port "
                            + server.httpPort() + ": " + failure.getMessage(),
                    failure);
        }
    }

    private Answer exchange(HttpURLConnection connection, byte[] sent, BodyReader reader) throws IOException {
        try {
            connection.setRequestMethod("POST");
            connection.setConnectTimeout(CONNECT_MILLIS_MAX);
            connection.setInstanceFollowRedirects(false);
            connection.setRequestProperty("Authorization", authorization);
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(sent.length);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(sent);
            }
            int status = connection.getResponseCode();
            InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream();
            return new Answer(status, body == null ? "" : status < 400 ? reader.read(body) : text(body));
        } finally {
            connection.disconnect();
        }
    }

    private static String text(InputStream body) throws IOException {
        try (body) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }
}
