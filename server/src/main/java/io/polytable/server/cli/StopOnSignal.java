package io.polytable.server.cli;

import io.polytable.frontend.work.BackgroundJob;
import io.polytable.server.run.Server;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops the server on a signal and ends the process: with 0 after a clean stop, so that supervisors see success, and
 * with 1 if something did not close in time. Acknowledged writes are in the log in any case.
 */
final class StopOnSignal {
    private static final Logger LOG = LoggerFactory.getLogger(StopOnSignal.class);
    private static final Duration STOP_MAX = Duration.ofSeconds(60);

    private StopOnSignal() {}

    static void install(Server server) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "stop"));
    }

    private static void stop(Server server) {
        AtomicBoolean clean = new AtomicBoolean();
        BackgroundJob stopping = BackgroundJob.started("stop-worker", () -> {
            LOG.info("The server is stopping");
            clean.set(server.stop());
            LOG.info("The server has stopped{}", clean.get() ? "" : "; not everything closed properly");
        });
        stopping.awaitEnd(STOP_MAX);
        if (stopping.isRunning()) {
            System.err.println("polytable: the server did not stop within " + STOP_MAX.toSeconds() + " seconds");
        }
        // Otherwise the JVM would exit with 143 for SIGTERM, which means killed, not stopped.
        Runtime.getRuntime().halt(clean.get() ? ExitCode.DONE : ExitCode.REFUSED);
    }
}
