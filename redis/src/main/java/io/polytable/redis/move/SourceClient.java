package io.polytable.redis.move;

import io.polytable.redis.model.effect.Effects;
import io.polytable.redis.model.packing.PackedBytes;
import io.polytable.table.Bytes;
import io.polytable.table.Limits;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** A connection to the Redis that keys are moved from. Not thread safe. */
final class SourceClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final int LINE_BYTES_MAX = 1 << 16;
    private static final int ITEMS_MAX = 1 << 20;
    private static final int DEPTH_MAX = 8;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final LongConsumer kept;

    /** An error reply. */
    static final class SourceRefused extends IOException {
        private static final long serialVersionUID = 1L;

        SourceRefused(String text) {
            super(text);
        }
    }

    /** A reply: text, number, bytes (absent for none), or a list of replies. */
    sealed interface Answer {
        record Text(String text) implements Answer {}

        record Integral(long value) implements Answer {}

        record Value(Optional<Bytes> value) implements Answer {}

        record Items(List<Answer> items) implements Answer {}
    }

    /** @param kept called before bytes are read, with their number; it may throw */
    SourceClient(String host, int port, LongConsumer kept) throws IOException {
        this.kept = kept;
        this.socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
            out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }

    void login(String user, Bytes password) throws IOException {
        if (password.length() > 0) {
            List<Bytes> words = new ArrayList<>(List.of(Bytes.utf8("AUTH")));
            if (!user.isEmpty()) {
                words.add(Bytes.utf8(user));
            }
            words.add(password);
            send(words);
            Answer unusedOk = read();
        }
    }

    Answer call(String... words) throws IOException {
        send(List.of(words).stream().map(Bytes::utf8).toList());
        return read();
    }

    /** Calls, for a whole number. */
    long number(String... words) throws IOException {
        return asNumber(call(words));
    }

    static long asNumber(Answer answer) throws IOException {
        if (answer instanceof Answer.Integral integral) {
            return integral.value();
        }
        throw new IOException("the source answered no number");
    }

    static Optional<Bytes> asValue(Answer answer) throws IOException {
        if (answer instanceof Answer.Value value) {
            return value.value();
        }
        throw new IOException("the source answered no string");
    }

    static List<Answer> asItems(Answer answer) throws IOException {
        if (answer instanceof Answer.Items items) {
            return items.items();
        }
        throw new IOException("the source answered no list");
    }

    /** A line {@code name:value} of INFO. */
    Optional<String> info(String section, String name) throws IOException {
        String report = asValue(call("INFO", section)).map(Bytes::utf8).orElse("");
        return report.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst();
    }

    /** Sends a command; its reply is read later, in order. */
    void send(List<Bytes> words) throws IOException {
        PackedBytes request = new PackedBytes(Integer.MAX_VALUE - 64);
        Effects.encode(words, request);
        out.write(request.toBytes().toByteArray());
    }

    Answer read() throws IOException {
        out.flush();
        return read(0);
    }

    private Answer read(int depth) throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> new Answer.Text(rest);
            case '-' -> throw new SourceRefused(rest);
            case ':' -> new Answer.Integral(Long.parseLong(rest));
            case '$' -> new Answer.Value(bulk(Long.parseLong(rest)));
            case '*' -> items(Long.parseLong(rest), depth);
            default -> throw new IOException("the source answered something unknown");
        };
    }

    private Optional<Bytes> bulk(long length) throws IOException {
        if (length < 0) {
            return Optional.empty();
        }
        if (length > Limits.STRING_BYTES_MAX) {
            throw new IOException("the source has a value whose DUMP is longer than " + Limits.STRING_BYTES_MAX);
        }
        kept.accept(length);
        byte[] bytes = in.readNBytes((int) length);
        in.skipNBytes(2);
        return Optional.of(Bytes.of(bytes));
    }

    private Answer items(long count, int depth) throws IOException {
        if (count > ITEMS_MAX || depth > DEPTH_MAX) {
            throw new IOException("the source answered a list that is too long");
        }
        List<Answer> items = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            items.add(read(depth + 1));
        }
        return new Answer.Items(items);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0 || line.length() > LINE_BYTES_MAX) {
                throw new EOFException("the source closed the connection");
            }
            line.append((char) b);
        }
        String text = line.toString().strip();
        if (text.isEmpty()) {
            throw new IOException("the source answered an empty line");
        }
        return text;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
