package io.polytable.store.fluss;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One process of a test's cluster, known by its process id. */
public final class ClusterProcess {
    private static final Duration START_MAX = Duration.ofSeconds(90);

    private final String name;
    private final Process process;
    private final Path log;

    private ClusterProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    static ClusterProcess start(String name, List<String> command, Path log) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            return new ClusterProcess(name, process, log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitPort(int port) {
        long deadline = System.nanoTime() + START_MAX.toNanos();
        while (!accepts(port)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new AssertionError(name + " did not start:\n" + written());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    /** What the process wrote to its output. */
    public String written() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the process as {@code kill -9} does. */
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets the process stand still; its connections stay open and answer nothing. */
    public void pause() {
        signal("-STOP");
    }

    public void resume() {
        signal("-CONT");
    }

    private void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new AssertionError("kill " + name + " answered " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
