package io.polytable.redis.model.upkeep;

import io.polytable.redis.model.keyspace.Databases;
import io.polytable.redis.model.keyspace.KeyRows;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreException;
import io.polytable.table.Table;

/**
 * Verifies that the rows of a key space are consistent, on a snapshot, while clients continue:
 *
 * <ul>
 *   <li>each key is where its bytes say, and its header can be decoded;
 *   <li>a collection's size is the number of its elements, and its id is its own;
 *   <li>a sorted set's order rows and fences match its members;
 *   <li>deadlines and expiry rows match;
 *   <li>elements belong to an existing collection or to noted garbage, and never to both;
 *   <li>garbage rows can be decoded.
 * </ul>
 */
public final class RedisCheck {
    private static final int REPORT_EVERY = 10_000;

    private final RedisTables tables;
    private final Reader reader;
    private final Databases databases;
    private final FindingCollector findings = new FindingCollector();
    private final CollectionIds ids = new CollectionIds();
    private long keyCount;
    private long elementCount;

    private RedisCheck(RedisTables tables, Reader reader) {
        this.tables = tables;
        this.reader = reader;
        this.databases = tables.databases(reader);
    }

    public static CheckReport run(Keyspace keyspace, CheckProgress progress) {
        try (Snapshot snapshot = keyspace.store().snapshot()) {
            return new RedisCheck(keyspace.tables(), snapshot).run(progress);
        }
    }

    private CheckReport run(CheckProgress progress) {
        long total = countKeys();
        try (KeyRows keys = new KeyRows(tables, reader)) {
            while (keys.next()) {
                checkKey(keys);
                if (++keyCount % REPORT_EVERY == 0) {
                    progress.at(keyCount, total);
                }
            }
        }
        tables.expiryTables().forEach(this::checkExpiries);
        for (int part = 0; part < tables.partCount(); part++) {
            checkOwners(part);
        }
        tables.garbageTables().forEach(this::checkGarbage);
        progress.at(total, total);
        return findings.report(keyCount, elementCount);
    }

    private long countKeys() {
        long count = 0;
        try (KeyRows keys = new KeyRows(tables, reader)) {
            while (keys.next()) {
                count++;
            }
        }
        return count;
    }

    private void checkKey(KeyRows keys) {
        Bytes key = keys.key();
        int physical = keys.physicalDatabase();
        String where = where(physical);
        if (keys.part() != tables.part(key)
                || !Layout.key(physical, tables.keyedHash().of(key), key)
                        .bytes()
                        .equals(keys.row())) {
            findings.add(where, key, "its row is where no reader looks for it");
        }
        Header header;
        try {
            header = Header.decode(keys.value());
        } catch (StoreException damaged) {
            findings.add(where, key, "its header cannot be read: " + damaged.getMessage());
            return;
        }
        if (header.hasDeadline() && databases.isLive(physical) && !hasExpiryRow(physical, key, header.expireAt())) {
            findings.add(where, key, "its deadline has no row in the order of deadlines");
        }
        if (header instanceof CollectionHeader collection) {
            ids.add(collection.id());
            elementCount += collection.size();
            new CollectionCheck(tables, reader, collection, problem -> findings.add(where, key, problem)).run();
        }
    }

    private boolean hasExpiryRow(int physical, Bytes key, long deadline) {
        return reader.read(tables.expiries(tables.part(key)), Layout.expiry(deadline, physical, key))
                .isPresent();
    }

    private void checkExpiries(Table expiries) {
        try (Cursor rows = reader.scan(expiries, KeyRange.ALL)) {
            while (rows.next()) {
                ExpiryRow row = ExpiryRow.of(expiries, rows.key());
                if (databases.isLive(row.physical()) && row.isStray(tables, reader)) {
                    findings.add(
                            where(row.physical()), row.key(), "a row in the order of deadlines is not its deadline");
                }
            }
        }
    }

    /** Checks each id that has elements in the table. */
    private void checkOwners(int part) {
        ElementOwners owners = new ElementOwners(reader, tables.elements(part));
        while (owners.next()) {
            long id = owners.id();
            String where = tables.elements(part).name().toString();
            if (ids.isShared(id)) {
                findings.add(where, Layout.elementsOf(id), "two keys claim these elements");
            } else if (!ids.contains(id)
                    && reader.read(tables.garbage(part), Layout.garbage(id)).isEmpty()) {
                findings.add(where, Layout.elementsOf(id), "elements belong to no key and are not noted as garbage");
            }
        }
    }

    private void checkGarbage(Table garbage) {
        try (Cursor rows = reader.scan(garbage, Layout.garbage())) {
            while (rows.next()) {
                if (ids.contains(Layout.garbageId(rows.key()))) {
                    findings.add(
                            garbage.name().toString(),
                            rows.key(),
                            "elements that belong to a key are noted as garbage");
                } else {
                    checkReadable(garbage, rows);
                }
            }
        }
    }

    private void checkReadable(Table garbage, Cursor row) {
        try {
            var unused = GarbageNote.decode(tables, garbage, row);
        } catch (StoreException damaged) {
            findings.add(garbage.name().toString(), row.key(), "a garbage row cannot be read: " + damaged.getMessage());
        }
    }

    private String where(int physical) {
        int database = databases.database(physical);
        return database >= 0 ? "database " + database : "flushed database " + physical;
    }
}
