package io.polytable.sql.tier;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/** A TCP proxy that forwards bytes with injected faults. */
final class FlakyProxy implements AutoCloseable {
    /** How the bytes of the client are forwarded. */
    enum Mode {
        WELL,
        REFUSING,
        /** Each piece with a delay. */
        SLOWLY,
        /** Connections break in the middle of a larger request. */
        CUTTING
    }

    private static final int CUT_AFTER = 1500;

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int port;
    volatile Mode mode = Mode.WELL;

    FlakyProxy(int port) throws IOException {
        this.port = port;
        start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Runs until a connection or the proxy is closed. */
    private interface Copying {
        void run() throws IOException;
    }

    private static void start(Copying copying) {
        Thread thread = new Thread(() -> {
            try {
                copying.run();
            } catch (IOException closed) {
                // Connections end this way.
                return;
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            if (mode == Mode.REFUSING) {
                client.close();
                continue;
            }
            Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
            start(() -> copy(client, server, true));
            start(() -> copy(server, client, false));
        }
    }

    private void copy(Socket from, Socket to, boolean badly) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] piece = new byte[1024];
            long count = 0;
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                if (badly && mode == Mode.SLOWLY) {
                    pause();
                }
                count += length;
                if (badly && mode != Mode.WELL && mode != Mode.SLOWLY && count > CUT_AFTER) {
                    return;
                }
                out.write(piece, 0, length);
                out.flush();
            }
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(300);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
