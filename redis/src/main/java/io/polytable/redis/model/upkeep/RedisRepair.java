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
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreException;
import io.polytable.table.Stripes;
import io.polytable.table.Table;
import io.polytable.table.write.WriteSet;

/**
 * Repairs what {@link RedisCheck} finds, as far as it can be derived: headers and members are authoritative,
 * everything else is rebuilt from them (sizes, expiry rows, the order and fences of lists and sorted sets).
 * Unreachable rows are moved to their place or deleted. A header that cannot be decoded is left for a person to look
 * at, with its row in the order of deadlines; and while there is one, orphaned elements are kept too: they may belong
 * to it.
 *
 * <p>Holds all stripes: clients wait. Takes many commits and can be interrupted and restarted at any point.
 */
public final class RedisRepair {
    private static final int REPORT_EVERY = 1000;

    private final RedisTables tables;
    private final KeyCounts counts;
    private final Reader reader;
    private final Databases databases;
    private final WriteSet writes;
    private final CollectionIds ids = new CollectionIds();
    private final CheckProgress progress;
    private final long total;
    private long done;
    private boolean isAllReadable = true;

    private RedisRepair(Keyspace keyspace, Reader reader, CheckReport before, CheckProgress progress) {
        this.progress = progress;
        this.total = before.keyCount() + before.elementCount();
        this.tables = keyspace.tables();
        this.counts = keyspace.counts();
        this.reader = reader;
        this.databases = tables.databases(reader);
        this.writes = new WriteSet(tables.store());
    }

    public static RepairReport run(Keyspace keyspace, CheckProgress progress) {
        CheckReport before = RedisCheck.run(keyspace, CheckProgress.NONE);
        if (before.isClean()) {
            return new RepairReport(before, before);
        }
        Stripes stripes = keyspace.store().stripes();
        stripes.lockEverything();
        try (Snapshot snapshot = keyspace.store().snapshot()) {
            new RedisRepair(keyspace, snapshot, before, progress).run();
        } finally {
            stripes.unlockEverything();
        }
        return new RepairReport(before, RedisCheck.run(keyspace, CheckProgress.NONE));
    }

    private void run() {
        try (KeyRows keys = new KeyRows(tables, reader)) {
            for (long count = 1; keys.next(); count++) {
                repairKey(keys);
                done++;
                if (count % REPORT_EVERY == 0) {
                    progress.at(done, total);
                }
            }
        }
        tables.expiryTables().forEach(this::repairExpiries);
        for (int part = 0; isAllReadable && part < tables.partCount(); part++) {
            deleteOrphans(part);
        }
        tables.garbageTables().forEach(this::repairGarbage);
        progress.at(total, total);
    }

    private void repairKey(KeyRows keys) {
        Header header;
        try {
            header = Header.decode(keys.value());
        } catch (StoreException damaged) {
            isAllReadable = false;
            return;
        }
        Place place = place(keys);
        if (tables.partitions() > 1 && tables.expiries(place.part) != tables.expiries(keys.part())) {
            // Cannot be moved to another partition with all that belongs to it: left for a person to look at.
            isAllReadable = false;
            return;
        }
        if (!place.row.bytes().equals(keys.row()) || place.part != keys.part()) {
            writes.delete(tables.keys(keys.part()), new RowKey(keys.row(), 1));
            if (reader.read(tables.keys(place.part), place.row).isPresent()) {
                // The row that readers find is the key; what this one held is deleted with the other orphans.
                counts.remove(place.physical, header);
                commit();
                return;
            }
            put(place, header);
        }
        if (header instanceof CollectionHeader collection) {
            ids.add(collection.id());
            repairCollection(place, collection);
        } else {
            repairDeadline(place, header);
        }
        commit();
    }

    /** The place where a key belongs. */
    private record Place(int part, int physical, RowKey row, Bytes key) {}

    private Place place(KeyRows keys) {
        Bytes key = keys.key();
        int physical = keys.physicalDatabase();
        return new Place(
                tables.part(key),
                physical,
                Layout.key(physical, tables.keyedHash().of(key), key),
                key);
    }

    private void repairCollection(Place place, CollectionHeader header) {
        CollectionRepair repair = new CollectionRepair(tables, reader, writes, header);
        // A sorted set is walked over twice, once for the order and once for the fences.
        CollectionHeader repaired = repair.repair(twice -> progress.at(done + twice / 2, total));
        done += header.size();
        if (repaired.isOver() && repair.isRepairable()) {
            writes.delete(tables.keys(place.part), place.row);
            writes.delete(tables.expiries(place.part), Layout.expiry(header.expireAt(), place.physical, place.key));
            counts.remove(place.physical, header);
            return;
        }
        if (!repaired.equals(header)) {
            put(place, repaired);
        }
        repairDeadline(place, repaired);
    }

    private void put(Place place, Header header) {
        writes.put(tables.keys(place.part), place.row, header.rowHead(), header.rowTail());
    }

    private void repairDeadline(Place place, Header header) {
        if (header.hasDeadline() && databases.isLive(place.physical)) {
            writes.put(
                    tables.expiries(place.part),
                    Layout.expiry(header.expireAt(), place.physical, place.key),
                    Bytes.EMPTY);
        }
    }

    private void repairExpiries(Table expiries) {
        try (Cursor rows = reader.scan(expiries, KeyRange.ALL)) {
            while (rows.next()) {
                ExpiryRow row = ExpiryRow.of(expiries, rows.key());
                // Reads the store: keys were repaired since the snapshot.
                if (databases.isLive(row.physical()) && row.isStray(tables, tables.store())) {
                    writes.delete(expiries, new RowKey(rows.key(), 1));
                    commit();
                }
            }
        }
    }

    private void deleteOrphans(int part) {
        Table elements = tables.elements(part);
        ElementOwners owners = new ElementOwners(reader, elements);
        while (owners.next()) {
            long id = owners.id();
            if (!ids.contains(id)
                    && reader.read(tables.garbage(part), Layout.garbage(id)).isEmpty()) {
                deleteElements(elements, id);
                commit();
            }
        }
    }

    private void deleteElements(Table elements, long id) {
        for (ElementKind kind : ElementKind.values()) {
            writes.deleteRange(elements, Layout.elements(id, kind));
        }
    }

    private void repairGarbage(Table garbage) {
        try (Cursor rows = reader.scan(garbage, Layout.garbage())) {
            while (rows.next()) {
                if (ids.contains(Layout.garbageId(rows.key()))) {
                    writes.delete(garbage, new RowKey(rows.key(), 1));
                    commit();
                } else if (isAllReadable && !isReadable(garbage, rows)) {
                    deleteGarbage(garbage, rows.key());
                    commit();
                }
            }
        }
    }

    private boolean isReadable(Table garbage, Cursor row) {
        try {
            var unused = GarbageNote.decode(tables, garbage, row);
            return true;
        } catch (StoreException damaged) {
            return false;
        }
    }

    /** Deletes a garbage row that does not say where the elements are, and the elements in all shards of its partition. */
    private void deleteGarbage(Table garbage, Bytes row) {
        for (int part = 0; part < tables.partCount(); part++) {
            if (tables.garbage(part).equals(garbage)) {
                deleteElements(tables.elements(part), Layout.garbageId(row));
            }
        }
        writes.delete(garbage, new RowKey(row, 1));
    }

    private void commit() {
        var unused = writes.commit();
        tables.store().flush();
    }
}
