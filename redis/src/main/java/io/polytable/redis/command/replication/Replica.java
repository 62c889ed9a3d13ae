package io.polytable.redis.command.replication;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.polytable.frontend.work.BackgroundJob;
import io.polytable.redis.command.Session;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connected replica and the thread that sends to it. */
public final class Replica {
    private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

    /** How far a synchronization is. */
    public enum State {
        WAIT_BGSAVE("wait_bgsave"),
        SEND_BULK("send_bulk"),
        ONLINE("online");

        private final String text;

        State(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    private static final int CHUNK_BYTES = 1 << 16;
    private static final long WAIT_MILLIS = 1000;

    private final Replication replication;
    private final Session session;
    private final ReplicaOptions options;
    private final BackgroundJob sending;
    private volatile State state = State.WAIT_BGSAVE;
    private volatile boolean stopped;
    private volatile long acknowledged;
    private volatile long acknowledgedMillis;

    /** What it wants. */
    sealed interface Start {
        /** A whole file first, as SYNC and PSYNC ask for. */
        record Full(boolean announces) implements Start {}

        /** Only what came after the offset. */
        record From(long offset) implements Start {}
    }

    Replica(Replication replication, Session session, ReplicaOptions options, Start start, long nowMillis) {
        this.replication = replication;
        this.session = session;
        this.options = options;
        this.acknowledgedMillis = nowMillis;
        this.sending = new BackgroundJob("redis-replica-" + session.id(), () -> run(start));
    }

    void start() {
        sending.start();
    }

    /** Ends the thread soon; the connection is gone or closes. An interrupt could close files of the store. */
    void stop() {
        stopped = true;
    }

    void awaitEnd() {
        sending.awaitEnd();
    }

    private void run(Start start) {
        try {
            if (start instanceof Start.From from) {
                send(("+CONTINUE " + replication.id() + "\r\n").getBytes(US_ASCII));
                state = State.ONLINE;
                stream(from.offset());
            } else if (start instanceof Start.Full full) {
                stream(synchronize(full.announces()));
            }
        } catch (IOException | UncheckedIOException | CancellationException gone) {
            if (!stopped) {
                LOG.warn("Replica {} is disconnected: {}", session.peer().address(), gone.getMessage());
            }
        } catch (InterruptedException stopping) {
            // The connection closed, or the server stops.
        } catch (RuntimeException | Error failure) {
            LOG.error("Sending to replica {} failed", session.peer().address(), failure);
        } finally {
            replication.left(this);
            session.peer().close();
        }
    }

    private void send(byte[] bytes) throws IOException {
        send(bytes, bytes.length);
    }

    private void send(byte[] bytes, int length) throws IOException {
        if (stopped) {
            throw new IOException("it closed the connection");
        }
        session.peer().write(bytes, length);
        replication.sent(length);
    }

    /** Sends a file, and then what was copied meanwhile; answers the offset that follows. */
    private long synchronize(boolean announces) throws IOException {
        try (Cut cut = replication.cut();
                Spool spool = replication.spool(cut.offset(), sending.name() + "-spool")) {
            if (announces) {
                send(("+FULLRESYNC " + replication.id() + " " + cut.offset() + "\r\n").getBytes(US_ASCII));
            }
            state = State.SEND_BULK;
            if (options.readsToMark()) {
                sendToMark(cut, spool);
            } else {
                sendWithLength(cut, spool);
            }
            cut.release();
            state = State.ONLINE;
            long at = cut.offset();
            byte[] chunk = new byte[CHUNK_BYTES];
            boolean stops = false;
            long end = spool.end();
            while (at < end || !stops) {
                if (at == end) {
                    stops = true;
                    end = spool.stop();
                    continue;
                }
                int length = spool.read(at, chunk);
                send(chunk, length);
                at += length;
                end = stops ? end : spool.end();
            }
            return at;
        }
    }

    private void sendToMark(Cut cut, Spool spool) throws IOException {
        String mark = Replication.newId();
        send(("$EOF:" + mark + "\r\n").getBytes(US_ASCII));
        try (OutputStream out = new Chunks()) {
            replication.export(cut, out, (done, total) -> check(spool));
        }
        send(mark.getBytes(US_ASCII));
    }

    /** Redis before 2.8.18, and clients that ask with SYNC, want to know the length first. */
    private void sendWithLength(Cut cut, Spool spool) throws IOException {
        Path file = replication.temporaryFile();
        try {
            try (OutputStream out = Files.newOutputStream(file)) {
                replication.export(cut, out, (done, total) -> check(spool));
            }
            send(("$" + Files.size(file) + "\r\n").getBytes(US_ASCII));
            try (OutputStream out = new Chunks()) {
                Files.copy(file, out);
            }
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private void check(Spool spool) {
        if (stopped || spool.isBroken()) {
            throw new CancellationException("the synchronization ends early");
        }
    }

    /** Sends in chunks. */
    private final class Chunks extends OutputStream {
        private final byte[] chunk = new byte[CHUNK_BYTES];
        private int filled;

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            for (int from = 0; from < length; ) {
                int step = Math.min(length - from, chunk.length - filled);
                System.arraycopy(bytes, offset + from, chunk, filled, step);
                filled += step;
                from += step;
                if (filled == chunk.length) {
                    flush();
                }
            }
        }

        @Override
        public void flush() throws IOException {
            if (filled > 0) {
                send(chunk, filled);
                filled = 0;
            }
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }

    private void stream(long from) throws IOException, InterruptedException {
        byte[] chunk = new byte[CHUNK_BYTES];
        long at = from;
        while (!stopped) {
            replication.backlog().ping(replication.pingMillis());
            int length = replication.backlog().read(at, chunk, WAIT_MILLIS);
            if (length < 0) {
                throw new IOException("it is further behind than repl-backlog-size allows");
            }
            if (length > 0) {
                // As a reply: nobody may see what a power failure could still undo here.
                replication.awaitDurable();
                send(chunk, length);
                at += length;
            }
        }
    }

    Session session() {
        return session;
    }

    void acknowledge(long offset, long nowMillis) {
        acknowledged = Math.max(acknowledged, offset);
        acknowledgedMillis = nowMillis;
    }

    public State state() {
        return state;
    }

    /** Whether it keeps up with commands, as WAIT counts it. */
    boolean isOnline() {
        return state == State.ONLINE;
    }

    /** The offset up to which it has reported to have everything. */
    public long acknowledged() {
        return acknowledged;
    }

    public long lagSeconds(long nowMillis) {
        return Math.max(0, nowMillis - acknowledgedMillis) / 1000;
    }

    /** The address that it wants to be known by. */
    public String host() {
        return options.host().orElseGet(() -> {
            String address = session.peer().address();
            return address.substring(0, Math.max(0, address.lastIndexOf(':')));
        });
    }

    public int port() {
        return options.port();
    }

    @Override
    public String toString() {
        return host() + ":" + port() + " " + Arrays.asList(state, acknowledged);
    }
}
