package io.polytable.frontend.work;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Tasks that run at the same time, on a few threads that end with them. */
public final class Together {
    private Together() {}

    /** The result of a task, or its failure. */
    public record Outcome<T>(Optional<T> result, Optional<Throwable> failure) {}

    /**
     * Runs all tasks, and returns their outcomes in the same order once every task has ended. If this thread is
     * interrupted meanwhile, so are the tasks.
     *
     * @param name of the threads
     * @param threadsMax how many tasks run at a time
     */
    public static <T> List<Outcome<T>> run(String name, int threadsMax, List<Callable<T>> tasks) {
        AtomicReferenceArray<Outcome<T>> outcomes = new AtomicReferenceArray<>(tasks.size());
        CountDownLatch left = new CountDownLatch(tasks.size());
        AtomicInteger next = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Math.min(threadsMax, tasks.size()); i++) {
            Thread thread = new Thread(
                    () -> {
                        for (int task = next.getAndIncrement(); task < tasks.size(); task = next.getAndIncrement()) {
                            outcomes.set(task, outcome(tasks.get(task)));
                            left.countDown();
                        }
                    },
                    name + "-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        await(left, threads);
        List<Outcome<T>> all = new ArrayList<>();
        for (int i = 0; i < tasks.size(); i++) {
            all.add(outcomes.get(i));
        }
        return all;
    }

    private static <T> Outcome<T> outcome(Callable<T> task) {
        try {
            return new Outcome<>(Optional.of(task.call()), Optional.empty());
        } catch (Exception | Error failure) {
            return new Outcome<>(Optional.empty(), Optional.of(failure));
        }
    }

    private static void await(CountDownLatch left, List<Thread> threads) {
        boolean interrupted = false;
        while (true) {
            try {
                left.await();
                break;
            } catch (InterruptedException stopping) {
                interrupted = true;
                threads.forEach(Thread::interrupt);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
