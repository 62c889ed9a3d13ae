package io.polytable.redis.model.hash;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.change.EventClass;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.keyspace.Compaction;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.number.LongDouble;
import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.number.Overflow;
import io.polytable.redis.model.packing.Packing;
import io.polytable.redis.model.packing.PackingLimits;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.row.InsertionOrder;
import io.polytable.redis.model.row.Page;
import io.polytable.redis.model.row.RingRow;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Operations on hashes: one row per field, and the number of fields in the header. Changing a field writes one row; the
 * header is written only when the number changes. While Redis would pack the hash, fields come in the order in which
 * they were added, which the header keeps ({@link InsertionOrder}); later in that of their keyed hash.
 */
public final class Hashes {
    /** Marks in the header's own fields that Redis would use a table by now, and would not pack the hash again. */
    private static final Bytes WIDE = Bytes.of(new byte[] {1});

    /** Up to this size HSCAN returns a hash in one step, as Redis does while the hash is packed. */
    private static final int SMALL_FIELDS_MAX = 512;

    private static final long SMALL_BYTES_MAX = 64 << 10;

    private static final KeyEvent HSET = event("hset");
    private static final KeyEvent HINCRBY = event("hincrby");
    private static final KeyEvent HINCRBYFLOAT = event("hincrbyfloat");
    private static final KeyEvent HDEL = event("hdel");

    private static KeyEvent event(String name) {
        return new KeyEvent(EventClass.HASH, name);
    }

    private final Supplier<Packing> packing;

    public Hashes() {
        this(PackingLimits.STANDARD::hash);
    }

    /** Asks for the limits in each call, since they can be configured. */
    public Hashes(Supplier<Packing> packing) {
        this.packing = packing;
    }

    /** Whether Redis is known to use a table for the hash, though it may be small again. */
    public static boolean isWide(CollectionHeader hash) {
        return hash.fields().equals(WIDE);
    }

    /** The header after the given fields and values were written, of which the {@code added} fields are new. */
    private CollectionHeader grown(CollectionHeader header, Elements elements, List<Bytes> added, List<Bytes> pairs) {
        CollectionHeader next = added.isEmpty() ? header : header.withSize(header.size() + added.size());
        if (isWide(header)) {
            return next;
        }
        if (widens(packing.get(), next.size(), pairs)) {
            return next.withFields(WIDE);
        }
        if (header.size() == 0) {
            return InsertionOrder.of(elements, added).in(next);
        }
        return added.isEmpty()
                ? next
                : InsertionOrder.of(header)
                        .map(order -> order.plus(elements, added).in(next))
                        .orElse(next);
    }

    private static boolean widens(Packing limits, long size, List<Bytes> pairs) {
        if (size > limits.elements() || pairs.size() / 2 > limits.elements()) {
            return true;
        }
        for (int i = 0; i < pairs.size(); i++) {
            if (limits.isTooLong(pairs.get(i))) {
                return true;
            }
        }
        return false;
    }

    public Optional<Bytes> get(Space space, Bytes key, Bytes field) {
        Optional<CollectionHeader> header = header(space, key);
        return header.isEmpty()
                ? Optional.empty()
                : elements(space, header.get()).get(field);
    }

    /** One answer per field. */
    public List<Optional<Bytes>> getMany(Space space, Bytes key, List<Bytes> fields) {
        Optional<CollectionHeader> header = header(space, key);
        if (header.isPresent()) {
            return elements(space, header.get()).getMany(fields);
        }
        return fields.stream().map(field -> Optional.<Bytes>empty()).toList();
    }

    /** Fields and values alternate; returns how many fields are new. */
    public long put(Space space, Bytes key, List<Bytes> pairs) {
        CollectionHeader header = space.collectionOrNew(key, Type.HASH);
        Elements elements = elements(space, header);
        List<Bytes> added = header.size() == 0 ? putFirst(elements, pairs) : putMore(elements, pairs);
        CollectionHeader next = grown(header, elements, added, pairs);
        if (!next.equals(header)) {
            space.put(key, next);
        }
        space.changed(key, HSET);
        return added.size();
    }

    /** Replaces whatever the key held by these fields and values, no field twice. */
    public void store(Space space, Bytes key, List<Bytes> pairs) {
        CollectionHeader header = space.newCollection(key, Type.HASH);
        Elements elements = elements(space, header);
        List<Bytes> fields = new ArrayList<>(pairs.size() / 2);
        for (int i = 0; i < pairs.size(); i += 2) {
            fields.add(pairs.get(i));
            elements.put(pairs.get(i), pairs.get(i + 1));
        }
        space.put(key, grown(header, elements, fields, pairs));
    }

    /** A new hash has no fields yet, so the lookup is skipped. */
    private static List<Bytes> putFirst(Elements elements, List<Bytes> pairs) {
        if (pairs.size() == 2) {
            elements.put(pairs.get(0), pairs.get(1));
            return List.of(pairs.get(0));
        }
        Set<Bytes> fields = new LinkedHashSet<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            fields.add(pairs.get(i));
            elements.put(pairs.get(i), pairs.get(i + 1));
        }
        return List.copyOf(fields);
    }

    private static List<Bytes> putMore(Elements elements, List<Bytes> pairs) {
        List<Bytes> added = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            if (!elements.replace(pairs.get(i), pairs.get(i + 1))) {
                added.add(pairs.get(i));
            }
        }
        return added;
    }

    public boolean putIfAbsent(Space space, Bytes key, Bytes field, Bytes value) {
        CollectionHeader header = space.collectionOrNew(key, Type.HASH);
        Elements elements = elements(space, header);
        if (old(header, elements, field).isPresent()) {
            return false;
        }
        elements.put(field, value);
        space.put(key, grown(header, elements, List.of(field), List.of(field, value)));
        space.changed(key, HSET);
        return true;
    }

    private static Optional<Bytes> old(CollectionHeader header, Elements elements, Bytes field) {
        return header.size() == 0 ? Optional.empty() : elements.get(field);
    }

    /** Removes fields and answers how many existed; without fields the key goes too. */
    public long remove(Space space, Bytes key, List<Bytes> fields) {
        Optional<CollectionHeader> header = header(space, key);
        if (header.isEmpty()) {
            return 0;
        }
        Elements elements = elements(space, header.get());
        List<Bytes> removed = fields.stream().filter(elements::remove).toList();
        if (!removed.isEmpty()) {
            space.changed(key, HDEL);
            CollectionHeader left = elements.without(header.get(), removed);
            space.put(key, Compaction.after(space, key, left, ElementKind.HASH_FIELD, removed.size()));
        }
        return removed.size();
    }

    public long size(Space space, Bytes key) {
        return header(space, key).map(CollectionHeader::size).orElse(0L);
    }

    /** Visits all fields with their values. */
    public void forEach(Space space, Bytes key, BiConsumer<Bytes, Bytes> viewer) {
        Optional<CollectionHeader> header = header(space, key);
        if (header.isPresent()) {
            InsertionOrder.forEach(header.get(), elements(space, header.get()), viewer);
        }
    }

    /** Adds to the integer in a field, 0 when absent, and answers the sum. */
    public long add(Space space, Bytes key, Bytes field, long delta) {
        Bytes text = change(space, key, field, HINCRBY, old -> {
            try {
                return Numbers.format(Math.addExact(old.map(Hashes::number).orElse(0L), delta));
            } catch (ArithmeticException overflow) {
                throw Overflow.ofInteger();
            }
        });
        return number(text);
    }

    public Bytes addFloat(Space space, Bytes key, Bytes field, LongDouble delta) {
        return change(space, key, field, HINCRBYFLOAT, old -> {
            LongDouble sum = old.map(Hashes::floating).orElse(LongDouble.ZERO).plus(delta);
            if (!sum.isFinite()) {
                throw Overflow.ofFloat();
            }
            return sum.format();
        });
    }

    private Bytes change(Space space, Bytes key, Bytes field, KeyEvent event, Function<Optional<Bytes>, Bytes> next) {
        CollectionHeader header = space.collectionOrNew(key, Type.HASH);
        Elements elements = elements(space, header);
        Optional<Bytes> old = old(header, elements, field);
        Bytes value = next.apply(old);
        elements.put(field, value);
        CollectionHeader grown =
                grown(header, elements, old.isEmpty() ? List.of(field) : List.of(), List.of(field, value));
        if (!grown.equals(header)) {
            space.put(key, grown);
        }
        space.changed(key, event);
        return value;
    }

    private static long number(Bytes value) {
        return Numbers.parseLong(value).orElseThrow(() -> new RedisError("hash value is not an integer"));
    }

    private static LongDouble floating(Bytes value) {
        return LongDouble.parse(value).orElseThrow(() -> new RedisError("hash value is not a float"));
    }

    /**
     * One step of HSCAN. As in Redis a small hash is returned whole, whatever cursor and count say: clients rely on
     * one step being enough for it.
     */
    public Page scan(Space space, Bytes key, long cursor, long count) {
        Optional<CollectionHeader> header = header(space, key);
        if (header.isEmpty()) {
            return Page.NOTHING;
        }
        Elements elements = elements(space, header.get());
        if (header.get().size() <= SMALL_FIELDS_MAX) {
            Optional<Page> whole = wholeIfSmall(header.get(), elements);
            if (whole.isPresent()) {
                return whole.get();
            }
        }
        return elements.page(cursor, count);
    }

    private static Optional<Page> wholeIfSmall(CollectionHeader header, Elements elements) {
        List<RingRow> rows = new ArrayList<>();
        long bytes = 0;
        try (Cursor cursor = elements.scan(Direction.FORWARD, Long.MAX_VALUE)) {
            while (cursor.next()) {
                RingRow row = new RingRow(elements.sub(cursor), cursor.value());
                bytes += row.sub().length() + row.value().length();
                if (bytes > SMALL_BYTES_MAX) {
                    return Optional.empty();
                }
                rows.add(row);
            }
        }
        return Optional.of(new Page(InsertionOrder.sorted(header, rows), 0));
    }

    static Optional<CollectionHeader> header(Space space, Bytes key) {
        return space.collection(key, Type.HASH);
    }

    static Elements elements(Space space, CollectionHeader header) {
        return space.elements(header, ElementKind.HASH_FIELD);
    }
}
