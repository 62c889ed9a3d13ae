package io.polytable.server.http;

import java.util.function.Function;

/** One line of the table: what is answered where, and on which thread. */
public record Route(HttpMethod method, String path, Pace pace, Function<HttpCall, HttpReply> answer) {
    /** Whether an answer may take long enough to hold up other connections. */
    public enum Pace {
        /** Answered on the event loop: microseconds to a few milliseconds, never blocking. */
        QUICK,
        /** Answered on a worker thread, of which there are few. */
        SLOW
    }

    public static Route get(String path, Function<HttpCall, HttpReply> answer) {
        return new Route(HttpMethod.GET, path, Pace.QUICK, answer);
    }

    public static Route slowPost(String path, Function<HttpCall, HttpReply> answer) {
        return new Route(HttpMethod.POST, path, Pace.SLOW, answer);
    }
}
