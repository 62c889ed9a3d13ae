package io.polytable.server.run;

import io.polytable.frontend.Findings;
import io.polytable.frontend.http.HttpReply;
import io.polytable.frontend.http.HttpRequest;
import io.polytable.frontend.http.Route;
import io.polytable.server.http.AdminPaths;
import io.polytable.server.http.AdminToken;
import io.polytable.server.metrics.Prometheus;
import io.polytable.store.Backup;
import io.polytable.store.backup.Attachments;
import io.polytable.table.StoreException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** The routes of the HTTP port that do not depend on frontends: health, readiness, metrics and administration. */
final class StatusRoutes {

    private final ServerState state;
    private final Path data;
    private final Supplier<Optional<NamedFiles>> files;
    private final Checkup checkup;

    /** Checks a running store. */
    interface Checkup {
        Findings run(RunningStore engine, boolean deep);
    }

    /**
     * @param data the data directory
     * @param files the files that rows name; the caller closes them
     */
    StatusRoutes(ServerState state, Path data, Supplier<Optional<NamedFiles>> files, Checkup checkup) {
        this.state = state;
        this.data = data;
        this.files = files;
        this.checkup = checkup;
    }

    List<Route> routes(Prometheus prometheus, AdminToken token) {
        HttpReply page = new HttpReply(200, "text/html; charset=utf-8", ConsolePage.text());
        return List.of(
                Route.get("/", call -> page),
                Route.get("/health", call -> health()),
                Route.get("/ready", call -> ready()),
                Route.get("/metrics", call -> new HttpReply(200, Prometheus.CONTENT_TYPE, prometheus.scrape())),
                Route.slowPost(AdminPaths.CHECK, token.guard(withEngine(this::check))),
                Route.slowPost(AdminPaths.BACKUP, token.guard(withEngine(this::backup))),
                Route.slowPost(AdminPaths.PROJECTION, token.guard(withEngine(StatusRoutes::projection))),
                Route.slowPost(AdminPaths.PROJECTION_REBUILD, token.guard(withEngine(StatusRoutes::rebuild))));
    }

    /** Healthy, unless the store has failed: then a supervisor should restart the server. */
    private HttpReply health() {
        return state.failure()
                .or(() -> state.engine().flatMap(RunningStore::failure))
                .map(failure -> HttpReply.plain(503, failure))
                .orElseGet(() -> HttpReply.ok("ok" + refusedWrites() + damage() + projectionTrouble()));
    }

    /** A restart would not help, and reads continue: no reason to restart the server either. */
    private String refusedWrites() {
        return writeRefusal().map(reason -> "\nWrites are refused: " + reason).orElse("");
    }

    private String damage() {
        List<String> tables = state.engine().map(RunningStore::damagedTables).orElse(List.of());
        return tables.isEmpty() ? "" : "\nDamaged and read-only: " + String.join(", ", tables);
    }

    private Optional<String> writeRefusal() {
        return state.engine().flatMap(RunningStore::writeRefusal);
    }

    /** Lagging tables are no reason to restart the server, but worth a line. */
    private String projectionTrouble() {
        return state.engine()
                .flatMap(engine -> engine.projection().progress().trouble())
                .map(trouble -> "\nThe tables in Fluss cannot be kept up: " + trouble)
                .orElse("");
    }

    private static HttpReply projection(HttpRequest call, RunningStore engine) {
        ProjectionService.Progress progress = engine.projection().progress();
        return HttpReply.ok(progress.line()
                + progress.trouble().map(trouble -> "; trouble: " + trouble).orElse(""));
    }

    private static HttpReply rebuild(HttpRequest call, RunningStore engine) {
        engine.projection().rebuild();
        return HttpReply.ok("The tables are being rewritten");
    }

    private HttpReply ready() {
        boolean serves =
                state.engine().filter(engine -> engine.failure().isEmpty()).isPresent();
        if (!serves) {
            return HttpReply.plain(503, unready());
        }
        return writeRefusal()
                .map(reason -> HttpReply.plain(503, "read-only: " + reason))
                .orElseGet(() -> HttpReply.plain(200, state.word()));
    }

    /** A failed engine stays visible until the frontends over it are closed. */
    private String unready() {
        return state.engine().isPresent() ? "failed" : state.word();
    }

    private Function<HttpRequest, HttpReply> withEngine(BiFunction<HttpRequest, RunningStore, HttpReply> answer) {
        return call -> state.engine()
                .map(engine -> orRefusal(call, engine, answer))
                .orElseGet(() -> HttpReply.plain(503, "The server is " + state.word() + "; try again"));
    }

    private static HttpReply orRefusal(
            HttpRequest call, RunningStore engine, BiFunction<HttpRequest, RunningStore, HttpReply> answer) {
        try {
            return answer.apply(call, engine);
        } catch (RefusedException | StoreException refused) {
            return HttpReply.plain(409, String.valueOf(refused.getMessage()));
        }
    }

    private HttpReply check(HttpRequest call, RunningStore engine) {
        boolean deep = call.parameter(AdminPaths.DEEP).filter("true"::equals).isPresent();
        Findings findings = checkup.run(engine, deep);
        return HttpReply.plain(findings.isClean() ? 200 : 422, findings.text());
    }

    private HttpReply backup(HttpRequest call, RunningStore engine) {
        try {
            Path target = Path.of(call.parameter(AdminPaths.TARGET).orElse(""));
            Optional<Path> previous = call.parameter(AdminPaths.PREVIOUS).map(Path::of);
            if (!target.isAbsolute() || !previous.map(Path::isAbsolute).orElse(true)) {
                return HttpReply.plain(400, "The directories of backups must be absolute paths");
            }
            return HttpReply.ok(backup(engine, target, previous));
        } catch (InvalidPathException invalid) {
            return HttpReply.plain(400, "Not a path: " + invalid.getReason());
        }
    }

    private String backup(RunningStore engine, Path target, Optional<Path> previous) {
        Optional<NamedFiles> named = files.get();
        try {
            Backup.Request request = new Backup.Request(
                    target, previous, named.map(NamedFiles::attachments).orElse(Attachments.NONE));
            return BackupText.written(data, request, engine.backup(request));
        } finally {
            named.ifPresent(NamedFiles::close);
        }
    }
}
