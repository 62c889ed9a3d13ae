package io.polytable.benchmarks.entity;

import io.polytable.entity.uri.EntityUri;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.ObjIntConsumer;

/** The same work through the entity library and with raw calls, alternating; the best of some rounds. */
public final class EntityBenchmark {
    private static final int BULK = 100;
    private static final int SCANNED = 500;

    private record Load(String name, int calls, ObjIntConsumer<Side> call) {}

    private final int rows;
    private final int threads;
    private final int rounds;
    private final byte[] value = new byte[Side.VALUE_BYTES];
    private final PrintStream out;

    private EntityBenchmark(int rows, int threads, int rounds, PrintStream out) {
        this.rows = rows;
        this.threads = threads;
        this.rounds = rounds;
        this.out = out;
        new Random(1).nextBytes(value);
    }

    /** Arguments: rows, threads, rounds, then the stores: embedded=DIRECTORY, server=HTTP:ZOOKEEPER, cassandra=HOST:PORT. */
    public static void main(String[] arguments) throws InterruptedException {
        EntityBenchmark benchmark = new EntityBenchmark(
                Integer.parseInt(arguments[0]),
                Integer.parseInt(arguments[1]),
                Integer.parseInt(arguments[2]),
                new PrintStream(System.out, true, StandardCharsets.UTF_8));
        for (int i = 3; i < arguments.length; i++) {
            int equals = arguments[i].indexOf('=');
            benchmark.run(arguments[i].substring(0, equals), arguments[i].substring(equals + 1));
        }
    }

    private void run(String store, String place) throws InterruptedException {
        switch (store) {
            case "embedded" -> {
                Path directory = Path.of(place);
                EntityUri uri =
                        EntityUri.embedded(directory.resolve("entities")).withInstance("bench");
                try (Side entities = new EntitySide(uri);
                        Side raw = new CellsSide(directory.resolve("raw"))) {
                    compare(store, entities, raw);
                }
            }
            case "server" -> {
                String[] ports = place.split(":", -1);
                EntityUri http = EntityUri.parse("polytable://127.0.0.1:" + ports[0] + "/http");
                EntityUri hbase = EntityUri.parse("polytable-hbase://localhost:" + ports[1] + "/bench");
                try (Side entities = new EntitySide(http);
                        Side raw = new HBaseSide(Integer.parseInt(ports[1]), "raw1")) {
                    compare("server", entities, raw);
                }
                try (Side entities = new EntitySide(hbase);
                        Side raw = new HBaseSide(Integer.parseInt(ports[1]), "raw2")) {
                    compare("hbase", entities, raw);
                }
            }
            case "cassandra" -> {
                EntityUri uri = EntityUri.parse("polytable-cassandra://" + place + "/bench");
                try (Side entities = new EntitySide(uri);
                        Side raw = new DriverSide(uri.hosts().get(0), uri.portOrDefault())) {
                    compare(store, entities, raw);
                }
            }
            default -> throw new IllegalArgumentException("No such store: " + store);
        }
    }

    private List<Load> loads() {
        int few = Math.max(1, rows / BULK);
        int some = Math.max(1, rows / 10);
        return List.of(
                new Load("put", rows, (side, i) -> side.put(i, value)),
                new Load("get", rows, (side, i) -> require(side.get(i) == value.length)),
                new Load("bulk get of " + BULK, few, (side, i) -> require(side.getAll(bulk(i)) == BULK * value.length)),
                new Load(
                        "scan of " + SCANNED,
                        few,
                        (side, i) -> require(side.scan(i * BULK % Math.max(1, rows - SCANNED), SCANNED) == SCANNED)),
                new Load("increment", some, (side, i) -> require(side.increment(i) > 0)),
                new Load("check-and-commit", some, (side, i) -> require(side.check(i, value, value))));
    }

    private List<Integer> bulk(int number) {
        List<Integer> wanted = new ArrayList<>(BULK);
        for (int i = 0; i < BULK; i++) {
            wanted.add((int) ((number * 7919L + i * 104_729L) % rows));
        }
        return wanted;
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new IllegalStateException("a call answered wrongly");
        }
    }

    private void compare(String store, Side entities, Side raw) throws InterruptedException {
        out.printf("%-10s %-18s %12s %12s %9s%n", "store", "load", "entity/s", "raw/s", "raw/ours");
        for (Load load : loads()) {
            double best = 0;
            double rawBest = 0;
            for (int round = 0; round < rounds; round++) {
                best = Math.max(best, perSecond(entities, load));
                rawBest = Math.max(rawBest, perSecond(raw, load));
            }
            out.printf(
                    Locale.ROOT, "%-10s %-18s %12.0f %12.0f %9.2f%n", store, load.name, best, rawBest, rawBest / best);
        }
    }

    private double perSecond(Side side, Load load) throws InterruptedException {
        long start = System.nanoTime();
        inParallel(load.calls, i -> load.call.accept(side, i));
        return load.calls / ((System.nanoTime() - start) / 1e9);
    }

    private void inParallel(int calls, IntConsumer call) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        List<Throwable> failures = new ArrayList<>();
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> {
                for (int n = next.getAndIncrement(); n < calls; n = next.getAndIncrement()) {
                    call.accept(n);
                }
            });
            thread.setUncaughtExceptionHandler((failed, e) -> {
                synchronized (failures) {
                    failures.add(e);
                }
            });
            thread.start();
            running.add(thread);
        }
        for (Thread thread : running) {
            thread.join();
        }
        if (!failures.isEmpty()) {
            throw new IllegalStateException("a load failed", failures.get(0));
        }
    }
}
