package io.polytable.frontend.http;

import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A row of the routing table: method, path, answer and thread. A path that ends with {@link #BELOW} matches all paths
 * with that prefix.
 */
public record Route(HttpMethod method, String path, Answer answer) {
    public static final String BELOW = "/*";

    /** Where an answer is computed. */
    public sealed interface Answer {
        /** On the event loop: microseconds to a few milliseconds, never blocking. */
        record Quick(Function<HttpRequest, HttpReply> reply) implements Answer {}

        /** On one of a few worker threads. */
        record Slow(Function<HttpRequest, HttpReply> reply) implements Answer {}

        /** On one of many worker threads, which streams the answer. */
        record Streamed(BiConsumer<HttpRequest, ReplyStream> writer) implements Answer {}
    }

    public static Route get(String path, Function<HttpRequest, HttpReply> answer) {
        return new Route(HttpMethod.GET, path, new Answer.Quick(answer));
    }

    public static Route slowPost(String path, Function<HttpRequest, HttpReply> answer) {
        return new Route(HttpMethod.POST, path, new Answer.Slow(answer));
    }

    public static Route streamed(HttpMethod method, String path, BiConsumer<HttpRequest, ReplyStream> writer) {
        return new Route(method, path, new Answer.Streamed(writer));
    }
}
