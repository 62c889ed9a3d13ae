package io.polytable.conformance.linearizability;

import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.resp.Resp;
import io.polytable.conformance.resp.RespConnection;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

/** Threads that call the same few keys of a server concurrently, and the recorded histories of these keys. */
final class Clients implements AutoCloseable {
    private static final int COUNT = 4;
    private static final int WAIT_SECONDS_MAX = 120;

    private final RespServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(COUNT);
    private final List<Client> clients = new ArrayList<>();
    private final Map<String, List<Operation>> histories = new TreeMap<>();
    private final LongAdder calls = new LongAdder();

    Clients(RespServer server, long seed) {
        this.server = server;
        for (int i = 0; i < COUNT; i++) {
            clients.add(new Client(i, new Random(seed * 31 + i)));
        }
    }

    /** All clients call until each has made so many calls, or the server is gone; meanwhile this runs. */
    void call(int calls, int round, Runnable meanwhile) throws InterruptedException, ExecutionException {
        List<Future<?>> running = new ArrayList<>();
        clients.forEach(client -> running.add(threads.submit(() -> client.call(calls, round))));
        meanwhile.run();
        for (Future<?> one : running) {
            try {
                one.get(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
            } catch (TimeoutException hangs) {
                throw new AssertionError("A client got no answer for " + WAIT_SECONDS_MAX + " s", hangs);
            }
        }
        clients.forEach(client -> client.hand(histories));
    }

    /** The number of calls that all clients have made so far. */
    long calls() {
        return calls.sum();
    }

    /** By key, all calls since the beginning. */
    Map<String, List<Operation>> histories() {
        return histories;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** One connection at a time, each call after the answer of the one before. */
    private final class Client {
        private final int number;
        private final Random random;
        private final Map<String, List<Operation>> seen = new TreeMap<>();

        Client(int number, Random random) {
            this.number = number;
            this.random = random;
        }

        void call(int calls, int round) {
            try (RespConnection connection = server.connect()) {
                for (int i = 0; i < calls; i++) {
                    Workload.Kind kind = Workload.KINDS.get(random.nextInt(Workload.KINDS.size()));
                    String key = kind.name() + ":" + round;
                    one(connection, kind, key, number + "." + round + "." + i);
                }
            } catch (UncheckedIOException killed) {
                // The call in flight is recorded as one without a reply.
            }
        }

        private void one(RespConnection connection, Workload.Kind kind, String key, String value) {
            calls.increment();
            List<String> words = kind.words(random, value);
            long called = System.nanoTime();
            String answer = "";
            long returned = Operation.NEVER;
            try {
                answer = Workload.run(connection, key, words);
                returned = System.nanoTime();
            } finally {
                seen.computeIfAbsent(key, name -> new ArrayList<>())
                        .add(new Operation(number, words, answer, called, returned));
            }
        }

        void hand(Map<String, List<Operation>> all) {
            seen.forEach((key, calls) ->
                    all.computeIfAbsent(key, name -> new ArrayList<>()).addAll(calls));
            seen.clear();
        }
    }

    static String text(Resp reply) {
        if (reply.isNull()) {
            return Operation.NOTHING;
        }
        if (reply.isError()) {
            throw new AssertionError("The server answered an error: " + reply.text());
        }
        return reply.text();
    }
}
