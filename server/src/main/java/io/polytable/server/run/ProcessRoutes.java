package io.polytable.server.run;

import io.polytable.frontend.http.HttpReply;
import io.polytable.frontend.http.HttpRequest;
import io.polytable.frontend.http.Route;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.setting.LogLevels;
import io.polytable.frontend.setting.SettingException;
import io.polytable.frontend.setting.Settings;
import io.polytable.server.config.ServerSettings;
import io.polytable.server.http.AdminPaths;
import io.polytable.server.http.AdminToken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The routes by which commands reach the process of a server: its status, its log levels, its stop.
 *
 * @param settings the log levels among them
 * @param ports the ports of the running protocols, as in the ready line
 * @param sessions the open sessions of all protocols
 * @param stopRequest asks the process to stop; it does not wait for the stop
 */
record ProcessRoutes(
        ServerState state, Settings settings, Supplier<String> ports, Sessions sessions, Runnable stopRequest) {
    List<Route> routes(AdminToken token) {
        return List.of(
                Route.get(AdminPaths.SLOW, token.guard(call -> HttpReply.ok(slow()))),
                Route.slowPost(AdminPaths.LOG_LEVEL, token.guard(this::logLevel)),
                Route.slowPost(AdminPaths.STATUS, token.guard(this::status)),
                Route.slowPost(AdminPaths.STOP, token.guard(this::stop)));
    }

    /** A line for each slow request, the latest first. */
    private String slow() {
        List<String> lines = sessions.slow().latest().stream()
                .map(slow -> slow.at() + " " + slow)
                .collect(Collectors.toCollection(ArrayList::new));
        Collections.reverse(lines);
        return String.join("\n", lines);
    }

    private HttpReply logLevel(HttpRequest call) {
        Optional<String> wanted = call.parameter(AdminPaths.LEVEL);
        try {
            wanted.ifPresent(text -> settings.change(Map.of(ServerSettings.LOG_LEVEL, text), "polytable log-level"));
        } catch (SettingException invalid) {
            return HttpReply.plain(400, "log.level must be " + LogLevels.type().takes());
        }
        return HttpReply.ok(settings.get(ServerSettings.LOG_LEVEL).text());
    }

    private HttpReply status(HttpRequest call) {
        ProcessHandle process = ProcessHandle.current();
        Duration up = process.info()
                .startInstant()
                .map(start -> Duration.between(start, Instant.now()))
                .orElse(Duration.ZERO);
        return HttpReply.ok("polytable " + state.word() + " " + ports.get() + "pid=" + process.pid() + " uptime="
                + up.toSeconds() + "s sessions=" + sessions.count());
    }

    private HttpReply stop(HttpRequest call) {
        stopRequest.run();
        return HttpReply.ok("The server is stopping");
    }
}
