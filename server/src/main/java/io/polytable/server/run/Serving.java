package io.polytable.server.run;

import io.polytable.frontend.http.Route;
import io.polytable.frontend.limit.MemoryPlan;
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
import io.polytable.server.config.AuthSettings;
import io.polytable.server.config.ServerSettings;
import io.polytable.server.http.AdminToken;
import io.polytable.server.metrics.MetricSink;
import io.polytable.server.metrics.MetricSource;
import io.polytable.sql.SqlSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The engine and the frontends over it, which are opened together, and closed together when the engine fails. */
final class Serving implements MetricSource, AutoCloseable {
    private final Settings settings;
    private final ResourceStack opened = new ResourceStack();
    private final List<Face> faces = new ArrayList<>();
    private final Map<String, HttpFace> byPath = new HashMap<>();
    private final RunningStore engine;
    private final Users users;
    private final Authentication authentication;
    private final Network network;
    private final Sessions sessions;

    private Serving(Settings settings, RunningStore engine, Network network, Sessions sessions, AdminToken token) {
        this.network = network;
        this.sessions = sessions;
        this.settings = settings;
        this.engine = opened.add(engine);
        try {
            users = Users.open(
                    engine.store(),
                    sessions,
                    InstantSource.system(),
                    settings.get(AuthSettings.LOOPBACK),
                    new AuditLog.Limits(
                            settings.get(AuthSettings.AUDIT_ROWS_MAX), settings.get(AuthSettings.AUDIT_AGE_MAX)));
            byte[] password = settings.get(ConfigTable.passwordSetting()).toByteArray();
            if (password.length > 0) {
                users.setDefaultPassword(password);
            }
            refuseOpenBind();
            authentication = Tokens.open(engine.store(), users, token, settings);
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
            AdminToken token,
            Network network,
            Sessions sessions,
            Runnable stopRequest,
            EngineOpener.RecoveryProgress progress) {
        RunningStore engine = parts.engine().open(directory.store(), settings, progress);
        Serving serving = new Serving(settings, engine, network, sessions, token);
        try {
            for (FaceOpener opener : parts.faces()) {
                if (settings.get(opener.enabledKey())) {
                    serving.openFace(opener, memory, stopRequest);
                }
            }
            for (HttpFaceOpener opener : parts.httpFaces()) {
                if (settings.get(opener.enabledKey())) {
                    serving.openHttpFace(opener, memory, directory.path());
                }
            }
            return serving;
        } catch (RuntimeException | Error failure) {
            serving.opened.closeAll();
            throw failure;
        }
    }

    private void openFace(FaceOpener opener, MemoryPlan memory, Runnable stopRequest) {
        try {
            faces.add(opened.add(opener.open(settings, memory, engine, users, network, sessions, stopRequest)));
        } catch (CannotListenException failure) {
            throw cannotListen(settings, opener.portKey(failure.listener()), failure);
        } catch (IOException failure) {
            throw new RefusedException(
                    "The protocol of " + opener.portKey().name() + " cannot start: " + failure.getMessage(), failure);
        }
    }

    private void openHttpFace(HttpFaceOpener opener, MemoryPlan memory, Path directory) {
        Access access = new Access(users, authentication, sessions);
        HttpFace face = opened.add(opener.open(settings, memory, engine, directory, this::views, access));
        opener.paths().forEach(path -> byPath.put(path, face));
        opener.trees().forEach(tree -> byPath.put(tree + Route.BELOW, face));
    }

    private List<View> views() {
        return faces.stream().flatMap(face -> face.views().stream()).toList();
    }

    /** The frontend at this path of the HTTP port. */
    Optional<HttpFace> httpFace(String path) {
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
    Optional<FaceFiles> files(Parts parts, Path directory) {
        Optional<FaceFiles> running = Set.copyOf(byPath.values()).stream()
                .flatMap(face -> face.files().stream())
                .findFirst();
        return running.or(() -> parts.files(engine.store(), directory));
    }

    Users users() {
        return users;
    }

    RunningStore engine() {
        return engine;
    }

    List<Face> faces() {
        return List.copyOf(faces);
    }

    @Override
    public void sample(MetricSink sink) {
        engine.sample(sink);
        faces.forEach(face -> face.sample(sink));
        Set.copyOf(byPath.values()).forEach(face -> face.sample(sink));
    }

    /** Throws if something did not close properly, which is logged already. */
    @Override
    public void close() {
        if (!opened.closeAll()) {
            throw new IllegalStateException("Something did not close as it should");
        }
    }
}
