package io.polytable.table;

import java.util.Optional;

/**
 * One row's change. {@code value} is the whole new value of a put; {@code end} is the exclusive upper key of a
 * range delete (empty bytes: to the table's end).
 *
 * @param position where a feed goes on after this change's commit
 * @param last whether this is the commit's last change in this feed
 */
public record Change(
        Kind kind,
        Table table,
        Bytes key,
        Optional<Bytes> value,
        Optional<Bytes> end,
        Position position,
        boolean last) {
    /** What happened to the row. */
    public enum Kind {
        PUT,
        DELETE,
        DELETE_RANGE
    }
}
