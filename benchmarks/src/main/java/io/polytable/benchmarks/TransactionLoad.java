package io.polytable.benchmarks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Transactions of three writes, which redis-benchmark cannot send. Fifty connections, each with a number of
 * transactions in flight, on one thread; prints a line like redis-benchmark's {@code --csv}, with a transaction as one
 * operation.
 */
public final class TransactionLoad {
    private static final int CONNECTIONS = 50;

    /** MULTI, three times QUEUED, and the head of EXEC's array with its three lines. */
    private static final int LINES_A_TRANSACTION = 8;

    private final int pipeline;
    private final int keys;
    private final long[] latencies;
    private final SplittableRandom random = new SplittableRandom(1);
    private int sent;
    private int answered;

    private TransactionLoad(int pipeline, int count, int keys) {
        this.pipeline = pipeline;
        this.keys = keys;
        this.latencies = new long[count];
    }

    /** One connection: what it sent last, and how many lines of the answer are still to come. */
    private static final class Client {
        private final SocketChannel channel;
        private final ByteBuffer in = ByteBuffer.allocateDirect(64 * 1024);
        private int transactions;
        private int linesLeft;
        private long startNanos;

        Client(SocketChannel channel) {
            this.channel = channel;
        }
    }

    /** Arguments: port, transactions in flight per connection, total transactions, keys. */
    public static void main(String[] args) throws IOException {
        int[] numbers = Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
        TransactionLoad load = new TransactionLoad(numbers[1], numbers[2], numbers[3]);
        long start = System.nanoTime();
        load.run(numbers[0]);
        double seconds = (System.nanoTime() - start) / 1e9;
        LoadReport.print("multi", load.latencies, seconds);
    }

    private void run(int port) throws IOException {
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                SocketChannel channel =
                        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                Client client = new Client(channel);
                send(client);
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ, client);
            }
            while (answered < latencies.length) {
                selector.select(key -> read((Client) key.attachment()));
            }
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        }
    }

    private void send(Client client) throws IOException {
        client.transactions = Math.min(pipeline, latencies.length - sent);
        sent += client.transactions;
        StringBuilder bytes = new StringBuilder();
        for (int i = 0; i < client.transactions; i++) {
            request(bytes, "MULTI");
            request(bytes, "SET", "key:" + random.nextInt(keys), "x".repeat(100));
            request(bytes, "INCR", "counter:" + random.nextInt(keys));
            request(bytes, "HSET", "hash:" + random.nextInt(keys), "field", "value");
            request(bytes, "EXEC");
        }
        client.linesLeft = client.transactions * LINES_A_TRANSACTION;
        client.startNanos = System.nanoTime();
        ByteBuffer out = ByteBuffer.wrap(bytes.toString().getBytes(ISO_8859_1));
        while (out.hasRemaining()) {
            client.channel.write(out);
        }
    }

    private static void request(StringBuilder bytes, String... words) {
        bytes.append('*').append(words.length).append("\r\n");
        for (String word : words) {
            bytes.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
    }

    private void read(Client client) {
        try {
            client.in.clear();
            if (client.channel.read(client.in) < 0) {
                throw new IOException("the server closed the connection");
            }
            client.in.flip();
            while (client.in.hasRemaining()) {
                byte next = client.in.get();
                client.linesLeft -= next == '\n' ? 1 : 0;
                if (next == '-') {
                    throw new IOException("the server answered an error");
                }
            }
            if (client.linesLeft == 0 && client.transactions > 0) {
                finish(client);
            }
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void finish(Client client) throws IOException {
        long nanos = System.nanoTime() - client.startNanos;
        Arrays.fill(latencies, answered, answered + client.transactions, nanos);
        answered += client.transactions;
        send(client);
    }
}
