package io.polytable.server.run;

import io.polytable.frontend.Frontend;
import io.polytable.frontend.Progress;
import io.polytable.frontend.http.HttpMethod;
import io.polytable.frontend.http.HttpReply;
import io.polytable.frontend.http.HttpRequest;
import io.polytable.frontend.http.ReplyStream;
import io.polytable.frontend.http.Route;
import io.polytable.frontend.http.Routes;
import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.net.CannotListenException;
import io.polytable.frontend.net.Network;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.setting.LogLevels;
import io.polytable.frontend.setting.Settings;
import io.polytable.server.auth.LoginEndpoint;
import io.polytable.server.config.MemoryShares;
import io.polytable.server.config.ServerSettings;
import io.polytable.server.http.AdminToken;
import io.polytable.server.metrics.Prometheus;
import io.polytable.server.wire.HttpLimits;
import io.polytable.server.wire.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running server. */
public final class Server {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    private final Settings settings;
    private final Parts parts;
    private final Runnable stopRequest;
    private final ResourceStack opened = new ResourceStack();
    private final ServerState state = new ServerState();
    private final Sessions sessions = new Sessions();
    private final Transports transports;
    private final Network network;
    private final Progress progress;
    private volatile Optional<Serving> serving = Optional.empty();

    /** Made again with the frontends: what a failed one still held must not count forever. */
    private volatile MemoryPlan memory;

    private final Prometheus prometheus = opened.add(new Prometheus());
    private Optional<HttpServer> http = Optional.empty();
    private Optional<AdminToken> token = Optional.empty();
    private volatile Runnable onFailure = () -> {};
    private int httpPort;

    private Server(Settings settings, Parts parts, Runnable stopRequest, Progress progress) {
        this.settings = settings;
        this.parts = parts;
        this.stopRequest = stopRequest;
        this.progress = progress;
        transports = Transports.of(settings);
        network = opened.add(new Network(transports::of));
        memory = MemoryShares.of(settings, parts.frontends());
        sessions.slow().threshold(settings.get(ServerSettings.LOG_SLOW));
    }

    /**
     * Starts everything, or nothing.
     *
     * @param stopRequest called when a client requests a stop; it must not wait for the stop
     */
    public static Server start(Settings settings, Parts parts, Runnable stopRequest) {
        return start(settings, parts, stopRequest, Progress.NONE);
    }

    /**
     * Starts everything, or nothing.
     *
     * @param progress receives the progress of a recovery, at the start and whenever the store is rebuilt
     */
    public static Server start(Settings settings, Parts parts, Runnable stopRequest, Progress progress) {
        Server server = new Server(settings, parts, stopRequest, progress);
        try {
            server.open();
            return server;
        } catch (RuntimeException | Error failure) {
            server.close();
            throw failure;
        }
    }

    /**
     * Runs the action once the engine has failed for good and the frontends over it are closed; at once if that is so
     * already.
     */
    public void onFailure(Runnable action) {
        AtomicBoolean told = new AtomicBoolean();
        Runnable once = () -> {
            if (told.compareAndSet(false, true)) {
                action.run();
            }
        };
        onFailure = once;
        if (state.failure().isPresent()) {
            once.run();
        }
    }

    /** Reads the files of TLS again; open connections keep what they began with. */
    public void reloadCertificate() {
        transports.reload();
    }

    /** False if something did not close properly, or had failed before. */
    public boolean stop() {
        boolean failed = state.failure().isPresent();
        state.stopping();
        return close() && !failed;
    }

    /** HTTP closes first, although it opened first: a check or a scrape must not use an engine that is closing. */
    private boolean close() {
        http.ifPresent(HttpServer::close);
        return opened.closeAll();
    }

    public int httpPort() {
        return httpPort;
    }

    /** The port of a running frontend. */
    public int port(String frontend) {
        return frontends().stream()
                .filter(running -> running.name().equals(frontend))
                .mapToInt(running -> running.ports().get(0).number())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No frontend " + frontend));
    }

    /** The running frontends with their ports, and the data directory. */
    public String readyLine(long startedMillis) {
        return "polytable ready " + ports() + "data=" + settings.home() + " in " + startedMillis + " ms";
    }

    private String ports() {
        return frontends().stream()
                        .flatMap(frontend -> frontend.ports().stream())
                        .map(port -> port.name() + "=" + port.number() + " ")
                        .collect(Collectors.joining())
                + "http=" + httpPort + " ";
    }

    private void open() {
        Path path = settings.home();
        DataDirectory directory = opened.add(DataDirectory.createAndHold(path).orElseThrow(() -> alreadyServed(path)));
        Settings.Registration unusedButClosed = opened.add(settings.onChange(this::applyLogSettings));
        openHttp(directory);
        prometheus.add(sink -> serving.ifPresent(running -> running.sample(sink)));
        prometheus.add(sink -> MemoryMetrics.sample(memory, serving.map(Serving::engine), sink));
        prometheus.add(BackgroundMetrics::sample);
        opened.add(this::takeDown);
        bringUp(directory);
        opened.add(new Supervisor(new WatchedServing(directory)));
    }

    /** The supervisor's view of the engine and its frontends. */
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
            state.rebuilding();
            takeDownFailed();
        }

        @Override
        public void bringUp() {
            Server.this.bringUp(directory);
        }

        @Override
        public void giveUp() {
            state.failed(failure().orElse("The store failed; see the log"));
            takeDownFailed();
            onFailure.run();
        }
    }

    private void bringUp(DataDirectory directory) {
        AdminToken known = token.orElseThrow();
        MemoryPlan plan = MemoryShares.of(settings, parts.frontends());
        memory = plan;
        Serving.Shared shared = new Serving.Shared(known, network, sessions, stopRequest);
        Serving opening = Serving.open(directory, settings, plan, parts, shared, progress);
        serving = Optional.of(opening);
        state.ready(opening.engine());
    }

    private void takeDownFailed() {
        try {
            takeDown();
        } catch (IllegalStateException unclean) {
            // It has failed already. Only the release of its files matters, and reopening will show that.
            LOG.debug("The failed store did not close as it should", unclean);
        }
    }

    private void takeDown() {
        Optional<Serving> running = serving;
        serving = Optional.empty();
        running.ifPresent(Serving::close);
    }

    private List<Frontend> frontends() {
        return serving.map(Serving::frontends).orElse(List.of());
    }

    private Optional<RdbTransfer> rdb() {
        return parts.transfers().rdb(frontends());
    }

    private void openHttp(DataDirectory directory) {
        InetAddress bind = settings.get(ServerSettings.BIND_ADDRESS);
        int port = settings.get(ServerSettings.HTTP_PORT);
        try {
            AdminToken created = AdminToken.create(directory.path());
            token = Optional.of(created);
            List<Route> all = new ArrayList<>(statusRoutes().routes(prometheus, created));
            all.addAll(new ProcessRoutes(state, settings, this::ports, sessions, stopRequest).routes(created));
            all.addAll(new RdbRoutes(created, directory.path(), this::rdb).routes());
            all.addAll(new UserRoutes(() -> serving.map(Serving::users)).routes(created));
            parts.frontends().forEach(opener -> all.addAll(routes(opener.paths(), opener.trees())));
            all.addAll(routes(List.of(), List.of(LoginEndpoint.TREE)));
            Routes routes = new Routes(all);
            HttpServer started = HttpServer.start(
                    network,
                    new InetSocketAddress(bind, port),
                    limits(),
                    () -> memory.budget(MemoryShares.HTTP_BODIES),
                    routes);
            http = Optional.of(started);
            prometheus.add(new BuildVersion());
            prometheus.add(state);
            prometheus.add(started.metrics());
            httpPort = started.port();
            ServerFile.of(bind, httpPort, transports.requiredCertificate("http"))
                    .write(directory.path());
        } catch (CannotListenException failure) {
            throw Serving.cannotListen(settings, ServerSettings.HTTP_PORT, failure);
        } catch (IOException failure) {
            throw new RefusedException(
                    "The data directory " + directory.path() + " cannot be written: " + DataDirectory.reason(failure),
                    failure);
        }
    }

    private List<Route> routes(List<String> paths, List<String> trees) {
        List<Route> routes = new ArrayList<>();
        paths.forEach(path -> routes.add(route(HttpMethod.POST, path)));
        for (String tree : trees) {
            for (HttpMethod method : HttpMethod.values()) {
                routes.add(route(method, tree + Route.BELOW));
            }
        }
        return routes;
    }

    private Route route(HttpMethod method, String path) {
        return Route.streamed(method, path, (call, reply) -> {
            Optional<BiConsumer<HttpRequest, ReplyStream>> frontend = serving.flatMap(running -> running.at(path));
            if (frontend.isPresent()) {
                frontend.get().accept(call, reply);
            } else {
                HttpReply refusal = HttpReply.plain(503, "The server is " + state.word() + "; try again");
                reply.whole(
                        refusal.status(), refusal.contentType(), refusal.text().getBytes(StandardCharsets.UTF_8));
            }
        });
    }

    private StatusRoutes statusRoutes() {
        Path data = settings.home();
        return new StatusRoutes(state, data, () -> serving.flatMap(running -> running.files(parts)), (engine, deep) -> {
            Optional<NamedFiles> files = serving.flatMap(running -> running.files(parts));
            try {
                return ConsistencyCheck.run(engine, parts, settings, files, deep);
            } finally {
                files.ifPresent(NamedFiles::close);
            }
        });
    }

    private HttpLimits limits() {
        return new HttpLimits(
                settings.get(ServerSettings.HTTP_CONNECTIONS_MAX),
                settings.get(ServerSettings.HTTP_HEADER_BYTES_MAX).intValue(),
                settings.get(ServerSettings.HTTP_REQUEST_BYTES_MAX).intValue(),
                settings.get(ServerSettings.HTTP_REQUEST_TIMEOUT),
                settings.get(ServerSettings.HTTP_IDLE_TIMEOUT),
                settings.get(ServerSettings.HTTP_RATE_MAX),
                ServerSettings.cors(settings));
    }

    private void applyLogSettings() {
        sessions.slow().threshold(settings.get(ServerSettings.LOG_SLOW));
        LogLevels wanted = settings.get(ServerSettings.LOG_LEVEL);
        if (!wanted.equals(Logging.levels())) {
            Logging.setLevels(wanted);
        }
    }

    private static RefusedException alreadyServed(Path path) {
        String who = "Another process";
        try {
            who = ServerFile.read(path)
                    .map(server -> "Another server (process " + server.pid() + ")")
                    .orElse(who);
        } catch (IOException unreadable) {
            // The holder's identity is optional; that the lock is held is known already.
            who += " (" + unreadable + ")";
        }
        return new RefusedException(who + " uses the data directory " + path);
    }
}
