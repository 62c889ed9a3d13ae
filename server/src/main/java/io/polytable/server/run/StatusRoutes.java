package io.polytable.server.run;

import io.polytable.server.config.LogLevels;
import io.polytable.server.http.AdminPaths;
import io.polytable.server.http.AdminToken;
import io.polytable.server.http.HttpCall;
import io.polytable.server.http.HttpReply;
import io.polytable.server.http.Route;
import io.polytable.server.metrics.Prometheus;
import io.polytable.table.StoreException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** The routes of the HTTP port that do not depend on faces: health, readiness, metrics and administration. */
final class StatusRoutes {

    private final ServerState state;
    private final Function<RunningStore, Findings> checkup;
    private final Supplier<String> ports;
    private final Runnable stopRequest;

    /**
     * @param ports the ports of the running protocols, as in the ready line
     * @param stopRequest asks the process to stop; it does not wait for the stop
     */
    StatusRoutes(
            ServerState state, Function<RunningStore, Findings> checkup, Supplier<String> ports, Runnable stopRequest) {
        this.state = state;
        this.checkup = checkup;
        this.ports = ports;
        this.stopRequest = stopRequest;
    }

    List<Route> routes(Prometheus prometheus, AdminToken token) {
        HttpReply page = new HttpReply(200, "text/html; charset=utf-8", ConsolePage.text());
        return List.of(
                Route.get("/", call -> page),
                Route.get("/health", call -> health()),
                Route.get("/ready", call -> ready()),
                Route.get("/metrics", call -> new HttpReply(200, Prometheus.CONTENT_TYPE, prometheus.scrape())),
                Route.slowPost(AdminPaths.LOG_LEVEL, token.guard(StatusRoutes::logLevel)),
                Route.slowPost(AdminPaths.STATUS, token.guard(this::status)),
                Route.slowPost(AdminPaths.STOP, token.guard(this::stop)),
                Route.slowPost(AdminPaths.CHECK, token.guard(withEngine(this::check))),
                Route.slowPost(AdminPaths.BACKUP, token.guard(withEngine(StatusRoutes::backup))),
                Route.slowPost(AdminPaths.PROJECTION, token.guard(withEngine(StatusRoutes::projection))),
                Route.slowPost(AdminPaths.PROJECTION_REBUILD, token.guard(withEngine(StatusRoutes::rebuild))));
    }

    /** Healthy, unless the store has failed: then a supervisor should restart the server. */
    private HttpReply health() {
        return state.failure()
                .or(() -> state.engine().flatMap(RunningStore::failure))
                .map(failure -> HttpReply.plain(503, failure))
                .orElseGet(() -> HttpReply.ok("ok" + projectionTrouble()));
    }

    /** Lagging tables are no reason to restart the server, but worth a line. */
    private String projectionTrouble() {
        return state.engine()
                .flatMap(engine -> engine.projection().progress().trouble())
                .map(trouble -> "\nThe tables in Fluss cannot be kept up: " + trouble)
                .orElse("");
    }

    private static HttpReply projection(HttpCall call, RunningStore engine) {
        ProjectionService.Progress progress = engine.projection().progress();
        return HttpReply.ok(progress.line()
                + progress.trouble().map(trouble -> "; trouble: " + trouble).orElse(""));
    }

    private static HttpReply rebuild(HttpCall call, RunningStore engine) {
        engine.projection().rebuild();
        return HttpReply.ok("The tables are being written anew");
    }

    private static HttpReply logLevel(HttpCall call) {
        Optional<String> wanted = call.parameter(AdminPaths.LEVEL);
        Optional<LogLevels> levels = wanted.flatMap(LogLevels::parse);
        if (wanted.isPresent() && levels.isEmpty()) {
            return HttpReply.plain(400, "log.level must be " + LogLevels.type().takes());
        }
        levels.ifPresent(Logging::setLevels);
        return HttpReply.ok(Logging.levels().text());
    }

    private HttpReply status(HttpCall call) {
        ProcessHandle process = ProcessHandle.current();
        Duration up = process.info()
                .startInstant()
                .map(start -> Duration.between(start, Instant.now()))
                .orElse(Duration.ZERO);
        return HttpReply.ok("polytable " + state.word() + " " + ports.get() + "pid=" + process.pid() + " uptime="
                + up.toSeconds() + "s");
    }

    private HttpReply stop(HttpCall call) {
        stopRequest.run();
        return HttpReply.ok("The server is stopping");
    }

    private HttpReply ready() {
        boolean serves =
                state.engine().filter(engine -> engine.failure().isEmpty()).isPresent();
        return HttpReply.plain(serves ? 200 : 503, serves ? state.word() : unready());
    }

    /** A failed engine stays visible until the faces over it are closed. */
    private String unready() {
        return state.engine().isPresent() ? "failed" : state.word();
    }

    private Function<HttpCall, HttpReply> withEngine(BiFunction<HttpCall, RunningStore, HttpReply> answer) {
        return call -> state.engine()
                .map(engine -> orRefusal(call, engine, answer))
                .orElseGet(() -> HttpReply.plain(503, "The server is " + state.word() + "; try again"));
    }

    private static HttpReply orRefusal(
            HttpCall call, RunningStore engine, BiFunction<HttpCall, RunningStore, HttpReply> answer) {
        try {
            return answer.apply(call, engine);
        } catch (RefusedException | StoreException refused) {
            return HttpReply.plain(409, String.valueOf(refused.getMessage()));
        }
    }

    private HttpReply check(HttpCall call, RunningStore engine) {
        Findings findings = checkup.apply(engine);
        return HttpReply.plain(findings.isClean() ? 200 : 422, findings.text());
    }

    private static HttpReply backup(HttpCall call, RunningStore engine) {
        String target = call.parameter(AdminPaths.TARGET).orElse("");
        try {
            Path path = Path.of(target);
            if (path.isAbsolute()) {
                engine.backup(path);
                return HttpReply.ok("Backed up to " + path);
            }
        } catch (InvalidPathException invalid) {
            return HttpReply.plain(400, "The target is not a path: " + invalid.getReason());
        }
        return HttpReply.plain(400, "The target has to be an absolute path");
    }
}
