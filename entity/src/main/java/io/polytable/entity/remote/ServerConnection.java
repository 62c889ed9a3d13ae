package io.polytable.entity.remote;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.permit.Permissions;
import io.polytable.entity.session.Futures;
import io.polytable.entity.uri.CallTimeout;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.wire.CallAnswer;
import io.polytable.entity.wire.StoreCall;
import io.polytable.table.Bytes;
import io.polytable.table.StoreException;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Sends calls to a server's store over HTTP; each completes or fails within the time-out. */
final class ServerConnection {
    private static final Duration CONNECT_TIMEOUT_MAX = Duration.ofSeconds(5);
    private static final int UNAUTHORIZED = 401;

    private final HttpClient client;
    private final URI address;
    private final ServerLogin login;
    private final Optional<String> user;
    private final Duration timeout;

    private ServerConnection(
            HttpClient client, URI address, ServerLogin login, Optional<String> user, Duration timeout) {
        this.client = client;
        this.address = address;
        this.login = login;
        this.user = user;
        this.timeout = timeout;
    }

    /** The user whose permissions the server checks; none for the operator of the server. */
    Optional<String> user() {
        return user;
    }

    /** Connects to the first of the URI's hosts that answers; otherwise throws the failure of the last one. */
    static ServerConnection connect(EntityUri uri) {
        Duration timeout = CallTimeout.of(uri);
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout.compareTo(CONNECT_TIMEOUT_MAX) < 0 ? timeout : CONNECT_TIMEOUT_MAX)
                .build();
        ServerLogin.Credential credential = new ServerLogin.Credential(
                uri.options().getOrDefault("login", "root"),
                option(uri, "password", "POLYTABLE_PASSWORD"),
                option(uri, "token", "POLYTABLE_TOKEN"));
        Optional<String> user = Optional.ofNullable(uri.options().get("user")).map(Permissions::user);
        EntityException failure = null;
        for (String host : uri.hosts()) {
            URI address = address(uri, host);
            ServerLogin login = new ServerLogin(client, address, credential, timeout);
            ServerConnection connection = new ServerConnection(client, address, login, user, timeout);
            try {
                connection.call(StoreCall.INSTANCES, words -> {});
                return connection;
            } catch (EntityException e) {
                failure = e;
            }
        }
        throw failure == null ? new EntityException(EntityError.BAD_URI, "The URI names no host") : failure;
    }

    private static String option(EntityUri uri, String name, String variable) {
        return uri.options().getOrDefault(name, System.getenv().getOrDefault(variable, ""));
    }

    private static URI address(EntityUri uri, String host) {
        String scheme = uri.flag("tls", false) ? "https" : "http";
        try {
            return URI.create(scheme + "://" + host + ":" + uri.portOrDefault() + StoreCall.PATH);
        } catch (IllegalArgumentException e) {
            throw new EntityException(EntityError.BAD_URI, "Not a host", Map.of("host", host), e);
        }
    }

    /** The fields of the answer. */
    BytesReader call(StoreCall kind, Consumer<BytesWriter> words) {
        return Futures.join(callAsync(kind, words));
    }

    CompletableFuture<BytesReader> callAsync(StoreCall kind, Consumer<BytesWriter> words) {
        BytesWriter out = new BytesWriter().u8(StoreCall.VERSION).u8(kind.number());
        words.accept(out);
        boolean isRead = isRead(kind);
        return send(out.toBytes(), isRead ? 1 : 0)
                .thenApply(this::opened)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(translated(failure, isRead)));
    }

    private static boolean isRead(StoreCall kind) {
        return switch (kind) {
            case INSTANCES, FIND_INSTANCE, GET_RECORD, RECORDS, GET, SCAN, PARTITIONS, FLUSH -> true;
            case CREATE_INSTANCE, DROP_INSTANCE, PUT_RECORD, REMOVE_RECORD, REPLACE_RECORD -> false;
            case PREPARE, TRIM, DROP, WRITE, WRITE_ALL -> false;
        };
    }

    /** A call that is refused for its token is not executed, so it is sent again with another one. */
    private CompletableFuture<HttpResponse<byte[]>> send(Bytes body, int again) {
        return login.token()
                .thenCompose(token -> send(body, again, token)
                        .thenCompose(response -> response.statusCode() == UNAUTHORIZED && login.renews(token)
                                ? login.token().thenCompose(next -> send(body, again, next))
                                : CompletableFuture.completedFuture(response)));
    }

    /** @param again how often the call may be repeated when its connection breaks, as idle ones occasionally do */
    private CompletableFuture<HttpResponse<byte[]>> send(Bytes body, int again, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .timeout(timeout)
                .header("Content-Type", StoreCall.CONTENT_TYPE)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body.array(), body.offset(), body.length()));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        user.ifPresent(name -> request.header(StoreCall.USER_HEADER, name));
        CompletableFuture<HttpResponse<byte[]>> sent =
                client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        // The client's own time-out ends with the headers; a server can also die in the middle of an answer.
        CompletableFuture<HttpResponse<byte[]>> bounded =
                sent.copy().orTimeout(timeout.toMillis() + timeout.toMillis() / 10 + 1, TimeUnit.MILLISECONDS);
        return bounded.exceptionallyCompose(failure -> {
            sent.cancel(true);
            Throwable cause = cause(failure);
            boolean isBroken =
                    cause instanceof IOException && !isTimeout(cause) && !(cause instanceof ConnectException);
            return isBroken && again > 0 ? send(body, again - 1, token) : CompletableFuture.failedFuture(cause);
        });
    }

    private static boolean isTimeout(Throwable cause) {
        return cause instanceof java.net.http.HttpTimeoutException || cause instanceof TimeoutException;
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private BytesReader opened(HttpResponse<byte[]> response) {
        String type = response.headers().firstValue("content-type").orElse("");
        if (response.statusCode() == 200 && type.equals(StoreCall.CONTENT_TYPE)) {
            try {
                return CallAnswer.opened(Bytes.of(response.body()));
            } catch (StoreException e) {
                throw new EntityException(EntityError.STORE_FAILED, "The server's answer is malformed", facts(""), e);
            }
        }
        String said = new String(response.body(), java.nio.charset.StandardCharsets.UTF_8).strip();
        String shown = said.substring(0, Math.min(said.length(), 200));
        throw switch (response.statusCode()) {
            case 401, 403, 421 ->
                new EntityException(EntityError.DENIED, "The server refused the caller", facts(shown));
            case 404, 405 ->
                new EntityException(EntityError.UNREACHABLE, "The server at this port holds no entities", facts(shown));
            case 413 ->
                new EntityException(
                        EntityError.TOO_LARGE,
                        "The call is larger than the server's http.max.request.bytes",
                        facts(shown));
            case 503 -> new EntityException(EntityError.UNREACHABLE, "The server is not ready", facts(shown));
            default ->
                new EntityException(
                        EntityError.STORE_FAILED, "The server failed, or is no server of entities", facts(shown));
        };
    }

    private Map<String, String> facts(String said) {
        return said.isEmpty()
                ? Map.of("server", address.getAuthority())
                : Map.of("server", address.getAuthority(), "said", said);
    }

    private EntityException translated(Throwable failure, boolean isRead) {
        Throwable cause = cause(failure);
        if (cause instanceof EntityException known) {
            return known;
        }
        boolean isUnsent = cause instanceof ConnectException
                || cause instanceof HttpConnectTimeoutException
                || cause instanceof UnresolvedAddressException;
        if (isUnsent) {
            return new EntityException(EntityError.UNREACHABLE, "No server can be reached", facts(""), cause);
        }
        String text = isTimeout(cause) ? "The server does not answer" : "The connection to the server broke";
        return new EntityException(
                isRead ? EntityError.UNREACHABLE : EntityError.UNKNOWN_OUTCOME, text, facts(""), cause);
    }
}
