package io.polytable.server.run;

import io.polytable.server.config.Configuration;
import io.polytable.server.config.ServerKeys;
import io.polytable.server.http.AdminToken;
import io.polytable.server.http.HttpMethod;
import io.polytable.server.http.HttpReply;
import io.polytable.server.http.Route;
import io.polytable.server.http.RouteTable;
import io.polytable.server.metrics.Prometheus;
import io.polytable.server.wire.HttpLimits;
import io.polytable.server.wire.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running server. */
public final class Server {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    private final Configuration configuration;
    private final Parts parts;
    private final Runnable stopRequest;
    private final Unwinding opened = new Unwinding();
    private final Standing standing = new Standing();
    private final EngineOpener.RecoveryProgress progress;
    private volatile Optional<Serving> serving = Optional.empty();
    private final Prometheus prometheus = opened.add(new Prometheus());
    private Optional<HttpServer> http = Optional.empty();
    private Optional<AdminToken> token = Optional.empty();
    private volatile Runnable onFailure = () -> {};
    private int httpPort;

    private Server(
            Configuration configuration, Parts parts, Runnable stopRequest, EngineOpener.RecoveryProgress progress) {
        this.configuration = configuration;
        this.parts = parts;
        this.stopRequest = stopRequest;
        this.progress = progress;
    }

    /**
     * Starts everything, or nothing.
     *
     * @param stopRequest what happens when a client asks the server to stop; it must not wait for the stop
     */
    public static Server start(Configuration configuration, Parts parts, Runnable stopRequest) {
        return start(configuration, parts, stopRequest, EngineOpener.RecoveryProgress.NONE);
    }

    /**
     * Starts everything, or nothing.
     *
     * @param progress told of a recovery, at the start and whenever the store has to be rebuilt
     */
    public static Server start(
            Configuration configuration, Parts parts, Runnable stopRequest, EngineOpener.RecoveryProgress progress) {
        Server server = new Server(configuration, parts, stopRequest, progress);
        try {
            server.open();
            return server;
        } catch (RuntimeException failure) {
            server.close();
            throw failure;
        }
    }

    /** Runs once, when the engine failed beyond healing and the faces over it are closed; at once if that is so already. */
    public void onFailure(Runnable action) {
        AtomicBoolean told = new AtomicBoolean();
        Runnable once = () -> {
            if (told.compareAndSet(false, true)) {
                action.run();
            }
        };
        onFailure = once;
        if (standing.failure().isPresent()) {
            once.run();
        }
    }

    /** False when something did not close as it should, or had failed before. */
    public boolean stop() {
        boolean failed = standing.failure().isPresent();
        standing.stopping();
        return close() && !failed;
    }

    /** HTTP goes first, though it came first: a check or a scrape must not meet an engine that is closing. */
    private boolean close() {
        http.ifPresent(HttpServer::close);
        return opened.closeAll();
    }

    public int httpPort() {
        return httpPort;
    }

    /** The port of a face that runs. */
    public int port(String face) {
        return faces().stream()
                .filter(running -> running.name().equals(face))
                .mapToInt(Face::port)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No face " + face));
    }

    /** The faces that run, where, and on which data. */
    public String readyLine(long startedMillis) {
        String ports = faces().stream()
                .flatMap(face -> face.ports().stream())
                .map(port -> port.name() + "=" + port.port() + " ")
                .collect(Collectors.joining());
        return "polytable ready " + ports + "http=" + httpPort + " data=" + configuration.dataDirectory() + " in "
                + startedMillis + " ms";
    }

    private void open() {
        Path path = configuration.dataDirectory();
        DataDirectory directory = opened.add(DataDirectory.createAndHold(path).orElseThrow(() -> alreadyServed(path)));
        openHttp(directory);
        prometheus.add(sink -> serving.ifPresent(running -> running.sample(sink)));
        opened.add(this::takeDown);
        bringUp(directory);
        opened.add(new Supervisor(new WatchedServing(directory)));
    }

    /** The engine and its faces, as the supervisor sees them. */
    private final class WatchedServing implements Supervisor.Watched {
        private final DataDirectory directory;

        WatchedServing(DataDirectory directory) {
            this.directory = directory;
        }

        @Override
        public boolean hasFailed() {
            return failure().isPresent();
        }

        private Optional<String> failure() {
            return serving.map(Serving::engine).flatMap(RunningStore::failure);
        }

        @Override
        public boolean isHealedByReopening() {
            return serving.map(Serving::engine)
                    .filter(RunningStore::isHealedByReopening)
                    .isPresent();
        }

        @Override
        public void takeDown() {
            standing.rebuilding();
            takeDownFailed();
        }

        @Override
        public void bringUp() {
            Server.this.bringUp(directory);
        }

        @Override
        public void giveUp() {
            standing.failed(failure().orElse("The store failed; see the log"));
            takeDownFailed();
            onFailure.run();
        }
    }

    private void bringUp(DataDirectory directory) {
        AdminToken known = token.orElseThrow();
        Serving opening = Serving.open(directory, configuration, parts, known, stopRequest, progress);
        serving = Optional.of(opening);
        standing.ready(opening.engine());
    }

    private void takeDownFailed() {
        try {
            takeDown();
        } catch (IllegalStateException unclean) {
            // It failed, that is why; what matters is that its files are free again, and opening them will tell.
            LOG.debug("The failed store did not close as it should", unclean);
        }
    }

    private void takeDown() {
        Optional<Serving> running = serving;
        serving = Optional.empty();
        running.ifPresent(Serving::close);
    }

    private List<Face> faces() {
        return serving.map(Serving::faces).orElse(List.of());
    }

    private void openHttp(DataDirectory directory) {
        InetAddress bind = configuration.get(ServerKeys.BIND_ADDRESS);
        int port = configuration.get(ServerKeys.HTTP_PORT);
        try {
            AdminToken created = AdminToken.create(directory.path());
            token = Optional.of(created);
            List<Route> all = new ArrayList<>(standingRoutes().routes(prometheus, created));
            parts.httpFaces().forEach(face -> all.addAll(faceRoutes(face)));
            RouteTable routes = new RouteTable(all);
            HttpServer started = HttpServer.start(new InetSocketAddress(bind, port), limits(), routes);
            http = Optional.of(started);
            prometheus.add(standing);
            prometheus.add(started.metrics());
            httpPort = started.port();
            ServerFile.of(bind, httpPort).write(directory.path());
        } catch (BindException failure) {
            throw Serving.cannotListen(configuration, ServerKeys.HTTP_PORT, failure);
        } catch (IOException failure) {
            throw new RefusedException(
                    "The data directory " + directory.path() + " cannot be written: " + DataDirectory.reason(failure),
                    failure);
        }
    }

    private List<Route> faceRoutes(HttpFaceOpener face) {
        List<Route> routes = new ArrayList<>();
        face.paths().forEach(path -> routes.add(faceRoute(HttpMethod.POST, path)));
        for (String tree : face.trees()) {
            for (HttpMethod method : HttpMethod.values()) {
                routes.add(faceRoute(method, tree + Route.BELOW));
            }
        }
        return routes;
    }

    private Route faceRoute(HttpMethod method, String path) {
        return Route.streamed(method, path, (call, reply) -> {
            Optional<HttpFace> face = serving.flatMap(running -> running.httpFace(path));
            if (face.isPresent()) {
                face.get().answer(call, reply);
            } else {
                HttpReply refusal = HttpReply.plain(503, "The server is " + standing.word() + "; try again");
                reply.whole(
                        refusal.status(), refusal.contentType(), refusal.text().getBytes(StandardCharsets.UTF_8));
            }
        });
    }

    private StandingRoutes standingRoutes() {
        return new StandingRoutes(standing, engine -> Checkup.run(engine, parts, configuration));
    }

    private HttpLimits limits() {
        return new HttpLimits(
                configuration.get(ServerKeys.HTTP_CONNECTIONS_MAX),
                configuration.get(ServerKeys.HTTP_HEADER_BYTES_MAX).intValue(),
                configuration.get(ServerKeys.HTTP_REQUEST_BYTES_MAX).intValue(),
                configuration.get(ServerKeys.HTTP_REQUEST_TIMEOUT),
                configuration.get(ServerKeys.HTTP_IDLE_TIMEOUT));
    }

    private static RefusedException alreadyServed(Path path) {
        String who = "Another process";
        try {
            who = ServerFile.read(path)
                    .map(server -> "Another server (process " + server.pid() + ")")
                    .orElse(who);
        } catch (IOException unreadable) {
            // Who it is would be nice to know; that it is there is known already.
            who += " (" + unreadable + ")";
        }
        return new RefusedException(who + " uses the data directory " + path);
    }
}
