package io.polytable.redis.model.view;

import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.view.Projection;
import io.polytable.table.view.ShownTable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The projection of Redis data to tables of another system: one row per element, one per member of a sorted set, and
 * one per collection with its sub-keys. Only what clients can reach is shown; an expired key until its removal is
 * logged.
 *
 * <p>{@link ShownRows} reads the rows to show of each type, and {@link ProjectionWindow} says which changes touch
 * them.
 */
public final class RedisProjection implements Projection {
    private static final String NAMESPACE = "default";
    private static final Column DATABASE = new Column("db", ColumnType.INT);
    private static final Column KEY = new Column("redis_key", ColumnType.BYTES);
    private static final Column SCORE = new Column("score", ColumnType.DOUBLE);

    /** The number of leading key columns by which rows are co-located: those of one key. */
    private static final int TOGETHER = 2;

    private final RedisTables tables;
    private final List<ShownTable> data = new ArrayList<>();
    private final ShownTable members = members();
    private final ShownTable subKeys = subKeys();
    private final List<ShownTable> streams = new ArrayList<>();
    private final ShownTable streamGroups = stream("redis_stream_consumer_groups", ElementKind.STREAM_GROUP);
    private final ShownTable streamPending = stream("redis_stream_pending_entries", ElementKind.STREAM_PENDING);

    private RedisProjection(RedisTables tables) {
        this.tables = tables;
        if (tables.shards() == 0) {
            data.add(data("redis_internal_data"));
            streams.add(stream("redis_stream_data", ElementKind.STREAM_ENTRY));
        }
        for (int shard = 0; shard < tables.shards(); shard++) {
            data.add(data(String.format(Locale.ROOT, "redis_shard_%02d", shard)));
            streams.add(stream(String.format(Locale.ROOT, "redis_stream_shard_%02d", shard), ElementKind.STREAM_ENTRY));
        }
    }

    public static RedisProjection of(Keyspace keyspace) {
        return new RedisProjection(keyspace.tables());
    }

    private static ShownTable data(String name) {
        List<Column> columns = List.of(
                KEY,
                new Column("sub_key", ColumnType.BYTES),
                new Column("redis_type", ColumnType.STRING),
                SCORE,
                new Column("value", ColumnType.BYTES),
                new Column("expire_at", ColumnType.BIGINT),
                DATABASE);
        return new ShownTable(new TableName(NAMESPACE, name), columns, List.of("db", "redis_key", "sub_key"), TOGETHER);
    }

    private static ShownTable members() {
        return new ShownTable(
                new TableName(NAMESPACE, "redis_internal_zset_index"),
                List.of(KEY, new Column("member", ColumnType.BYTES), SCORE, DATABASE),
                List.of("db", "redis_key", "member"),
                TOGETHER);
    }

    private static ShownTable subKeys() {
        return new ShownTable(
                new TableName(NAMESPACE, "redis_internal_subkey_index"),
                List.of(KEY, new Column("sub_keys", ColumnType.STRING), DATABASE),
                List.of("db", "redis_key"),
                TOGETHER);
    }

    private static ShownTable stream(String name, ElementKind kind) {
        return new ShownTable(
                new TableName(NAMESPACE, name), StreamValues.columns(kind), StreamValues.keyColumns(kind), TOGETHER);
    }

    RedisTables redisTables() {
        return tables;
    }

    /** The table that shows the elements of keys of this part. */
    ShownTable dataTable(int part) {
        return data.get(part);
    }

    ShownTable memberTable() {
        return members;
    }

    ShownTable subKeyTable() {
        return subKeys;
    }

    /** The table that shows this kind of rows of streams of this part. */
    ShownTable streamTable(ElementKind kind, int part) {
        return kind == ElementKind.STREAM_ENTRY
                ? streams.get(part)
                : kind == ElementKind.STREAM_GROUP ? streamGroups : streamPending;
    }

    /** The kind of stream rows that the table shows. */
    Optional<ElementKind> streamKind(ShownTable table) {
        if (streams.contains(table)) {
            return Optional.of(ElementKind.STREAM_ENTRY);
        }
        return table.equals(streamGroups)
                ? Optional.of(ElementKind.STREAM_GROUP)
                : table.equals(streamPending) ? Optional.of(ElementKind.STREAM_PENDING) : Optional.empty();
    }

    @Override
    public List<ShownTable> tables() {
        List<ShownTable> all = new ArrayList<>(data);
        all.add(members);
        all.add(subKeys);
        all.addAll(streams);
        all.add(streamGroups);
        all.add(streamPending);
        return all;
    }

    @Override
    public Set<Table> sources() {
        Set<Table> sources = new LinkedHashSet<>();
        for (int part = 0; part < tables.partCount(); part++) {
            sources.add(tables.keys(part));
            sources.add(tables.elements(part));
        }
        sources.addAll(tables.garbageTables());
        sources.add(tables.settings());
        return sources;
    }

    @Override
    public Session begin(Notes notes) {
        CollectionOwners owners = new CollectionOwners(notes);
        ShownDatabases databases = new ShownDatabases(notes);
        ShownLists lists = new ShownLists(notes);
        return snapshot -> new ProjectionWindow(this, snapshot, owners, databases, lists);
    }
}
