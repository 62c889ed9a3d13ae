package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.change.UnitChanges;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Layout;
import io.polytable.redis.model.row.Segments;
import io.polytable.redis.model.row.StringHeader;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.write.WriteSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One database seen through one {@link UnitOfWork}: the first parameter of every method of the model. Reads see what
 * the same unit wrote. A key's header is replaced only here, so that the row of its deadline, the garbage of its old
 * value and the count of keys change in the same batch.
 */
public final class Space {
    private final UnitOfWork unit;
    private final RedisTables tables;
    private final WriteSet writes;
    private final int database;
    private int physical;

    // The header read last. Commands read a key and then change it: this makes it one read.
    private Bytes seenKey = Bytes.EMPTY;
    private @Nullable Header seen;
    private @Nullable RowKey seenRow;
    private int seenPart;
    private int seenEpoch = -1;

    private boolean noNotify;

    /** Whether the current lookup does not count as a use of the key (Redis' LOOKUP_NOTOUCH). */
    private boolean noTouch;

    Space(UnitOfWork unit, int database) {
        this.unit = unit;
        this.tables = unit.tables();
        this.writes = unit.writes();
        this.database = database;
    }

    public long nowMillis() {
        return unit.nowMillis();
    }

    /** Whether a new deadline has passed already, so that it removes the key. */
    public boolean isPast(long deadlineMillis) {
        return unit.isPast(deadlineMillis);
    }

    public int database() {
        return database;
    }

    /** The first byte of this database's rows. */
    int physicalDatabase() {
        return unit.databases().physical(database);
    }

    public UnitOfWork unit() {
        return unit;
    }

    public Optional<Header> header(Bytes key) {
        return Optional.ofNullable(stored(key));
    }

    /** As {@link #headerNoTouch}, and reports no miss: for commands that ask about a key, not for its value. */
    public Optional<Header> peek(Bytes key) {
        noNotify = true;
        try {
            return headerNoTouch(key);
        } finally {
            noNotify = false;
        }
    }

    /** As {@link #header}, but not a use of the key: for commands that ask when it expires, or whether it exists. */
    public Optional<Header> headerNoTouch(Bytes key) {
        noTouch = true;
        try {
            return header(key);
        } finally {
            noTouch = false;
        }
    }

    /** The last use of the key by a command, in seconds since 1970; zero when unknown. */
    public long lastUseSeconds(Bytes key) {
        return tables.uses().seconds(physicalDatabase(), tables.keyedHash().of(key));
    }

    /** Sets the key's last use to so many seconds ago. */
    public void usedBefore(Bytes key, long seconds) {
        long then = Math.max(0, unit.nowMillis() / 1000 - seconds);
        tables.uses().mark(physicalDatabase(), tables.keyedHash().of(key), then);
    }

    /**
     * The key's whole string, whether in its header or in segments.
     *
     * @throws RedisError WRONGTYPE when the key holds something else
     */
    public Optional<Bytes> string(Bytes key) {
        return stringHeader(key).map(StringHeader::value);
    }

    /**
     * The key's string with its deadline.
     *
     * @throws RedisError WRONGTYPE when the key holds something else
     */
    public Optional<StringHeader> stringHeader(Bytes key) {
        Header header = stored(key);
        if (header == null) {
            return Optional.empty();
        }
        if (header instanceof StringHeader string) {
            return Optional.of(string);
        }
        if (header.type() == Type.STRING && header instanceof CollectionHeader segmented) {
            return Optional.of(new StringHeader(header.expireAt(), joined(segmented)));
        }
        throw RedisError.WRONG_TYPE;
    }

    /** All bytes of a string in segments. */
    private Bytes joined(CollectionHeader string) {
        keep(string.size());
        return Bytes.of(segments(string).read(0, (int) string.size()));
    }

    /** The rows of a string in segments. */
    public Segments segments(CollectionHeader string) {
        return new Segments(writes, tables.elements(string.home()), string.id());
    }

    /**
     * Charges bytes to the read budget before a reply is built from them.
     *
     * @throws RedisError OOM when all running commands would hold too much
     */
    public void keep(long bytes) {
        unit.keeps(bytes);
    }

    /** The string of each key, absent where the key holds none; one read per table. */
    public List<Optional<Bytes>> strings(List<Bytes> keys) {
        List<Optional<Bytes>> values = new ArrayList<>(Collections.nCopies(keys.size(), Optional.empty()));
        int inDatabase = physicalDatabase();
        int[] parts = keys.stream().mapToInt(tables::part).toArray();
        int[] places = new int[parts.length];
        int[] hashes = new int[parts.length];
        for (int part = 0; part < tables.partCount(); part++) {
            List<RowKey> rows = new ArrayList<>();
            for (int i = 0; i < parts.length; i++) {
                if (parts[i] == part) {
                    Bytes key = keys.get(i);
                    places[rows.size()] = i;
                    hashes[rows.size()] = tables.keyedHash().of(key);
                    rows.add(Layout.key(inDatabase, hashes[rows.size()], key));
                }
            }
            if (!rows.isEmpty()) {
                List<Optional<Bytes>> found = writes.readMany(tables.keys(part), rows);
                for (int i = 0; i < found.size(); i++) {
                    used(inDatabase, hashes[i]);
                    values.set(places[i], liveString(keys.get(places[i]), found.get(i)));
                }
            }
        }
        return values;
    }

    private Optional<Bytes> liveString(Bytes key, Optional<Bytes> row) {
        Header header = row.map(Header::decode).orElse(null);
        boolean alive = header != null && !unit.isExpired(header);
        if (header != null && !alive) {
            unit.removeExpired(database, key);
        }
        unit.looked(database, key, alive, noNotify);
        if (!alive || header == null || header.type() != Type.STRING) {
            return Optional.empty();
        }
        return Optional.of(header instanceof StringHeader string ? string.value() : joined((CollectionHeader) header));
    }

    /**
     * The key's collection.
     *
     * @throws RedisError WRONGTYPE when the key holds something else
     */
    public Optional<CollectionHeader> collection(Bytes key, Type type) {
        Header header = stored(key);
        if (header == null) {
            return Optional.empty();
        }
        if (header.type() == type && header instanceof CollectionHeader collection) {
            return Optional.of(collection);
        }
        throw RedisError.WRONG_TYPE;
    }

    /**
     * The key's collection, or a new empty one that exists only once it is {@link #put}.
     *
     * @throws RedisError WRONGTYPE when the key holds something else
     */
    public CollectionHeader collectionOrNew(Bytes key, Type type) {
        return collection(key, type).orElseGet(() -> newCollection(key, type));
    }

    /** A new empty collection for the key, whatever it holds now; it exists only once it is {@link #put}. */
    public CollectionHeader newCollection(Bytes key, Type type) {
        return new CollectionHeader(type, Header.NEVER, tables.store().ticket(), tables.part(key), 0, Bytes.EMPTY);
    }

    /** Sets the string, whatever the key held; {@link Header#NEVER} for no deadline. */
    public void putString(Bytes key, Bytes value, long expireAt) {
        put(key, new StringHeader(expireAt, value));
    }

    /** As {@link #putString}, with the form where it does not follow from the value alone. */
    public void putString(Bytes key, Bytes value, long expireAt, StringHeader.Form form) {
        put(key, StringHeader.of(expireAt, value, form));
    }

    /**
     * Replaces the key's header. Removes a collection without elements, since Redis has none but empty streams. Also
     * removes a key that is expired from the start: nobody could see it, and expiry looks only for deadlines to come.
     */
    public void put(Bytes key, Header next) {
        if (next instanceof CollectionHeader collection && collection.isOver()) {
            replace(key, null, KeyEvent.DEL);
        } else if (unit.isExpired(next)) {
            replace(key, null, KeyEvent.UNNAMED);
        } else {
            replace(key, next, KeyEvent.UNNAMED);
        }
    }

    /**
     * Replaces the header of an existing key by an equivalent one; clients see no difference and listeners no change.
     */
    public void putUnnoticed(Bytes key, Header same) {
        Header old = stored(key);
        if (old == null || old.expireAt() != same.expireAt()) {
            throw new IllegalStateException("the key is not there, or changes its deadline");
        }
        writes.put(tables.keys(seenPart), row(key), same.rowHead(), same.rowTail());
        seen = same;
    }

    /** Makes the next lookup count, as in Redis, even if it is of the same key. */
    public void countNextLookup() {
        seenEpoch = -1;
    }

    /** Removes the key with its value. */
    public boolean remove(Bytes key) {
        return replace(key, null, KeyEvent.DEL);
    }

    /** Removes the key because the data exceeds its limit; false when it is gone. */
    public boolean evict(Bytes key) {
        noTouch = true;
        try {
            boolean removed = replace(key, null, KeyEvent.EVICTED);
            if (removed) {
                unit.evicts();
            }
            return removed;
        } finally {
            noTouch = false;
        }
    }

    /** How often the key was used, from 0 to 255. */
    public int frequency(Bytes key) {
        return tables.uses().frequency(physicalDatabase(), tables.keyedHash().of(key), unit.nowMillis());
    }

    public void usedAsOften(Bytes key, int frequency) {
        tables.uses().frequency(physicalDatabase(), tables.keyedHash().of(key), unit.nowMillis(), frequency);
    }

    /**
     * Reports the event of a change to listeners. Report an event that adds after the header was put, one that removes
     * before; {@link io.polytable.redis.model.change} says why.
     */
    public void changed(Bytes key, KeyEvent event) {
        unit.countChange(key);
        if (unit.changes().isRecording()) {
            Header holds = stored(key);
            unit.changes().key(database, key, event, holds == null ? null : holds.type());
        }
    }

    /** Reports a miss in a command that writes, but reads this key first, such as GETDEL. */
    public void missed(Bytes key) {
        if (unit.isWriting()) {
            unit.changes().missed(database, key);
        }
    }

    /** Removes the keys and answers how many existed; one named twice counts once. */
    public long removeAll(List<Bytes> keys) {
        long removed = 0;
        for (Bytes key : keys) {
            removed += remove(key) ? 1 : 0;
        }
        return removed;
    }

    /** The number of the keys that exist; one named twice counts twice. Not a use of them. */
    public long countPresent(List<Bytes> keys) {
        long present = 0;
        for (Bytes key : keys) {
            // As in Redis, a key named twice is looked up twice.
            countNextLookup();
            present += headerNoTouch(key).isPresent() ? 1 : 0;
        }
        return present;
    }

    /** Marks the keys as used, even if the client's lookups do not; returns how many exist. */
    public long touch(List<Bytes> keys) {
        for (Bytes key : keys) {
            usedBefore(key, 0);
        }
        return countPresent(keys);
    }

    /** Removes the key but not its elements, which now belong to a header under another key. */
    void moveAway(Bytes key) {
        Header old = stored(key);
        if (old != null) {
            write(key, old, null, KeyEvent.UNNAMED);
        }
    }

    public Elements elements(CollectionHeader header, ElementKind kind) {
        return new Elements(writes, tables.elements(header.home()), tables.keyedHash(), header.id(), kind);
    }

    /** Runs the action after the commit, if there is one: for state beside the rows that must follow them. */
    public void afterCommit(Runnable action) {
        writes.afterCommit(action);
    }

    /** The number of keys of the database. */
    public long size() {
        return unit.keyCount(physicalDatabase());
    }

    /** The number of its keys with a deadline, as of the last commit. */
    public long expiringCount() {
        return unit.expiringCount(physicalDatabase());
    }

    /** The average time to live of those keys. */
    public long averageLifeMillis() {
        return unit.averageLifeMillis(physicalDatabase());
    }

    private boolean replace(Bytes key, @Nullable Header next, KeyEvent removal) {
        Header old = stored(key);
        if (old instanceof CollectionHeader gone
                && !(next instanceof CollectionHeader kept && kept.id() == gone.id())) {
            unit.addGarbage(gone);
        }
        write(key, old, next, removal);
        return old != null;
    }

    private void write(Bytes key, @Nullable Header old, @Nullable Header next, KeyEvent removal) {
        RowKey row = row(key);
        Table keys = tables.keys(seenPart);
        if (next != null) {
            writes.put(keys, row, next.rowHead(), next.rowTail());
        } else if (old != null) {
            writes.delete(keys, row);
        }
        moveDeadline(key, old, next);
        if ((old == null) != (next == null)) {
            unit.count(physical, old == null ? 1 : -1);
            if (old == null) {
                tables.uses().created(physical, tables.keyedHash().of(key), unit.nowMillis());
            }
        }
        seen = next;
        if (next != null || (old != null && !removal.equals(KeyEvent.EXPIRED))) {
            unit.countChange(key);
        }
        if (unit.changes().isRecording()) {
            note(key, old, next, removal);
        }
    }

    private void note(Bytes key, @Nullable Header old, @Nullable Header next, KeyEvent removal) {
        UnitChanges changes = unit.changes();
        if (next == null && old != null) {
            changes.key(database, key, removal, null);
        } else if (next != null && old == null) {
            changes.key(database, key, KeyEvent.NEW, next.type());
        } else if (next != null) {
            changes.touch(database, key, next.type());
        }
    }

    private void moveDeadline(Bytes key, @Nullable Header old, @Nullable Header next) {
        long from = old == null ? Header.NEVER : old.expireAt();
        long to = next == null ? Header.NEVER : next.expireAt();
        if (from == to) {
            return;
        }
        unit.moveDeadline(physical, from, to);
        if (from != Header.NEVER) {
            writes.delete(tables.expiries(seenPart), Layout.expiry(from, physical, key));
        }
        if (to != Header.NEVER) {
            writes.put(tables.expiries(seenPart), Layout.expiry(to, physical, key), Bytes.EMPTY);
        }
    }

    /** The live header. An expired one counts as absent, and a writer removes it. */
    private @Nullable Header stored(Bytes key) {
        if (seenEpoch == unit.epoch() && seenKey.equals(key)) {
            return seen;
        }
        int inDatabase = physicalDatabase();
        int part = tables.part(key);
        int hash = tables.keyedHash().of(key);
        RowKey row = Layout.key(inDatabase, hash, key);
        used(inDatabase, hash);
        Header found = writes.read(tables.keys(part), row).map(Header::decode).orElse(null);
        // Only after the read, and all together: when it fails, the key read before stays the one seen, with its row.
        physical = inDatabase;
        seenKey = key;
        seenEpoch = unit.epoch();
        seenPart = part;
        seenRow = row;
        seen = found;
        if (found instanceof CollectionHeader collection) {
            unit.owns(collection.id(), inDatabase, key);
        }
        if (seen != null && unit.isExpired(seen)) {
            expire(key);
        }
        unit.looked(database, key, seen != null, noNotify);
        return seen;
    }

    private void used(int inDatabase, int hash) {
        if (!noTouch && unit.marksUse()) {
            tables.uses().use(inDatabase, hash, unit.nowMillis());
        }
    }

    private void expire(Bytes key) {
        if (unit.isWriting() && !tables.removal().follows()) {
            unit.expires();
            replace(key, null, KeyEvent.EXPIRED);
        } else {
            seen = null;
            unit.removeExpired(database, key);
        }
    }

    /** The row of the key looked up last. */
    private RowKey row(Bytes key) {
        RowKey row = seenRow;
        if (row == null || !seenKey.equals(key)) {
            throw new IllegalStateException("key was not looked at before it was written");
        }
        return row;
    }
}
