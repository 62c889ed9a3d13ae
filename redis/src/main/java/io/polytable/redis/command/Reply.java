package io.polytable.redis.command;

import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;

/** The reply of a command. Only the wire package knows its encoding in RESP2 and RESP3. */
public sealed interface Reply {
    Reply OK = new Simple("OK");
    Reply QUEUED = new Simple("QUEUED");
    Reply ABSENT = new Absent();
    Reply ABSENT_ARRAY = new AbsentArray();
    Reply EMPTY = new Many(List.of());
    Reply ZERO = of(0);
    Reply ONE = of(1);

    /** The call did not run: it must run on a worker. */
    Reply MOVED = new NotRun();

    /** The call did not run: a script on a worker holds its keys. The loop must continue, if only for SCRIPT KILL. */
    Reply HELD = new NotRun();

    record Bulk(Bytes value) implements Reply {}

    /**
     * A reply with an action that must follow it: the release of bytes that count against the read budget, or messages.
     *
     * @param written to be run when the reply was written; also when the client is gone, if the reply is {@link Later}
     */
    record Counted(Reply reply, Runnable written) implements Reply {}

    record Int(long value) implements Reply {
        private static final int SMALL_MIN = -2;
        private static final int SMALL_MAX = 1024;

        /** Preallocated. */
        private static final Reply[] SMALL =
                LongStream.range(SMALL_MIN, SMALL_MAX).mapToObj(Int::new).toArray(Reply[]::new);
    }

    /** A status such as OK: one short line. */
    record Simple(String text) implements Reply {}

    record Failure(RedisError error) implements Reply {}

    /** The absent value: RESP2 writes the null bulk string. */
    record Absent() implements Reply {}

    /** The absent list: RESP2 writes the null array, which clients distinguish from the null bulk string. */
    record AbsentArray() implements Reply {}

    record Many(List<? extends Reply> items) implements Reply {}

    /** A {@link Many} of {@link Bulk}s, without an object per item. */
    record Bulks(List<Bytes> values) implements Reply {}

    /** Names and values alternating; RESP2 writes them as one flat array. */
    record MapOf(List<? extends Reply> namesAndValues) implements Reply {}

    record SetOf(List<? extends Reply> items) implements Reply {}

    record DoubleOf(double value) implements Reply {}

    /** A number whose digits the command formatted; RESP2 writes a bulk string. */
    record DecimalOf(String digits) implements Reply {}

    record Bool(boolean value) implements Reply {}

    record BigNumber(String digits) implements Reply {}

    /** Text for people, with its format ("txt", "mkd"). */
    record Verbatim(String format, Bytes text) implements Reply {}

    /** A message that the server sends unrequested. */
    record Push(List<? extends Reply> items) implements Reply {}

    /** Several messages instead of one reply: SUBSCRIBE confirms each channel. Sent even when CLIENT REPLY is OFF. */
    record Pushes(List<? extends Reply> all) implements Reply {}

    /** The reply is computed asynchronously; the connection runs no other request until then. */
    record Later(CompletionStage<Reply> answer) implements Reply {}

    /** No reply yet: the call is blocked until a key changes or its timeout expires, and then run again. */
    record Blocked(Waiter waiter) implements Reply {}

    /** No reply at all: a call that must be run again, elsewhere or later. Never sent. */
    final class NotRun implements Reply {
        private NotRun() {}
    }

    /** Nothing is sent (CLIENT REPLY OFF and SKIP). */
    record NoReply() implements Reply {}

    /** A reply in another protocol version than the replies around it. */
    record Spoken(int protocol, Reply reply) implements Reply {}

    /**
     * The replies of an EXEC during which the protocol or CLIENT REPLY changed. They are sent whatever CLIENT REPLY is
     * now; the suppressed ones are {@link NoReply}.
     *
     * @param begins whether the array header is sent
     * @param protocol the protocol at the start
     */
    record Transcript(boolean begins, int protocol, List<Reply> items) implements Reply {}

    static Reply of(Bytes value) {
        return new Bulk(value);
    }

    static Reply of(Optional<Bytes> value) {
        return value.isPresent() ? new Bulk(value.get()) : ABSENT;
    }

    static Reply of(long value) {
        return value >= Int.SMALL_MIN && value < Int.SMALL_MAX
                ? Int.SMALL[(int) value - Int.SMALL_MIN]
                : new Int(value);
    }

    /** One or zero: the boolean of most commands in both protocols. */
    static Reply of(boolean yes) {
        return yes ? ONE : ZERO;
    }

    static Reply of(double value) {
        return new DoubleOf(value);
    }

    /** A bulk string. */
    static Reply of(String text) {
        return new Bulk(Bytes.utf8(text));
    }

    static Reply simple(String text) {
        return new Simple(text);
    }

    static Reply error(RedisError error) {
        return new Failure(error);
    }

    static Reply many(List<? extends Reply> items) {
        return new Many(items);
    }

    static Reply many(Reply... items) {
        return new Many(List.of(items));
    }

    static Reply bulks(List<Bytes> values) {
        return new Bulks(values);
    }

    /** As {@link #bulks}, with absent items. */
    static Reply optionals(List<Optional<Bytes>> values) {
        List<Reply> items = new ArrayList<>(values.size());
        for (Optional<Bytes> value : values) {
            items.add(of(value));
        }
        return new Many(items);
    }

    static Reply texts(List<String> texts) {
        return new Many(texts.stream().map(Reply::of).toList());
    }

    static Reply setOf(List<Bytes> values) {
        return new SetOf(bulkItems(values));
    }

    /** Names and values alternating. */
    static Reply mapOf(List<? extends Reply> namesAndValues) {
        return new MapOf(namesAndValues);
    }

    static Reply mapOf(Reply... namesAndValues) {
        return new MapOf(List.of(namesAndValues));
    }

    private static List<Reply> bulkItems(List<Bytes> values) {
        List<Reply> items = new ArrayList<>(values.size());
        for (Bytes value : values) {
            items.add(new Bulk(value));
        }
        return items;
    }
}
