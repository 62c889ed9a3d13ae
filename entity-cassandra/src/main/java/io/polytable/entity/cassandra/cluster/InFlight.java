package io.polytable.entity.cassandra.cluster;

import io.polytable.entity.session.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs an asynchronous call for each of many items with bounded concurrency. */
public final class InFlight<A, B> {
    private final List<A> things;
    private final Function<A, CompletableFuture<B>> call;
    private final AtomicReferenceArray<B> answers;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger lanes;
    private final CompletableFuture<List<B>> result = new CompletableFuture<>();
    private volatile @Nullable Throwable failure;

    private InFlight(List<A> things, int bound, Function<A, CompletableFuture<B>> call) {
        this.things = things;
        this.call = call;
        answers = new AtomicReferenceArray<>(things.size());
        lanes = new AtomicInteger(Math.min(bound, things.size()));
    }

    /**
     * The results, in the order of the items. On a failure it fails with the first one, once no call is in flight any
     * more.
     */
    public static <A, B> CompletableFuture<List<B>> all(
            List<A> things, int bound, Function<A, CompletableFuture<B>> call) {
        if (things.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        InFlight<A, B> all = new InFlight<>(things, bound, call);
        int lanes = all.lanes.get();
        for (int i = 0; i < lanes; i++) {
            all.lane();
        }
        return all.result;
    }

    /** A loop, not a recursion: calls may complete before they return. */
    private void lane() {
        while (failure == null) {
            int number = next.getAndIncrement();
            if (number >= things.size()) {
                break;
            }
            CompletableFuture<B> one = Futures.guarded(() -> call.apply(things.get(number)));
            if (!one.isDone()) {
                CompletableFuture<?> unused = one.whenComplete((answer, problem) -> {
                    take(number, answer, problem);
                    lane();
                });
                return;
            }
            CompletableFuture<?> unused = one.whenComplete((answer, problem) -> take(number, answer, problem));
        }
        if (lanes.decrementAndGet() == 0) {
            end();
        }
    }

    private void take(int number, B answer, @Nullable Throwable problem) {
        if (problem == null) {
            answers.set(number, answer);
        } else if (failure == null) {
            failure =
                    problem instanceof CompletionException && problem.getCause() != null ? problem.getCause() : problem;
        }
    }

    private void end() {
        Throwable problem = failure;
        if (problem != null) {
            result.completeExceptionally(problem);
            return;
        }
        List<B> list = new ArrayList<>(things.size());
        for (int i = 0; i < things.size(); i++) {
            list.add(answers.get(i));
        }
        result.complete(list);
    }
}
