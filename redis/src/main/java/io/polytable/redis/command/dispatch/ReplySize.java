package io.polytable.redis.command.dispatch;

import io.polytable.redis.command.Reply;
import java.util.List;

/** About how much memory a reply holds until it is sent. */
final class ReplySize {
    private static final long OBJECT_BYTES = 48;

    private ReplySize() {}

    static long of(Reply reply) {
        if (reply instanceof Reply.Bulk bulk) {
            return OBJECT_BYTES + bulk.value().length();
        }
        if (reply instanceof Reply.Many many) {
            return of(many.items());
        }
        if (reply instanceof Reply.MapOf map) {
            return of(map.namesAndValues());
        }
        if (reply instanceof Reply.SetOf set) {
            return of(set.items());
        }
        return reply instanceof Reply.Verbatim text ? OBJECT_BYTES + text.text().length() : OBJECT_BYTES;
    }

    private static long of(List<? extends Reply> items) {
        long bytes = OBJECT_BYTES;
        for (Reply item : items) {
            bytes += of(item);
        }
        return bytes;
    }
}
