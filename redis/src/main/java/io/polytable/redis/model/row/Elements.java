package io.polytable.redis.model.row;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.write.WriteSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The rows of one kind of one collection, from sub-key to value, read and written through a unit of work. */
public final class Elements {
    private final WriteSet writes;
    private final Table table;
    private final KeyedHash keyedHash;
    private final long id;
    private final ElementKind kind;

    // The row used last. A command reads an element and then writes it: this hashes and encodes its key once for both.
    private Bytes lastSub = Bytes.EMPTY;
    private @Nullable RowKey lastRow;

    public Elements(WriteSet writes, Table table, KeyedHash keyedHash, long id, ElementKind kind) {
        this.writes = writes;
        this.table = table;
        this.keyedHash = keyedHash;
        this.id = id;
        this.kind = kind;
    }

    public Optional<Bytes> get(Bytes sub) {
        return writes.read(table, row(sub));
    }

    /** One answer per sub-key, in the order asked. */
    public List<Optional<Bytes>> getMany(List<Bytes> subs) {
        List<RowKey> rows = new ArrayList<>(subs.size());
        for (Bytes sub : subs) {
            rows.add(row(sub));
        }
        return writes.readMany(table, rows);
    }

    public void put(Bytes sub, Bytes value) {
        writes.put(table, row(sub), value);
    }

    public void delete(Bytes sub) {
        writes.delete(table, row(sub));
    }

    /** Puts the row and answers whether there was one before. */
    public boolean replace(Bytes sub, Bytes value) {
        boolean wasThere = get(sub).isPresent();
        put(sub, value);
        return wasThere;
    }

    /** Puts the row if it is absent, and answers whether it was. */
    public boolean putIfAbsent(Bytes sub, Bytes value) {
        boolean isNew = get(sub).isEmpty();
        if (isNew) {
            put(sub, value);
        }
        return isNew;
    }

    /** Deletes the row if it is present, and answers whether it was. */
    public boolean remove(Bytes sub) {
        boolean wasThere = get(sub).isPresent();
        if (wasThere) {
            delete(sub);
        }
        return wasThere;
    }

    /** The header after these elements, all of which were there, were removed. */
    public CollectionHeader without(CollectionHeader header, List<Bytes> removed) {
        CollectionHeader left = header.withSize(header.size() - removed.size());
        return InsertionOrder.of(header)
                .map(order -> order.minus(this, removed).in(left))
                .orElse(left);
    }

    /** All rows: in the order of sub-keys, or for a hash-ordered kind in the order of their hashes. */
    public Cursor scan(Direction direction, long limit) {
        return writes.scan(table, all(), direction, limit);
    }

    /** The rows from one sub-key (inclusive) to another (exclusive, empty: to the end). Not for hash-ordered kinds. */
    public Cursor scan(Bytes from, Bytes to, Direction direction, long limit) {
        return writes.scan(table, between(from, to), direction, limit);
    }

    /** Deletes the rows between two sub-keys, as {@link #scan} bounds them. Not for hash-ordered kinds. */
    public void deleteRange(Bytes from, Bytes to) {
        writes.deleteRange(table, between(from, to));
    }

    /** The sub-key of the cursor's current row. */
    public Bytes sub(Cursor cursor) {
        return cursor.key().from(kind.hashOrdered() ? Layout.ELEMENT_PREFIX + KeyedHash.BYTES : Layout.ELEMENT_PREFIX);
    }

    /** As {@link #sub}, for callers that do not keep the sub-key: it is not charged as read. */
    public Bytes subUncharged(Cursor cursor) {
        Bytes row = cursor.keySlice().toBytes();
        return row.from(kind.hashOrdered() ? Layout.ELEMENT_PREFIX + KeyedHash.BYTES : Layout.ELEMENT_PREFIX);
    }

    /** One step of a SCAN over a hash-ordered kind. Cursor 0 starts the scan; an answered cursor 0 ends it. */
    public Page page(long cursor, long count) {
        return ring().page(cursor, count);
    }

    /** A random row of a hash-ordered kind: with equal chance in collections up to 64, nearly so in larger ones. */
    public Optional<RingRow> random(RandomGenerator random) {
        return ring().random(random);
    }

    /**
     * Rows of a hash-ordered kind from a random position on; they are neighbours in no other order. After
     * {@code least} rows, it stops once their values reach {@code valueBytesMax}.
     */
    List<RingRow> window(int place, int least, int most, long valueBytesMax) {
        return ring().window(place, least, most, valueBytesMax);
    }

    /** The hash that orders the rows of a hash-ordered kind. */
    int hash(Bytes sub) {
        return keyedHash.of(sub);
    }

    /** The id of the collection; it is never reused. */
    long id() {
        return id;
    }

    private HashRing ring() {
        if (!kind.hashOrdered()) {
            throw new IllegalStateException("rows of " + kind + " are in the order of their sub-keys");
        }
        return new HashRing(writes, table, all().partition());
    }

    private KeyRange all() {
        return Layout.elements(id, kind);
    }

    private KeyRange between(Bytes from, Bytes to) {
        if (kind.hashOrdered()) {
            throw new IllegalStateException("rows of " + kind + " are not in the order of their sub-keys");
        }
        Bytes upper = to.isEmpty() ? all().to() : Layout.element(id, kind, to).bytes();
        return new KeyRange(Layout.element(id, kind, from).bytes(), upper, Layout.ELEMENT_PREFIX);
    }

    @SuppressWarnings("ReferenceEquality") // another object of the same bytes is encoded again, which does no harm
    private RowKey row(Bytes sub) {
        RowKey row = lastRow;
        if (row == null || lastSub != sub) {
            row = kind.hashOrdered()
                    ? Layout.hashOrderedElement(id, kind, keyedHash.of(sub), sub)
                    : Layout.element(id, kind, sub);
            lastSub = sub;
            lastRow = row;
        }
        return row;
    }
}
