package io.polytable.server.cli;

import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.setting.ByteSize;
import io.polytable.frontend.setting.Given;
import io.polytable.frontend.setting.Origin;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.work.BackgroundJob;
import io.polytable.server.config.CrossChecks;
import io.polytable.server.config.MemoryShares;
import io.polytable.server.config.ServerSettings;
import io.polytable.server.run.Logging;
import io.polytable.server.run.Parts;
import io.polytable.server.run.Server;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jline.utils.Signals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code polytable serve}: starts the server, prints the ready line, and stops on SIGTERM or SIGINT. */
@Command(name = "serve", description = "Starts the server; SIGTERM or Ctrl-C stops it.")
final class ServeCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    private static final Duration FAILED_LINGER = Duration.ofSeconds(10);

    @Mixin
    private final Words words = new Words();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Parts parts;

    ServeCommand(Parts parts) {
        this.parts = parts;
    }

    @Override
    public Integer call() throws InterruptedException {
        Settings settings = words.settings();
        Logging.apply(settings);
        onHangUp(() -> {});
        CrossChecks.refuseUnsafe(settings, MemoryPlan.heapBytes());
        settings.all().forEach(ServeCommand::warnWithoutEffect);
        LOG.info("Starting {}", banner(settings));
        RecoveryLine recovery = new RecoveryLine(spec.commandLine().getErr());
        Server server = Server.start(settings, parts, ServeCommand::exitSoon, recovery::at);
        StopOnSignal.install(server);
        onHangUp(server::reloadCertificate);
        server.onFailure(ServeCommand::exitAfterFailure);
        String ready = server.readyLine(millisSinceProcessStart());
        LOG.info("{}", ready);
        PrintWriter out = spec.commandLine().getOut();
        out.println(ready);
        out.flush();
        // Signals end the process from their own thread; this one only keeps it alive.
        new CountDownLatch(1).await();
        return ExitCode.DONE;
    }

    /**
     * A closed terminal, a program that rotates log files or one that renews certificates sends SIGHUP. Without a handler
     * it would end the server.
     */
    private static void onHangUp(Runnable reload) {
        Signals.register("HUP", () -> {
            reload.run();
            Logging.reopen();
            LOG.info("SIGHUP: the log file was opened again");
        });
    }

    /** What an operator wants to see in the log of a start, in one line. */
    private static String banner(Settings settings) {
        MemoryPlan memory = MemoryShares.of(settings);
        return "polytable " + Version.text() + " pid=" + ProcessHandle.current().pid() + " java=" + Runtime.version()
                + " data="
                + settings.home().toAbsolutePath() + " bind="
                + settings.get(ServerSettings.BIND_ADDRESS).getHostAddress() + " heap="
                + ByteSize.show(MemoryPlan.heapBytes()) + " rows="
                + ByteSize.show(memory.budget(MemoryShares.ROWS).plannedBytes()) + " blocks="
                + ByteSize.show(memory.budget(MemoryShares.BLOCKS).plannedBytes()) + " processors="
                + Runtime.getRuntime().availableProcessors();
    }

    /** Ends the process as a signal would, from a thread that no other thread waits for. */
    private static void exitSoon() {
        BackgroundJob unused = BackgroundJob.started("stop-request", () -> System.exit(ExitCode.DONE));
    }

    /** Health checks get some time to read the reason; then the supervisor may restart the process. */
    private static void exitAfterFailure() {
        BackgroundJob unused = BackgroundJob.started("failed-store", () -> {
            LockSupport.parkNanos(FAILED_LINGER.toNanos());
            System.exit(ExitCode.REFUSED);
        });
    }

    private static void warnWithoutEffect(Given given) {
        if (given.origin() instanceof Origin.Default) {
            return;
        }
        if (!given.setting().isInUse()) {
            LOG.warn(
                    "{} has no effect: {}",
                    given.setting().name(),
                    given.setting().meaning());
        }
    }

    private static long millisSinceProcessStart() {
        Instant now = Instant.now();
        Instant begun = ProcessHandle.current().info().startInstant().orElse(now);
        return Duration.between(begun, now).toMillis();
    }
}
