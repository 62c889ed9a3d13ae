package io.polytable.redis.model.row;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * The order in which the elements of a small hash or set were added, in the header's own fields: a mark, then the keyed
 * hash of each element, oldest first, or nothing when the order is not known. The rows are sorted by the same hash, so the n-th smallest hash here belongs to
 * the n-th row, and readers put rows into order without looking anything up. Elements of equal hash, one pair in four
 * billion, come in the order of their bytes.
 *
 * <p>The order is advice, the rows are the elements: one that does not match the rows (an older version added some)
 * changes no reply but its order, and the next write drops it.
 */
public final class InsertionOrder {
    /** Larger collections keep no order: every addition writes the whole header. */
    public static final int ELEMENTS_MAX = 512;

    /** The first byte of the fields, for hashes and sets alike. On disk: never change it. */
    private static final byte MARK = 3;

    /** The order of a collection without elements. */
    public static final InsertionOrder NONE = new InsertionOrder(new int[0]);

    private final int[] hashes;

    private InsertionOrder(int[] hashes) {
        this.hashes = hashes;
    }

    /** The order in a header of a hash or set, if it has one. */
    public static Optional<InsertionOrder> of(CollectionHeader header) {
        if (!isKept(header)) {
            return Optional.empty();
        }
        Bytes fields = header.fields();
        int[] hashes = new int[(fields.length() - 1) / KeyedHash.BYTES];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = BigEndian.intAt(fields, 1 + i * KeyedHash.BYTES);
        }
        return Optional.of(new InsertionOrder(hashes));
    }

    public static boolean isKept(CollectionHeader header) {
        return !header.fields().isEmpty() && header.fields().at(0) == MARK;
    }

    /** The order of a collection that has only these elements. */
    public static InsertionOrder of(Elements elements, List<Bytes> subs) {
        return NONE.plus(elements, subs);
    }

    /** After these elements were added. */
    public InsertionOrder plus(Elements elements, List<Bytes> added) {
        return plus(hashes(elements, added));
    }

    public InsertionOrder plus(int... added) {
        int[] more = Arrays.copyOf(hashes, hashes.length + added.length);
        System.arraycopy(added, 0, more, hashes.length, added.length);
        return new InsertionOrder(more);
    }

    /** After these elements were removed. */
    public InsertionOrder minus(Elements elements, List<Bytes> removed) {
        return minus(hashes(elements, removed));
    }

    public InsertionOrder minus(int... removed) {
        int[] gone = removed.clone();
        Arrays.sort(gone);
        boolean[] used = new boolean[gone.length];
        return new InsertionOrder(
                Arrays.stream(hashes).filter(hash -> !take(gone, used, hash)).toArray());
    }

    /** The same order over other rows: unknown elements are dropped, missing ones come last. */
    public InsertionOrder over(int... rows) {
        int[] left = rows.clone();
        Arrays.sort(left);
        boolean[] used = new boolean[left.length];
        int[] kept =
                Arrays.stream(hashes).filter(hash -> take(left, used, hash)).toArray();
        return new InsertionOrder(kept).plus(new InsertionOrder(rows).minus(kept).hashes);
    }

    /** Takes one of the sorted numbers that was not used yet; false when there is none. */
    private static boolean take(int[] sorted, boolean[] used, int wanted) {
        int at = Arrays.binarySearch(sorted, wanted);
        while (at > 0 && sorted[at - 1] == wanted) {
            at--;
        }
        for (; at >= 0 && at < sorted.length && sorted[at] == wanted; at++) {
            if (!used[at]) {
                used[at] = true;
                return true;
            }
        }
        return false;
    }

    private static int[] hashes(Elements elements, List<Bytes> subs) {
        return subs.stream().mapToInt(elements::hash).toArray();
    }

    public boolean contains(int hash) {
        return Arrays.stream(hashes).anyMatch(each -> each == hash);
    }

    public int size() {
        return hashes.length;
    }

    /** Whether this is an order of the rows of the header's collection. One that is not known is. */
    public boolean isOf(CollectionHeader header, Reader reader, Table elements, ElementKind kind) {
        int[] named = hashes.clone();
        Arrays.sort(named);
        int[] rows = hashesOf(header, reader, elements, kind);
        Arrays.sort(rows);
        return named.length == 0 || Arrays.equals(named, rows);
    }

    /** The hashes of a collection's rows, or of some when there are more than can be in order. */
    public static int[] hashesOf(CollectionHeader header, Reader reader, Table elements, ElementKind kind) {
        IntStream.Builder hashes = IntStream.builder();
        KeyRange range = Layout.elements(header.id(), kind);
        try (Cursor rows = reader.scan(elements, range, Direction.FORWARD, ELEMENTS_MAX + 1L)) {
            while (rows.next()) {
                hashes.add(BigEndian.intAt(rows.key(), Layout.ELEMENT_PREFIX));
            }
        }
        return hashes.build().toArray();
    }

    public boolean isSameAs(InsertionOrder other) {
        return Arrays.equals(hashes, other.hashes);
    }

    /** The header with this order, or with the mark alone when this cannot be the order of its elements. */
    public CollectionHeader in(CollectionHeader header) {
        int length = hashes.length == header.size() && hashes.length <= ELEMENTS_MAX ? hashes.length : 0;
        byte[] fields = new byte[1 + length * KeyedHash.BYTES];
        fields[0] = MARK;
        for (int i = 0; i < length; i++) {
            BigEndian.putInt(fields, 1 + i * KeyedHash.BYTES, hashes[i]);
        }
        return header.withFields(Bytes.of(fields));
    }

    /** All rows: in this order if the header has one, otherwise in that of the hashes. */
    public static List<RingRow> rows(CollectionHeader header, Elements elements) {
        List<RingRow> rows = new ArrayList<>();
        walk(elements, (sub, value) -> rows.add(new RingRow(sub, value)));
        return sorted(header, rows);
    }

    /** Visits all rows as {@link #rows} orders them; those without an order are not collected first. */
    public static void forEach(CollectionHeader header, Elements elements, BiConsumer<Bytes, Bytes> viewer) {
        if (isKept(header)) {
            rows(header, elements).forEach(row -> viewer.accept(row.sub(), row.value()));
        } else {
            walk(elements, viewer);
        }
    }

    private static void walk(Elements elements, BiConsumer<Bytes, Bytes> viewer) {
        try (Cursor cursor = elements.scan(Direction.FORWARD, Long.MAX_VALUE)) {
            while (cursor.next()) {
                viewer.accept(elements.sub(cursor), cursor.value());
            }
        }
    }

    /** All rows of a collection, sorted by their hashes, in the order that its header has, if any. */
    public static List<RingRow> sorted(CollectionHeader header, List<RingRow> rows) {
        InsertionOrder order = of(header).orElse(NONE);
        if (order.size() != rows.size()) {
            return rows;
        }
        long[] places = new long[rows.size()];
        for (int place = 0; place < places.length; place++) {
            // Unsigned as the rows are, in the upper half of a signed number.
            places[place] = (long) (order.hashes[place] ^ Integer.MIN_VALUE) << Integer.SIZE | place;
        }
        Arrays.sort(places);
        RingRow[] ordered = new RingRow[places.length];
        for (int i = 0; i < places.length; i++) {
            ordered[(int) places[i]] = rows.get(i);
        }
        return List.of(ordered);
    }
}
