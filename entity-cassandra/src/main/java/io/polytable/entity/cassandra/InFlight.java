package io.polytable.entity.cassandra;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Asynchronous calls for many things, a bounded number at a time. */
final class InFlight {
    private InFlight() {}

    /** The answers, in the order of the things; fails with the first failure of a round. */
    static <A, B> CompletableFuture<List<B>> all(List<A> things, int bound, Function<A, CompletableFuture<B>> call) {
        return round(things, 0, bound, call, new ArrayList<>(things.size()));
    }

    private static <A, B> CompletableFuture<List<B>> round(
            List<A> things, int from, int bound, Function<A, CompletableFuture<B>> call, List<B> answers) {
        if (from >= things.size()) {
            return CompletableFuture.completedFuture(answers);
        }
        int to = Math.min(things.size(), from + bound);
        List<CompletableFuture<B>> running = new ArrayList<>();
        for (A thing : things.subList(from, to)) {
            running.add(call.apply(thing));
        }
        return CompletableFuture.allOf(running.toArray(CompletableFuture[]::new))
                .thenCompose(done -> {
                    running.forEach(future -> answers.add(future.join()));
                    return round(things, to, bound, call, answers);
                });
    }
}
