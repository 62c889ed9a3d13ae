package io.polytable.server.run;

import io.polytable.server.config.Configuration;
import io.polytable.server.config.Key;
import io.polytable.server.config.ServerKeys;
import io.polytable.server.metrics.MetricSink;
import io.polytable.server.metrics.MetricSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The engine and the faces over it: what is opened together, and closed together when the engine fails. */
final class Serving implements MetricSource, AutoCloseable {
    private final Configuration configuration;
    private final Unwinding opened = new Unwinding();
    private final List<Face> faces = new ArrayList<>();
    private final Engine engine;

    private Serving(Configuration configuration, Engine engine) {
        this.configuration = configuration;
        this.engine = opened.add(engine);
    }

    /** Accepts connections when this returns. */
    static Serving open(
            Path directory,
            Configuration configuration,
            Parts parts,
            Runnable stopRequest,
            EngineOpener.RecoveryProgress progress) {
        Serving serving = new Serving(configuration, parts.engine().open(directory, configuration, progress));
        try {
            for (FaceOpener opener : parts.faces()) {
                if (configuration.get(opener.enabledKey())) {
                    serving.openFace(opener, stopRequest);
                }
            }
            return serving;
        } catch (RuntimeException failure) {
            serving.close();
            throw failure;
        }
    }

    private void openFace(FaceOpener opener, Runnable stopRequest) {
        try {
            faces.add(opened.add(opener.open(configuration, engine, stopRequest)));
        } catch (IOException failure) {
            throw cannotListen(configuration, opener.portKey(), failure);
        }
    }

    static RefusedException cannotListen(Configuration configuration, Key<Integer> portKey, IOException failure) {
        String address = configuration.get(ServerKeys.BIND_ADDRESS).getHostAddress();
        // Native transports put the system call in front: "bind(..) failed with error(-98): Address already in use".
        String reason = String.valueOf(failure.getMessage()).replaceFirst("^.*: ", "");
        return new RefusedException(
                "Cannot listen on " + address + " port " + configuration.get(portKey) + " (" + reason + "); "
                        + portKey.name() + " chooses another",
                failure);
    }

    Engine engine() {
        return engine;
    }

    List<Face> faces() {
        return List.copyOf(faces);
    }

    @Override
    public void sample(MetricSink sink) {
        engine.sample(sink);
        faces.forEach(face -> face.sample(sink));
    }

    /** Throws when something did not close as it should, which is logged already. */
    @Override
    public void close() {
        if (!opened.closeAll()) {
            throw new IllegalStateException("Something did not close as it should");
        }
    }
}
