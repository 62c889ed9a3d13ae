package io.polytable.table.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A free port of the loopback interface, for a server process that cannot choose one itself.
 *
 * <p>The port is below the range from which the operating system takes the ports of outgoing connections, and random, so
 * that neither a client nor a test in another process takes it before the server binds it.
 */
public final class FreePort {
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private static final int ATTEMPTS_MAX = 1_000;

    private FreePort() {}

    public static int find() {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // Another one then.
            }
        }
        throw new AssertionError("no free port between " + LOWEST + " and " + HIGHEST);
    }
}
