package io.polytable.redis.model.view;

import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.stream.Group;
import io.polytable.redis.model.stream.Pending;
import io.polytable.redis.model.stream.StreamRows;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.Value;
import java.util.List;
import java.util.Optional;

/** The columns and values of the tables that show streams, their groups and their pending entries. */
final class StreamValues {
    static final String KEY_COLUMN = "stream_key";
    static final String ENTRY_ID = "entry_id";
    static final String GROUP_NAME = "group_name";

    /** The kinds of a stream's rows that are shown one to one. */
    static final List<ElementKind> KINDS =
            List.of(ElementKind.STREAM_ENTRY, ElementKind.STREAM_GROUP, ElementKind.STREAM_PENDING);

    private static final Column KEY = new Column(KEY_COLUMN, ColumnType.BYTES);
    private static final Column ID = new Column(ENTRY_ID, ColumnType.STRING);
    private static final Column GROUP = new Column(GROUP_NAME, ColumnType.BYTES);
    private static final Column DATABASE = new Column("db", ColumnType.INT);
    private static final List<Column> ENTRY_COLUMNS =
            List.of(KEY, ID, new Column("fields", ColumnType.BYTES), DATABASE);
    private static final List<Column> GROUP_COLUMNS = List.of(
            KEY,
            GROUP,
            new Column("last_delivered_id", ColumnType.STRING),
            new Column("created_timestamp", ColumnType.BIGINT),
            new Column("entries_read", ColumnType.BIGINT),
            new Column("consumers", ColumnType.BIGINT),
            new Column("pending", ColumnType.BIGINT),
            DATABASE);
    private static final List<Column> PENDING_COLUMNS = List.of(
            KEY,
            GROUP,
            ID,
            new Column("consumer_name", ColumnType.BYTES),
            new Column("delivery_timestamp", ColumnType.BIGINT),
            new Column("delivery_count", ColumnType.BIGINT),
            DATABASE);

    private StreamValues() {}

    static List<Column> columns(ElementKind kind) {
        return kind == ElementKind.STREAM_ENTRY
                ? ENTRY_COLUMNS
                : kind == ElementKind.STREAM_GROUP ? GROUP_COLUMNS : PENDING_COLUMNS;
    }

    static List<String> keyColumns(ElementKind kind) {
        return kind == ElementKind.STREAM_ENTRY
                ? List.of("db", KEY_COLUMN, ENTRY_ID)
                : kind == ElementKind.STREAM_GROUP
                        ? List.of("db", KEY_COLUMN, GROUP_NAME)
                        : List.of("db", KEY_COLUMN, GROUP_NAME, ENTRY_ID);
    }

    /** The key under which a row of the kind is shown. */
    static List<Value> key(ElementKind kind, int database, Bytes streamKey, Bytes sub) {
        Value db = new Value.OfInt(database);
        Value key = new Value.OfBytes(streamKey);
        return kind == ElementKind.STREAM_ENTRY
                ? List.of(db, key, id(sub))
                : kind == ElementKind.STREAM_GROUP
                        ? List.of(db, key, new Value.OfBytes(sub))
                        : List.of(db, key, new Value.OfBytes(StreamRows.group(sub)), id(sub));
    }

    private static Value id(Bytes sub) {
        return new Value.OfString(StreamRows.id(sub).toString());
    }

    /** The sub-key of the row that is shown under the key. */
    static Bytes sub(ElementKind kind, List<Value> key) {
        if (kind == ElementKind.STREAM_ENTRY) {
            return parsed(key.get(2)).bytes();
        }
        Bytes group = ((Value.OfBytes) key.get(2)).value();
        return kind == ElementKind.STREAM_GROUP ? group : StreamRows.ofPending(group, parsed(key.get(3)));
    }

    private static StreamId parsed(Value text) {
        return id(((Value.OfString) text).value()).orElseThrow();
    }

    /** Parses an id in the only spelling in which ids are shown. */
    static Optional<StreamId> id(String text) {
        return StreamId.parse(Bytes.utf8(text), 0).filter(id -> id.toString().equals(text));
    }

    static List<Value> row(ElementKind kind, int database, Bytes streamKey, Bytes sub, Bytes row) {
        Value db = new Value.OfInt(database);
        Value key = new Value.OfBytes(streamKey);
        if (kind == ElementKind.STREAM_ENTRY) {
            return List.of(key, id(sub), new Value.OfBytes(row), db);
        }
        return kind == ElementKind.STREAM_GROUP
                ? group(db, key, Group.decode(sub, row))
                : pending(db, key, StreamRows.group(sub), Pending.decode(StreamRows.id(sub), row));
    }

    private static List<Value> group(Value db, Value key, Group group) {
        return List.of(
                key,
                new Value.OfBytes(group.name()),
                new Value.OfString(group.last().toString()),
                new Value.OfBigint(group.createdMillis()),
                group.read() == Group.UNKNOWN ? new Value.Absent() : new Value.OfBigint(group.read()),
                new Value.OfBigint(group.consumers()),
                new Value.OfBigint(group.pending()),
                db);
    }

    private static List<Value> pending(Value db, Value key, Bytes group, Pending pending) {
        return List.of(
                key,
                new Value.OfBytes(group),
                new Value.OfString(pending.id().toString()),
                new Value.OfBytes(pending.consumer()),
                new Value.OfBigint(pending.deliveredMillis()),
                new Value.OfBigint(pending.deliveries()),
                db);
    }
}
