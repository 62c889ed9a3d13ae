package io.polytable.redis.model.upkeep;

import io.polytable.redis.model.keyspace.Databases;
import io.polytable.redis.model.keyspace.KeyCounts;
import io.polytable.redis.model.keyspace.KeyRows;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.write.WriteSet;
import java.util.function.LongConsumer;

/** The repairs that {@link RedisIntegrity} makes. Each is one commit, so that a repair may end between any two. */
final class KeyRepair {
    private final RedisTables tables;
    private final KeyCounts counts;
    private final Reader reader;
    private final Databases databases;
    private final WriteSet writes;

    KeyRepair(Keyspace keyspace, Reader reader, Databases databases) {
        this.tables = keyspace.tables();
        this.counts = keyspace.counts();
        this.reader = reader;
        this.databases = databases;
        this.writes = new WriteSet(tables.store());
    }

    /** What became of a row that was in a wrong place. */
    enum Moved {
        DONE,
        /** The row that readers find is the key; what this one held goes with the other orphans. */
        DROPPED,
        /** Cannot be moved to another partition with all that belongs to it: left for a person to look at. */
        IMPOSSIBLE
    }

    Moved move(KeyRows keys, KeyPlace place, Header header) {
        if (tables.partitions() > 1 && tables.expiries(place.part()) != tables.expiries(keys.part())) {
            return Moved.IMPOSSIBLE;
        }
        writes.delete(tables.keys(keys.part()), new RowKey(keys.row(), 1));
        if (reader.read(tables.keys(place.part()), place.row()).isPresent()) {
            counts.remove(place.physical(), header);
            return Moved.DROPPED;
        }
        put(place, header);
        return Moved.DONE;
    }

    /** Rebuilds a collection's header and indexes from its elements. */
    void rebuild(KeyPlace place, CollectionHeader header, LongConsumer progress) {
        CollectionRepair repair = new CollectionRepair(tables, reader, writes, header);
        if (!repair.isRepairable()) {
            return;
        }
        CollectionHeader repaired = repair.repair(progress);
        if (repaired.isOver()) {
            writes.delete(tables.keys(place.part()), place.row());
            writes.delete(
                    tables.expiries(place.part()), Layout.expiry(header.expireAt(), place.physical(), place.key()));
            counts.remove(place.physical(), header);
        } else if (!repaired.equals(header)) {
            put(place, repaired);
            putDeadline(place, repaired);
        }
    }

    private void put(KeyPlace place, Header header) {
        writes.put(tables.keys(place.part()), place.row(), header.rowHead(), header.rowTail());
    }

    void putDeadline(KeyPlace place, Header header) {
        if (header.hasDeadline() && databases.isLive(place.physical())) {
            RowKey row = Layout.expiry(header.expireAt(), place.physical(), place.key());
            writes.put(tables.expiries(place.part()), row, Bytes.EMPTY);
        }
    }

    void delete(Table table, Bytes row) {
        writes.delete(table, new RowKey(row, 1));
        commit();
    }

    void deleteElements(Table elements, long id) {
        for (ElementKind kind : ElementKind.values()) {
            writes.deleteRange(elements, Layout.elements(id, kind));
        }
        commit();
    }

    /** Deletes a garbage row that does not say where the elements are, and the elements in all shards of its partition. */
    void deleteGarbage(Table garbage, Bytes row) {
        for (int part = 0; part < tables.partCount(); part++) {
            if (tables.garbage(part).equals(garbage)) {
                for (ElementKind kind : ElementKind.values()) {
                    writes.deleteRange(tables.elements(part), Layout.elements(Layout.garbageId(row), kind));
                }
            }
        }
        delete(garbage, row);
    }

    void commit() {
        var unused = writes.commit();
        tables.store().flush();
    }
}
