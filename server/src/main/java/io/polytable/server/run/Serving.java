package io.polytable.server.run;

import io.polytable.frontend.Frontend;
import io.polytable.frontend.FrontendContext;
import io.polytable.frontend.FrontendOpener;
import io.polytable.frontend.Progress;
import io.polytable.frontend.http.HttpRequest;
import io.polytable.frontend.http.ReplyStream;
import io.polytable.frontend.http.RequestGuard;
import io.polytable.frontend.http.Route;
import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.metric.MetricSink;
import io.polytable.frontend.metric.MetricSource;
import io.polytable.frontend.net.CannotListenException;
import io.polytable.frontend.net.Network;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.user.AuditLog;
import io.polytable.frontend.user.Users;
import io.polytable.frontend.view.View;
import io.polytable.redis.command.config.ConfigTable;
import io.polytable.redis.command.config.RedisSettings;
import io.polytable.server.auth.Authentication;
import io.polytable.server.auth.LoginEndpoint;
import io.polytable.server.config.AuthSettings;
import io.polytable.server.config.ServerSettings;
import io.polytable.server.http.AdminToken;
import io.polytable.sql.SqlSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** The engine and the frontends over it, which are opened together, and closed together when the engine fails. */
final class Serving implements MetricSource, AutoCloseable {
    private final Settings settings;
    private final ResourceStack opened = new ResourceStack();
    private final Map<String, BiConsumer<HttpRequest, ReplyStream>> byPath = new HashMap<>();
    private final RunningStore engine;
    private final Users users;
    private final Authentication authentication;
    private volatile List<Frontend> frontends = List.of();

    /** What all frontends of a process share, whatever engine is below them. */
    record Shared(AdminToken token, Network network, Sessions sessions, Runnable stopRequest) {}

    private Serving(Settings settings, RunningStore engine, Shared shared) {
        this.settings = settings;
        this.engine = opened.add(engine);
        try {
            users = Users.open(
                    engine.store(),
                    shared.sessions(),
                    InstantSource.system(),
                    settings.get(AuthSettings.LOOPBACK),
                    new AuditLog.Limits(
                            settings.get(AuthSettings.AUDIT_ROWS_MAX), settings.get(AuthSettings.AUDIT_AGE_MAX)));
            byte[] password = settings.get(ConfigTable.passwordSetting()).toByteArray();
            if (password.length > 0) {
                users.setDefaultPassword(password);
            }
            refuseOpenBind();
            authentication = Tokens.open(engine.store(), users, shared.token(), settings);
        } catch (RuntimeException | Error failure) {
            opened.closeAll();
            throw failure;
        }
    }

    /** Beyond loopback somebody must be able to prove who it is. */
    private void refuseOpenBind() {
        InetAddress bind = settings.get(ServerSettings.BIND_ADDRESS);
        if (!bind.isLoopbackAddress() && !users.hasPasswords() && !isForCertificatesOnly()) {
            throw new RefusedException("bind.address=" + bind.getHostAddress()
                    + " would let the network in, and no user has a password: set one with polytable user passwd default"
                    + " while bind.address is 127.0.0.1, or with redis.requirepass");
        }
    }

    private boolean isForCertificatesOnly() {
        return !settings.get(RedisSettings.ENABLED) && !settings.get(SqlSettings.ENABLED);
    }

    /** Accepts connections when this returns. */
    static Serving open(
            DataDirectory directory,
            Settings settings,
            MemoryPlan memory,
            Parts parts,
            Shared shared,
            Progress progress) {
        RunningStore engine = parts.engine().open(directory.store(), settings, progress);
        Serving serving = new Serving(settings, engine, shared);
        try {
            InetAddress address = settings.get(ServerSettings.BIND_ADDRESS);
            Set<String> hosts = OwnHosts.of(address, settings.get(SqlSettings.HOSTS));
            RequestGuard guard =
                    new RequestGuard(hosts, ServerSettings.cors(settings), serving.users, serving.authentication);
            FrontendContext context = new FrontendContext(
                    engine.store(),
                    settings,
                    memory,
                    serving.users,
                    shared.sessions(),
                    shared.network(),
                    address,
                    guard,
                    directory.path(),
                    serving::views,
                    engine.projection(),
                    InstantSource.system(),
                    shared.stopRequest());
            serving.open(context, parts.frontends());
            serving.openLogins(guard);
            return serving;
        } catch (RuntimeException | Error failure) {
            serving.opened.closeAll();
            throw failure;
        }
    }

    /**
     * All of them, or none, in their order: Redis may replace the users, and no other protocol may let clients in before.
     */
    private void open(FrontendContext context, List<FrontendOpener> openers) {
        List<Frontend> running = new ArrayList<>();
        for (FrontendOpener opener : openers) {
            if (settings.get(opener.enabled())) {
                Frontend frontend = opened.add(open(opener, context));
                running.add(frontend);
                opener.paths().forEach(path -> byPath.put(path, frontend::answer));
                opener.trees().forEach(tree -> byPath.put(tree + Route.BELOW, frontend::answer));
            }
        }
        frontends = List.copyOf(running);
    }

    private void openLogins(RequestGuard guard) {
        if (settings.get(AuthSettings.LOGIN_ENABLED)) {
            LoginEndpoint endpoint = new LoginEndpoint(guard, authentication, users.logins());
            byPath.put(LoginEndpoint.TREE + Route.BELOW, endpoint::answer);
        }
    }

    private Frontend open(FrontendOpener opener, FrontendContext context) {
        try {
            return opener.open(context);
        } catch (CannotListenException failure) {
            throw opener.port(failure.listener())
                    .map(port -> cannotListen(settings, port, failure))
                    .orElseThrow(() -> failure);
        } catch (IOException failure) {
            throw new RefusedException(
                    "The protocol of " + opener.enabled().name() + " cannot start: " + failure.getMessage(), failure);
        }
    }

    private List<View> views() {
        return frontends.stream().flatMap(frontend -> frontend.views().stream()).toList();
    }

    /** Answers requests at this path of the HTTP port. */
    Optional<BiConsumer<HttpRequest, ReplyStream>> at(String path) {
        return Optional.ofNullable(byPath.get(path));
    }

    static RefusedException cannotListen(Settings settings, Setting<Integer> portKey, CannotListenException failure) {
        InetAddress bind = settings.get(ServerSettings.BIND_ADDRESS);
        String address = bind.getHostAddress();
        if (!isOfThisMachine(bind)) {
            return new RefusedException(
                    "bind.address=" + address + " is not an address of this machine; set it to one that is, or to"
                            + " 0.0.0.0 for all of them",
                    failure);
        }
        return new RefusedException(
                "Cannot listen on " + address + " port " + settings.get(portKey) + " (" + failure.reason() + "); "
                        + portKey.name() + " chooses another",
                failure);
    }

    private static boolean isOfThisMachine(InetAddress address) {
        try {
            // Every address of the loopback network is local, but only one is listed at the interface.
            return address.isAnyLocalAddress()
                    || address.isLoopbackAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException unknown) {
            return true;
        }
    }

    /** The files that rows name: of the running frontend, or of the store if the frontend is not enabled. */
    Optional<NamedFiles> files(Parts parts) {
        return parts.transfers().files(frontends).or(() -> parts.transfers().files(engine.store(), settings.home()));
    }

    Users users() {
        return users;
    }

    RunningStore engine() {
        return engine;
    }

    List<Frontend> frontends() {
        return frontends;
    }

    @Override
    public void sample(MetricSink sink) {
        engine.sample(sink);
        frontends.forEach(frontend -> frontend.sample(sink));
    }

    /** Throws if something did not close properly, which is logged already. */
    @Override
    public void close() {
        if (!opened.closeAll()) {
            throw new IllegalStateException("Something did not close as it should");
        }
    }
}
