package io.polytable.table.feed;

import io.polytable.table.Bytes;
import io.polytable.table.Origin;
import io.polytable.table.Position;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import java.util.Optional;

/**
 * The change of one row.
 *
 * @param value the new value of a put
 * @param before the value before the change's commit; only in a feed with old values ({@link Snapshot#changes}), and
 *     absent there if the row did not exist
 * @param end the exclusive upper key of a range delete (empty: to the end of the table)
 * @param position where a feed resumes after this change's commit
 * @param origin why the commit was made
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
        Origin origin,
        boolean last) {
    /** The kind of change. */
    public enum Kind {
        PUT,
        DELETE,
        DELETE_RANGE
    }

    /** The same change with another position and another end-of-commit flag. */
    public Change at(Position other, boolean isLast) {
        return other.equals(position) && isLast == last
                ? this
                : new Change(kind, table, key, value, before, end, other, origin, isLast);
    }
}
