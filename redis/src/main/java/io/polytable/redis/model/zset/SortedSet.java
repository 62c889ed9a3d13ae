package io.polytable.redis.model.zset;

import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.order.ElementCursor;
import io.polytable.redis.model.order.OrderIndex;
import io.polytable.redis.model.order.OrderRows;
import io.polytable.redis.model.order.Ordering;
import io.polytable.redis.model.order.SortKeys;
import io.polytable.redis.model.row.BigEndian;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.row.Page;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.Table;

/**
 * One sorted set, opened for one call of the model: maps members to scores, and ranks to elements. Whoever changes it
 * calls {@link #save()} after the last change.
 *
 * <p>Redis packs a small set into one string, in which a score of negative zero becomes zero. A set that was ever
 * larger, or got a long member, keeps the sign. Clients can see that, so the header remembers which of the two a set
 * is: the {@code wide} bit.
 */
public final class SortedSet {
    /** Redis' default thresholds: zset-max-listpack-entries and zset-max-listpack-value. */
    private static final int NARROW_ELEMENTS_MAX = 128;

    private static final int NARROW_MEMBER_BYTES_MAX = 64;

    /** Up to this offset elements are skipped by walking over them; beyond, by rank. */
    private static final long SKIPPED_MAX = 256;

    private static final int LEVELS_MASK = 0x0f;
    private static final int WIDE = 0x10;

    private final Space space;
    private final Bytes key;
    private final CollectionHeader header;
    private final Elements members;
    private final OrderIndex index;
    private boolean wide;

    public SortedSet(Space space, Bytes key, CollectionHeader header) {
        this.space = space;
        this.key = key;
        this.header = header;
        this.members = space.elements(header, ElementKind.ZSET_MEMBER);
        RedisTables tables = space.unit().tables();
        Table table = tables.elements(header.home());
        this.index = new OrderIndex(space.unit().writes(), table, tables.fences(), shape(header));
        this.wide = isWide(header);
    }

    static OrderIndex.Shape shape(CollectionHeader header) {
        return new OrderIndex.Shape(Ordering.SCORES, header.id(), header.size(), field(header) & LEVELS_MASK);
    }

    /** Whether Redis would use a skip list rather than a packed string. */
    public static boolean isWide(CollectionHeader header) {
        return (field(header) & WIDE) != 0;
    }

    private static int field(CollectionHeader header) {
        return header.fields().isEmpty() ? 0 : header.fields().at(0);
    }

    static Bytes fields(int levels, boolean wide) {
        int field = levels | (wide ? WIDE : 0);
        return field == 0 ? Bytes.EMPTY : Bytes.of(new byte[] {(byte) field});
    }

    static boolean widens(long size, Bytes member) {
        return size > NARROW_ELEMENTS_MAX || member.length() > NARROW_MEMBER_BYTES_MAX;
    }

    long id() {
        return header.id();
    }

    long size() {
        return index.size();
    }

    OrderIndex index() {
        return index;
    }

    boolean isWide() {
        return wide;
    }

    /** The member's score; NaN, which no member has, when it is absent. */
    double score(Bytes member) {
        return members.get(member).map(SortedSet::decode).orElse(Double.NaN);
    }

    /** Whether a member's row is one that {@link #encode} writes. */
    static boolean isScore(Bytes memberRow) {
        return memberRow.length() == Long.BYTES && !Double.isNaN(decode(memberRow));
    }

    static double decode(Bytes memberRow) {
        return SortKeys.score(BigEndian.longAt(memberRow, 0));
    }

    static Bytes encode(double score) {
        byte[] row = new byte[Long.BYTES];
        BigEndian.putLong(row, 0, SortKeys.exactBits(score));
        return Bytes.of(row);
    }

    /** Adds a member that does not exist. */
    public void add(Bytes member, double score) {
        wide |= widens(index.size() + 1, member);
        double kept = kept(score);
        members.put(member, encode(kept));
        index.insert(SortKeys.of(kept, member), OrderRows.value(kept));
    }

    /** Changes the score of an existing member. */
    void move(Bytes member, double from, double to) {
        double kept = kept(to);
        members.put(member, encode(kept));
        index.remove(SortKeys.of(from, member));
        index.insert(SortKeys.of(kept, member), OrderRows.value(kept));
    }

    private double kept(double score) {
        return wide ? score : score + 0.0;
    }

    /** Removes an existing member. */
    void remove(Bytes member, double score) {
        members.delete(member);
        index.remove(SortKeys.of(score, member));
    }

    /** Removes the cursor's current element. */
    void remove(ElementCursor at) {
        members.delete(at.member());
        index.remove(at.place());
    }

    /** Writes the changed fences, and the header if it changed. */
    public void save() {
        if (index.size() == 0) {
            space.remove(key);
            return;
        }
        index.write();
        Bytes fields = fields(index.levels(), wide);
        if (index.size() != header.size() || !fields.equals(header.fields())) {
            space.put(key, header.withSize(index.size()).withFields(fields));
        }
    }

    /** One step of a walk over all members, in the order of their keyed hashes. */
    Page page(long cursor, long count) {
        return members.page(cursor, count);
    }

    long count(ElementRun span) {
        if (span instanceof ElementRun.OfPlaces places) {
            return index.count(places.from(), places.to());
        }
        return ((ElementRun.OfRanks) span).count();
    }

    /** The elements of the run in the direction, after skipping {@code offset} of them. */
    ElementCursor walk(ElementRun span, Direction direction, long offset, long limit) {
        if (span instanceof ElementRun.OfPlaces places) {
            if (offset <= SKIPPED_MAX) {
                long all = limit > Long.MAX_VALUE - offset ? Long.MAX_VALUE : limit + offset;
                return index.between(places.from(), places.to(), direction, all).skip(offset);
            }
            return walk(toRanks(places), direction, offset, limit);
        }
        ElementRun.OfRanks ranks = (ElementRun.OfRanks) span;
        long left = ranks.count() - offset;
        long first =
                direction == Direction.FORWARD ? ranks.first() + offset : ranks.first() + ranks.count() - 1 - offset;
        return left <= 0 ? ElementCursor.NONE : index.from(first, direction, Math.min(left, limit));
    }

    private ElementRun.OfRanks toRanks(ElementRun.OfPlaces places) {
        long first = places.from().isEmpty() ? 0 : index.rank(places.from());
        long end = places.to().isEmpty() ? index.size() : index.rank(places.to());
        return new ElementRun.OfRanks(first, end - first);
    }
}
