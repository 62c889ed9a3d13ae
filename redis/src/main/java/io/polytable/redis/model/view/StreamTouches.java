package io.polytable.redis.model.view;

import io.polytable.frontend.view.FollowedViews;
import io.polytable.frontend.view.View;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.BigEndian;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Reader;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.feed.Change;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The streams' part of a {@link ProjectionWindow}: a row touches the one in which it is shown. */
final class StreamTouches {
    private final RedisProjection projection;
    private final RedisTables tables;
    private final Reader snapshot;
    private final CollectionOwners owners;
    private final ShownDatabases databases;

    StreamTouches(RedisProjection projection, Reader snapshot, CollectionOwners owners, ShownDatabases databases) {
        this.projection = projection;
        this.tables = projection.redisTables();
        this.snapshot = snapshot;
        this.owners = owners;
        this.databases = databases;
    }

    /** Handles the change of an element's row; false when it is not one of a stream. */
    boolean touchedBy(Change change, FollowedViews.Touched touched) {
        Optional<ElementKind> kind = kind(change.key());
        if (kind.isEmpty()) {
            return false;
        }
        if (StreamValues.KINDS.contains(kind.get())) {
            List<CollectionOwner> names = owners.names(BigEndian.longAt(change.key(), 0));
            if (change.kind() == Change.Kind.DELETE_RANGE) {
                refuseRange(names);
            } else {
                names.forEach(name -> touch(name, kind.get(), change.key(), touched));
            }
        }
        return true;
    }

    private static Optional<ElementKind> kind(Bytes row) {
        int tag = row.at(Long.BYTES);
        return ElementKind.of(Type.STREAM).stream()
                .filter(kind -> kind.tag() == tag)
                .findFirst();
    }

    /** A removed stream's rows are no longer shown; of an existing one nobody knows what the range held. */
    private static void refuseRange(List<CollectionOwner> names) {
        if (!names.isEmpty()) {
            throw new StoreException(
                    StoreError.POSITION_EXPIRED,
                    "More of a stream was removed at once than can be followed",
                    Map.of("key", names.get(0).key()));
        }
    }

    /** Touches all rows that the snapshot has of the stream, under the name. */
    void touchAll(CollectionOwner name, long id, int home, FollowedViews.Touched touched) {
        for (ElementKind kind : StreamValues.KINDS) {
            try (Cursor rows = snapshot.scan(tables.elements(home), Layout.elements(id, kind))) {
                while (rows.next()) {
                    touch(name, kind, rows.key(), touched);
                }
            }
        }
    }

    private void touch(CollectionOwner name, ElementKind kind, Bytes row, FollowedViews.Touched touched) {
        View view = projection.streamView(kind, tables.part(name.key()));
        Bytes sub = row.from(Layout.ELEMENT_PREFIX);
        for (int database : databases.of(name.physicalDatabase())) {
            touched.row(view, StreamValues.key(kind, database, name.key(), sub));
        }
    }
}
