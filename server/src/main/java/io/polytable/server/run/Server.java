package io.polytable.server.run;

import io.polytable.server.config.Configuration;
import io.polytable.server.config.Key;
import io.polytable.server.config.ServerKeys;
import io.polytable.server.http.AdminToken;
import io.polytable.server.http.RouteTable;
import io.polytable.server.metrics.Prometheus;
import io.polytable.server.wire.HttpLimits;
import io.polytable.server.wire.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A running server. */
public final class Server {
    private final Configuration configuration;
    private final Parts parts;
    private final Unwinding opened = new Unwinding();
    private final Standing standing = new Standing();
    private final List<Face> faces = new ArrayList<>();
    private final Prometheus prometheus = opened.add(new Prometheus());
    private int httpPort;

    private Server(Configuration configuration, Parts parts) {
        this.configuration = configuration;
        this.parts = parts;
    }

    /** Starts everything, or nothing. */
    public static Server start(Configuration configuration, Parts parts) {
        Server server = new Server(configuration, parts);
        try {
            server.open();
            return server;
        } catch (RuntimeException failure) {
            server.opened.closeAll();
            throw failure;
        }
    }

    /** False when something did not close as it should. */
    public boolean stop() {
        standing.stopping();
        return opened.closeAll();
    }

    public int httpPort() {
        return httpPort;
    }

    /** The port of a face that runs. */
    public int port(String face) {
        return faces.stream()
                .filter(running -> running.name().equals(face))
                .mapToInt(Face::port)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No face " + face));
    }

    /** The faces that run, where, and on which data. */
    public String readyLine(long startedMillis) {
        String ports = faces.stream()
                .map(face -> face.name() + "=" + face.port() + " ")
                .collect(Collectors.joining());
        return "polytable ready " + ports + "http=" + httpPort + " data=" + configuration.dataDirectory() + " in "
                + startedMillis + " ms";
    }

    private void open() {
        Path path = configuration.dataDirectory();
        DataDirectory directory = opened.add(DataDirectory.createAndHold(path).orElseThrow(() -> alreadyServed(path)));
        openHttp(directory);
        Engine engine = opened.add(parts.engine().open(directory.store(), configuration));
        prometheus.add(engine);
        for (FaceOpener opener : parts.faces()) {
            if (configuration.get(opener.enabledKey())) {
                faces.add(openFace(opener, engine));
            }
        }
        faces.forEach(prometheus::add);
        standing.ready(engine);
    }

    private void openHttp(DataDirectory directory) {
        InetAddress bind = configuration.get(ServerKeys.BIND_ADDRESS);
        int port = configuration.get(ServerKeys.HTTP_PORT);
        try {
            AdminToken token = AdminToken.create(directory.path());
            RouteTable routes = new RouteTable(standingRoutes().routes(prometheus, token));
            HttpServer http = opened.add(HttpServer.start(new InetSocketAddress(bind, port), limits(), routes));
            prometheus.add(standing);
            prometheus.add(http.metrics());
            httpPort = http.port();
            ServerFile.of(bind, httpPort).write(directory.path());
        } catch (BindException failure) {
            throw cannotListen(ServerKeys.HTTP_PORT, failure);
        } catch (IOException failure) {
            throw new RefusedException(
                    "The data directory " + directory.path() + " cannot be written: " + DataDirectory.reason(failure),
                    failure);
        }
    }

    private StandingRoutes standingRoutes() {
        return new StandingRoutes(standing, engine -> Checkup.run(engine, parts, configuration));
    }

    private Face openFace(FaceOpener opener, Engine engine) {
        try {
            return opened.add(opener.open(configuration, engine));
        } catch (IOException failure) {
            throw cannotListen(opener.portKey(), failure);
        }
    }

    private HttpLimits limits() {
        return new HttpLimits(
                configuration.get(ServerKeys.HTTP_CONNECTIONS_MAX),
                configuration.get(ServerKeys.HTTP_HEADER_BYTES_MAX).intValue(),
                configuration.get(ServerKeys.HTTP_REQUEST_BYTES_MAX).intValue(),
                configuration.get(ServerKeys.HTTP_REQUEST_TIMEOUT),
                configuration.get(ServerKeys.HTTP_IDLE_TIMEOUT));
    }

    private RefusedException cannotListen(Key<Integer> portKey, IOException failure) {
        String address = configuration.get(ServerKeys.BIND_ADDRESS).getHostAddress();
        return new RefusedException(
                "Cannot listen on " + address + " port " + configuration.get(portKey) + " (" + failure.getMessage()
                        + "); " + portKey.name() + " chooses another",
                failure);
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
