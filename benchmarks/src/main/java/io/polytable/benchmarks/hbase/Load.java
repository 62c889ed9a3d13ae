package io.polytable.benchmarks.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/**
 * A load that several threads run in parallel, each with its share of the calls.
 *
 * @param calls the total number of calls
 * @param perCall the number of operations per call
 */
record Load(String name, int threads, long calls, double perCall, Opener opener) {
    private static final long SLOWEST_MICROS = 600_000_000;

    /** What one thread works with. */
    interface Worker extends AutoCloseable {
        /** The n-th call of all threads together. */
        void call(long n, SplittableRandom random) throws IOException;

        @Override
        default void close() throws IOException {}
    }

    /** Makes a thread's worker. */
    @FunctionalInterface
    interface Opener {
        Worker open(Target target) throws IOException;
    }

    Timing run(Target target) throws IOException, InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        Histogram all = new Histogram(SLOWEST_MICROS, 3);
        try {
            long start = System.nanoTime();
            List<Future<Histogram>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                running.add(pool.submit(() -> share(target, thread)));
            }
            for (Future<Histogram> part : running) {
                all.add(part.get());
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            return new Timing(calls * perCall / seconds, all.getValueAtPercentile(99) / 1e3);
        } catch (ExecutionException failed) {
            throw new IOException(name + " failed", failed.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    private Histogram share(Target target, int thread) throws IOException {
        Histogram micros = new Histogram(SLOWEST_MICROS, 3);
        SplittableRandom random = new SplittableRandom(thread);
        try (Worker worker = opener.open(target)) {
            for (long n = thread; n < calls; n += threads) {
                long start = System.nanoTime();
                worker.call(n, random);
                micros.recordValue(Math.min(SLOWEST_MICROS, (System.nanoTime() - start) / 1_000));
            }
        }
        return micros;
    }
}
