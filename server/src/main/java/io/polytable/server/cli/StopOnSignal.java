package io.polytable.server.cli;

import io.polytable.server.run.Server;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops the server on a signal and ends the process: with 0 after a clean stop, so that supervisors see success, and
 * with 1 if something did not close in time. Acknowledged writes are in the log in any case.
 */
final class StopOnSignal {
    private static final Logger LOG = LoggerFactory.getLogger(StopOnSignal.class);
    private static final long STOP_SECONDS_MAX = 60;

    private StopOnSignal() {}

    static void install(Server server) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "stop"));
    }

    private static void stop(Server server) {
        CountDownLatch stopped = new CountDownLatch(1);
        boolean[] clean = {false};
        Thread worker = new Thread(
                () -> {
                    LOG.info("The server is stopping");
                    clean[0] = server.stop();
                    LOG.info("The server has stopped{}", clean[0] ? "" : "; not everything closed properly");
                    stopped.countDown();
                },
                "stop-worker");
        worker.start();
        try {
            if (!stopped.await(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                System.err.println("polytable: the server did not stop within " + STOP_SECONDS_MAX + " seconds");
            }
        } catch (InterruptedException interrupted) {
            System.err.println("polytable: the stop was interrupted");
        }
        // Otherwise the JVM would exit with 143 for SIGTERM, which means killed, not stopped.
        Runtime.getRuntime().halt(clean[0] ? ExitCode.DONE : ExitCode.REFUSED);
    }
}
