package io.polytable.redis.command.dispatch;

import io.polytable.redis.command.Reply;
import io.polytable.table.Bytes;
import java.util.List;

/** Estimates the heap size of a reply, counting shared parts fully. */
final class ReplySize {
    /** A number or a short word. */
    static final int SMALL_BYTES = 24;

    /** The record of a reply and its place in a list. */
    private static final int REPLY_BYTES = SMALL_BYTES;

    /** The overhead of a byte array or a string. */
    private static final int OBJECT_BYTES = 40;

    private ReplySize() {}

    static long of(Reply reply) {
        if (reply instanceof Reply.Bulk bulk) {
            return REPLY_BYTES + of(bulk.value());
        }
        if (reply instanceof Reply.Bulks bulks) {
            return REPLY_BYTES + ofValues(bulks.values());
        }
        if (reply instanceof Reply.Many many) {
            return ofAll(many.items());
        }
        if (reply instanceof Reply.MapOf map) {
            return ofAll(map.namesAndValues());
        }
        if (reply instanceof Reply.SetOf set) {
            return ofAll(set.items());
        }
        if (reply instanceof Reply.Pushes pushes) {
            return ofAll(pushes.all());
        }
        if (reply instanceof Reply.Push push) {
            return ofAll(push.items());
        }
        if (reply instanceof Reply.Verbatim verbatim) {
            return REPLY_BYTES + of(verbatim.text());
        }
        return SMALL_BYTES;
    }

    private static long of(Bytes value) {
        return (long) OBJECT_BYTES + value.length();
    }

    private static long ofValues(List<Bytes> values) {
        long bytes = OBJECT_BYTES;
        for (Bytes value : values) {
            bytes += of(value);
        }
        return bytes;
    }

    private static long ofAll(List<? extends Reply> replies) {
        long bytes = REPLY_BYTES + OBJECT_BYTES;
        for (Reply reply : replies) {
            bytes += of(reply);
        }
        return bytes;
    }
}
