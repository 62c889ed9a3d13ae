package io.polytable.redis.model.view;

import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.Databases;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.BigEndian;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.column.Value;
import io.polytable.table.feed.Change;
import io.polytable.table.view.Projection;
import io.polytable.table.view.ShownTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The streams' part of a {@link ProjectionWindow}: a row touches the one in which it is shown. */
final class StreamTouches {
    private final RedisProjection projection;
    private final RedisTables tables;
    private final Snapshot snapshot;
    private final CollectionOwners owners;
    private final ShownDatabases databases;

    StreamTouches(RedisProjection projection, Snapshot snapshot, CollectionOwners owners, ShownDatabases databases) {
        this.projection = projection;
        this.tables = projection.redisTables();
        this.snapshot = snapshot;
        this.owners = owners;
        this.databases = databases;
    }

    /** Handles the change of an element's row; false when it is not one of a stream. */
    boolean touchedBy(Change change, Projection.Touched touched) {
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
    void touchAll(CollectionOwner name, long id, int home, Projection.Touched touched) {
        for (ElementKind kind : StreamValues.KINDS) {
            try (Cursor rows = snapshot.scan(tables.elements(home), Layout.elements(id, kind))) {
                while (rows.next()) {
                    touch(name, kind, rows.key(), touched);
                }
            }
        }
    }

    private void touch(CollectionOwner name, ElementKind kind, Bytes row, Projection.Touched touched) {
        ShownTable table = projection.streamTable(kind, tables.part(name.key()));
        Bytes sub = row.from(Layout.ELEMENT_PREFIX);
        for (int database : databases.of(name.physicalDatabase())) {
            touched.row(table, StreamValues.key(kind, database, name.key(), sub));
        }
    }

    /** The row that is shown under the key in a table of streams. */
    Optional<List<Value>> row(ElementKind kind, List<Value> key) {
        int database = ((Value.OfInt) key.get(0)).value();
        Bytes streamKey = ((Value.OfBytes) key.get(1)).value();
        Databases present = tables.databases(snapshot);
        if (!(tables.header(snapshot, present.physical(database), streamKey).orElse(null)
                        instanceof CollectionHeader header)
                || header.type() != Type.STREAM) {
            return Optional.empty();
        }
        Bytes sub = StreamValues.sub(kind, key);
        return snapshot.read(tables.elements(header.home()), Layout.element(header.id(), kind, sub))
                .map(row -> StreamValues.row(kind, database, streamKey, sub, row));
    }
}
