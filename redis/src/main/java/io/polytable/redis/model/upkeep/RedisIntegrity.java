package io.polytable.redis.model.upkeep;

import io.polytable.frontend.Progress;
import io.polytable.redis.model.keyspace.Databases;
import io.polytable.redis.model.keyspace.KeyRows;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreException;
import io.polytable.table.Stripes;
import io.polytable.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One walk over the rows of a key space that verifies their consistency, and on request repairs what it finds:
 *
 * <ul>
 *   <li>each key is where its bytes say, and its header can be decoded;
 *   <li>a collection's size is the number of its elements, and its id is its own;
 *   <li>a sorted set's order rows and fences match its members;
 *   <li>deadlines and expiry rows match;
 *   <li>elements belong to an existing collection or to noted garbage, and never to both;
 *   <li>garbage rows can be decoded.
 * </ul>
 *
 * <p>Headers and members are authoritative, everything else is rebuilt from them (sizes, expiry rows, the order and fences
 * of lists and sorted sets). Unreachable rows are moved to their place or deleted. A header that cannot be decoded is left
 * for a person to look at, with its row in the order of deadlines; and while there is one, orphaned elements are kept
 * too: they may belong to it.
 *
 * <p>A verification runs on a snapshot, while clients continue. A repair holds all stripes, takes many commits, and can be
 * interrupted and restarted at any point.
 */
public final class RedisIntegrity {
    private static final int REPORT_EVERY = 1000;

    private final RedisTables tables;
    private final Reader reader;
    private final Databases databases;
    private final Optional<KeyRepair> repair;
    private final Progress progress;
    private final FindingCollector findings = new FindingCollector();
    private final CollectionIds ids = new CollectionIds();
    private long total;
    private long done;
    private long keyCount;
    private long elementCount;
    private boolean isAllReadable = true;

    private RedisIntegrity(Keyspace keyspace, Reader reader, boolean repairs, Progress progress) {
        this.tables = keyspace.tables();
        this.reader = reader;
        this.progress = progress;
        databases = tables.databases(reader);
        repair = repairs ? Optional.of(new KeyRepair(keyspace, reader, databases)) : Optional.empty();
    }

    public static CheckReport verify(Keyspace keyspace, Progress progress) {
        return walk(keyspace, false, progress);
    }

    /** Repairs what can be repaired. */
    public static RepairReport repair(Keyspace keyspace, Progress progress) {
        Stripes stripes = keyspace.store().stripes();
        stripes.lockEverything();
        try {
            CheckReport before = walk(keyspace, true, progress);
            return new RepairReport(before, before.isClean() ? before : verify(keyspace, Progress.NONE));
        } finally {
            stripes.unlockEverything();
        }
    }

    private static CheckReport walk(Keyspace keyspace, boolean repairs, Progress progress) {
        try (Snapshot snapshot = keyspace.store().snapshot()) {
            return new RedisIntegrity(keyspace, snapshot, repairs, progress).run();
        }
    }

    private CheckReport run() {
        total = countKeys();
        try (KeyRows keys = new KeyRows(tables, reader)) {
            while (keys.next()) {
                visit(keys);
                repair.ifPresent(KeyRepair::commit);
                keyCount++;
                if (++done % REPORT_EVERY == 0) {
                    progress.at(done, total);
                }
            }
        }
        tables.expiryTables().forEach(this::visitExpiries);
        for (int part = 0; part < tables.partCount(); part++) {
            visitOwners(part);
        }
        tables.garbageTables().forEach(this::visitGarbage);
        progress.at(total, total);
        return findings.report(keyCount, elementCount);
    }

    /** In a repair the elements count too: large lists and sorted sets take most of its time. */
    private long countKeys() {
        long count = 0;
        try (KeyRows keys = new KeyRows(tables, reader)) {
            while (keys.next()) {
                count += 1 + (repair.isPresent() ? sizeOf(keys) : 0);
            }
        }
        return count;
    }

    private static long sizeOf(KeyRows keys) {
        try {
            return Header.decode(keys.value()) instanceof CollectionHeader collection ? collection.size() : 0;
        } catch (StoreException damaged) {
            return 0;
        }
    }

    private void visit(KeyRows keys) {
        KeyPlace place = KeyPlace.of(tables, keys);
        String where = where(place.physical());
        boolean misplaced = keys.part() != place.part() || !place.row().bytes().equals(keys.row());
        if (misplaced) {
            findings.add(where, place.key(), "its row is where no reader looks for it");
        }
        Header header;
        try {
            header = Header.decode(keys.value());
        } catch (StoreException damaged) {
            findings.add(where, place.key(), "its header cannot be read: " + damaged.getMessage());
            isAllReadable = false;
            return;
        }
        if (misplaced && repair.isPresent()) {
            KeyRepair.Moved moved = repair.get().move(keys, place, header);
            isAllReadable &= moved != KeyRepair.Moved.IMPOSSIBLE;
            if (moved != KeyRepair.Moved.DONE) {
                return;
            }
        }
        if (header.hasDeadline() && databases.isLive(place.physical()) && !hasExpiryRow(place, header.expireAt())) {
            findings.add(where, place.key(), "its deadline has no row in the order of deadlines");
            repair.ifPresent(repairs -> repairs.putDeadline(place, header));
        }
        if (header instanceof CollectionHeader collection) {
            visit(place, where, collection);
        }
    }

    private void visit(KeyPlace place, String where, CollectionHeader collection) {
        ids.add(collection.id());
        elementCount += collection.size();
        List<String> problems = new ArrayList<>();
        new CollectionCheck(tables, reader, collection, problems::add).run();
        problems.forEach(problem -> findings.add(where, place.key(), problem));
        if (repair.isPresent()) {
            if (!problems.isEmpty()) {
                // A sorted set is walked over twice, once for the order and once for the fences.
                repair.get().rebuild(place, collection, twice -> progress.at(done + twice / 2, total));
            }
            done += collection.size();
        }
    }

    private boolean hasExpiryRow(KeyPlace place, long deadline) {
        return reader.read(tables.expiries(place.part()), Layout.expiry(deadline, place.physical(), place.key()))
                .isPresent();
    }

    private void visitExpiries(Table expiries) {
        try (Cursor rows = reader.scan(expiries, KeyRange.ALL)) {
            while (rows.next()) {
                ExpiryRow row = ExpiryRow.of(expiries, rows.key());
                if (!databases.isLive(row.physical())) {
                    continue;
                }
                if (row.isStray(tables, reader)) {
                    findings.add(
                            where(row.physical()), row.key(), "a row in the order of deadlines is not its deadline");
                }
                // Keys may have been repaired since the snapshot.
                if (repair.isPresent() && row.isStray(tables, tables.store())) {
                    repair.get().delete(expiries, rows.key());
                }
            }
        }
    }

    /** Visits each id that has elements in the table. */
    private void visitOwners(int part) {
        Table elements = tables.elements(part);
        ElementOwners owners = new ElementOwners(reader, elements);
        while (owners.next()) {
            long id = owners.id();
            String where = elements.name().toString();
            if (ids.isShared(id)) {
                findings.add(where, Layout.elementsOf(id), "two keys claim these elements");
            } else if (!ids.contains(id)
                    && reader.read(tables.garbage(part), Layout.garbage(id)).isEmpty()) {
                findings.add(where, Layout.elementsOf(id), "elements belong to no key and are not noted as garbage");
                if (isAllReadable) {
                    repair.ifPresent(repairs -> repairs.deleteElements(elements, id));
                }
            }
        }
    }

    private void visitGarbage(Table garbage) {
        String where = garbage.name().toString();
        try (Cursor rows = reader.scan(garbage, Layout.garbage())) {
            while (rows.next()) {
                if (ids.contains(Layout.garbageId(rows.key()))) {
                    findings.add(where, rows.key(), "elements that belong to a key are noted as garbage");
                    repair.ifPresent(repairs -> repairs.delete(garbage, rows.key()));
                    continue;
                }
                try {
                    var unused = GarbageNote.decode(tables, garbage, rows);
                } catch (StoreException damaged) {
                    findings.add(where, rows.key(), "a garbage row cannot be read: " + damaged.getMessage());
                    if (isAllReadable) {
                        repair.ifPresent(repairs -> repairs.deleteGarbage(garbage, rows.key()));
                    }
                }
            }
        }
    }

    private String where(int physical) {
        int database = databases.database(physical);
        return database >= 0 ? "database " + database : "flushed database " + physical;
    }
}
