package io.polytable.redis.command.replication;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.polytable.frontend.Progress;
import io.polytable.redis.model.change.PrimaryPosition;
import io.polytable.redis.model.effect.Effects;
import io.polytable.redis.model.packing.PackedBytes;
import io.polytable.table.Bytes;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The connection to a primary, from its handshake to the file of a full synchronization. */
final class PrimaryConnection implements AutoCloseable {
    /** So often the waiting thread looks whether it should stop, and reports what is applied. */
    static final int WAIT_MILLIS = 500;

    private static final int CHUNK_BYTES = 1 << 16;
    private static final int LINE_BYTES_MAX = 1 << 16;
    private static final String TO_MARK = "EOF:";
    private static final int MARK_BYTES = 40;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final CommandStream.Quiet quiet;
    private final ReplicationCounts counts;
    private volatile long lastReadNanos = System.nanoTime();

    /** Who this server is to the primary. */
    record Identity(String user, Bytes password, String announcedHost, int announcedPort) {}

    /** What the primary sends next. */
    sealed interface Answer {
        /** The stream from where it ended, maybe under a new name. */
        record Continues(String streamId) implements Answer {}

        /** A file, and then the stream from this offset on. */
        record Everything(String streamId, long offset) implements Answer {}
    }

    /** The primary refuses. */
    static final class PrimaryRefused extends IOException {
        private static final long serialVersionUID = 1L;

        PrimaryRefused(String text) {
            super(text);
        }
    }

    /**
     * @param quiet called while nothing comes; it may throw
     * @param counts for the bytes that come
     */
    PrimaryConnection(PrimaryPosition primary, int timeoutMillis, CommandStream.Quiet quiet, ReplicationCounts counts)
            throws IOException {
        this.quiet = quiet;
        this.counts = counts;
        this.socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(primary.host(), primary.port()), timeoutMillis);
            socket.setSoTimeout(WAIT_MILLIS);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(new Watched(socket.getInputStream()), CHUNK_BYTES);
            out = socket.getOutputStream();
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }

    /** Notes when something came. */
    private final class Watched extends InputStream {
        private final InputStream source;

        Watched(InputStream source) {
            this.source = source;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int count = source.read(target, offset, length);
            lastReadNanos = System.nanoTime();
            counts.received(Math.max(0, count));
            return count;
        }

        @Override
        public int available() throws IOException {
            return source.available();
        }
    }

    long lastReadNanos() {
        return lastReadNanos;
    }

    InputStream input() {
        return in;
    }

    /** Introduces this server. */
    void introduce(Identity identity) throws IOException {
        String pong = ask("PING");
        if (pong.startsWith("-")
                && !List.of("-NOAUTH", "-NOPERM").contains(word(pong, 0))
                && !pong.toLowerCase(Locale.ROOT).startsWith("-err operation not permitted")) {
            throw new PrimaryRefused(pong.substring(1));
        }
        if (identity.password().length() > 0) {
            List<Bytes> words = new ArrayList<>(List.of(Bytes.utf8("AUTH")));
            if (!identity.user().isEmpty()) {
                words.add(Bytes.utf8(identity.user()));
            }
            words.add(identity.password());
            String answer = ask(words);
            if (answer.startsWith("-")) {
                throw new PrimaryRefused(answer.substring(1));
            }
        }
        // Older servers do not know all of these, which is no failure.
        String unusedPort = ask("REPLCONF", "listening-port", Integer.toString(identity.announcedPort()));
        if (!identity.announcedHost().isEmpty()) {
            String unusedHost = ask("REPLCONF", "ip-address", identity.announcedHost());
        }
        String unusedFeatures = ask("REPLCONF", "capa", "eof", "capa", "psync2");
    }

    /** Asks for the stream from a position. */
    Answer synchronize(PrimaryPosition from) throws IOException {
        String answer = from.isKnown()
                ? ask("PSYNC", from.streamId(), Long.toString(from.offset() + 1))
                : ask("PSYNC", "?", "-1");
        return switch (word(answer, 0)) {
            case "+CONTINUE" -> new Answer.Continues(word(answer, 1).isEmpty() ? from.streamId() : word(answer, 1));
            case "+FULLRESYNC" -> new Answer.Everything(word(answer, 1), offset(word(answer, 2)));
            default -> throw new PrimaryRefused(answer.startsWith("-") ? answer.substring(1) : answer);
        };
    }

    private static String word(String line, int index) {
        String[] words = line.split(" ", -1);
        return index < words.length ? words[index] : "";
    }

    private static long offset(String text) throws IOException {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException invalid) {
            throw new IOException("the primary named an offset that is no number", invalid);
        }
    }

    /** Writes the file that follows into a file here. */
    void receive(Path file, Progress progress) throws IOException {
        String head = line();
        if (!head.startsWith("$")) {
            throw new PrimaryRefused(head.startsWith("-") ? head.substring(1) : head);
        }
        try (OutputStream target = Files.newOutputStream(file)) {
            if (head.startsWith(TO_MARK, 1)) {
                receiveToMark(head.substring(1 + TO_MARK.length()).getBytes(ISO_8859_1), target, progress);
            } else {
                receive(offset(head.substring(1)), target, progress);
            }
        }
    }

    private void receive(long total, OutputStream target, Progress progress) throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        for (long done = 0; done < total; ) {
            int length = read(chunk, 0, (int) Math.min(chunk.length, total - done));
            target.write(chunk, 0, length);
            done += length;
            progress.at(done, total);
        }
    }

    /** The mark ends the file, and nothing comes behind it before this server has said something. */
    private void receiveToMark(byte[] mark, OutputStream target, Progress progress) throws IOException {
        if (mark.length != MARK_BYTES) {
            throw new IOException("the primary named a mark of " + mark.length + " bytes");
        }
        // The last bytes stay here, until it is known that they are not the mark.
        byte[] chunk = new byte[CHUNK_BYTES + MARK_BYTES];
        int held = 0;
        long done = 0;
        while (held < MARK_BYTES || !Arrays.equals(chunk, held - MARK_BYTES, held, mark, 0, MARK_BYTES)) {
            int excess = Math.max(0, held - MARK_BYTES);
            target.write(chunk, 0, excess);
            System.arraycopy(chunk, excess, chunk, 0, held - excess);
            held -= excess;
            int length = read(chunk, held, chunk.length - held);
            held += length;
            done += length;
            progress.at(done, -1);
        }
        target.write(chunk, 0, held - MARK_BYTES);
    }

    private int read(byte[] target, int offset, int length) throws IOException {
        while (true) {
            quiet.check();
            try {
                int count = in.read(target, offset, length);
                if (count < 0) {
                    throw new EOFException("the primary closed the connection");
                }
                return count;
            } catch (SocketTimeoutException nothingYet) {
                quiet.check();
            }
        }
    }

    private String ask(String... words) throws IOException {
        return ask(List.of(words).stream().map(Bytes::utf8).toList());
    }

    private String ask(List<Bytes> words) throws IOException {
        send(words);
        return line();
    }

    private synchronized void send(List<Bytes> words) throws IOException {
        PackedBytes request = new PackedBytes(Integer.MAX_VALUE - 64);
        Effects.encode(words, request);
        out.write(request.toBytes().toByteArray());
    }

    /** The next line that is not empty: empty ones keep the connection alive. */
    private String line() throws IOException {
        byte[] one = new byte[1];
        StringBuilder line = new StringBuilder();
        while (line.length() < LINE_BYTES_MAX) {
            int unusedLength = read(one, 0, 1);
            if (one[0] != '\n') {
                line.append((char) (one[0] & 0xff));
            } else if (!line.toString().isBlank()) {
                return line.toString().strip();
            }
        }
        throw new IOException("the primary sent a line without an end");
    }

    /** Reports that everything up to the offset is here. */
    void acknowledge(long offset) throws IOException {
        send(List.of(Bytes.utf8("REPLCONF"), Bytes.utf8("ACK"), Bytes.utf8(Long.toString(offset))));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
