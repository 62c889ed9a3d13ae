package io.polytable.table;

import java.util.Optional;

/**
 * One row's change.
 *
 * @param value the whole new value of a put
 * @param before the value that the row had before the change's commit; only in a feed with old values
 *     ({@link Snapshot#changes}), and absent there when there was no such row
 * @param end the exclusive upper key of a range delete (empty bytes: to the table's end)
 * @param position where a feed goes on after this change's commit
 * @param last whether this is the commit's last change in this feed
 */
public record Change(
        Kind kind,
        Table table,
        Bytes key,
        Optional<Bytes> value,
        Optional<Bytes> before,
        Optional<Bytes> end,
        Position position,
        boolean last) {
    /** What happened to the row. */
    public enum Kind {
        PUT,
        DELETE,
        DELETE_RANGE
    }

    /** The same change with another word for its place, and with another end of its commit. */
    public Change at(Position other, boolean isLast) {
        return other.equals(position) && isLast == last
                ? this
                : new Change(kind, table, key, value, before, end, other, isLast);
    }
}
