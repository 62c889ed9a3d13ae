package io.polytable.benchmarks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One publisher and a hundred subscribers of one channel, on one thread. A message is complete when all subscribers
 * have it; a given number is in flight at a time. Prints a line like redis-benchmark's {@code --csv}.
 */
public final class PublishLoad {
    private static final int SUBSCRIBERS = 100;
    private static final String CHANNEL = "news";
    private static final String MESSAGE = "x".repeat(100);

    /** The head of a message's array, and its three words with their lengths. */
    private static final int LINES_A_MESSAGE = 7;

    private final int pipeline;
    private final long[] latencies;
    private final List<SocketChannel> subscribers = new ArrayList<>();
    private final ByteBuffer in = ByteBuffer.allocateDirect(256 * 1024);
    private int sent;
    private int answered;
    private int underWay;
    private long linesLeft;
    private long startNanos;

    private PublishLoad(int pipeline, int count) {
        this.pipeline = pipeline;
        this.latencies = new long[count];
    }

    /** Arguments: port, messages in flight, total messages. */
    public static void main(String[] args) throws IOException {
        int[] numbers = Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
        PublishLoad load = new PublishLoad(numbers[1], numbers[2]);
        double seconds = load.run(numbers[0]);
        LoadReport.print("publish", load.latencies, seconds);
    }

    private double run(int port) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (Selector selector = Selector.open();
                SocketChannel publisher = SocketChannel.open(address)) {
            for (int i = 0; i < SUBSCRIBERS; i++) {
                subscribe(SocketChannel.open(address), selector);
            }
            publisher.configureBlocking(false);
            publisher.register(selector, SelectionKey.OP_READ);
            long start = System.nanoTime();
            publish(publisher);
            while (answered < latencies.length) {
                selector.select(key -> read((SocketChannel) key.channel()));
                if (linesLeft == 0) {
                    finish(publisher);
                }
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            for (SocketChannel subscriber : subscribers) {
                subscriber.close();
            }
            return seconds;
        }
    }

    private void subscribe(SocketChannel channel, Selector selector) throws IOException {
        StringBuilder bytes = new StringBuilder();
        request(bytes, "SUBSCRIBE", CHANNEL);
        write(channel, bytes);
        // The confirmation: the array's head, two words with their lengths, a number.
        for (int lines = 6; lines > 0; ) {
            in.clear().limit(1);
            if (channel.read(in) < 0) {
                throw new IOException("the server closed the connection");
            }
            lines -= in.get(0) == '\n' ? 1 : 0;
        }
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ);
        subscribers.add(channel);
    }

    private void publish(SocketChannel publisher) throws IOException {
        underWay = Math.min(pipeline, latencies.length - sent);
        sent += underWay;
        StringBuilder bytes = new StringBuilder();
        for (int i = 0; i < underWay; i++) {
            request(bytes, "PUBLISH", CHANNEL, MESSAGE);
        }
        // And the publisher's own reply, one line each.
        linesLeft = (long) underWay * (SUBSCRIBERS * LINES_A_MESSAGE + 1);
        startNanos = System.nanoTime();
        write(publisher, bytes);
    }

    private void finish(SocketChannel publisher) throws IOException {
        Arrays.fill(latencies, answered, answered + underWay, System.nanoTime() - startNanos);
        answered += underWay;
        publish(publisher);
    }

    private static void write(SocketChannel channel, StringBuilder bytes) throws IOException {
        ByteBuffer out = ByteBuffer.wrap(bytes.toString().getBytes(ISO_8859_1));
        while (out.hasRemaining()) {
            channel.write(out);
        }
    }

    private static void request(StringBuilder bytes, String... words) {
        bytes.append('*').append(words.length).append("\r\n");
        for (String word : words) {
            bytes.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
    }

    private void read(SocketChannel channel) {
        try {
            in.clear();
            if (channel.read(in) < 0) {
                throw new IOException("the server closed the connection");
            }
            in.flip();
            while (in.hasRemaining()) {
                linesLeft -= in.get() == '\n' ? 1 : 0;
            }
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
