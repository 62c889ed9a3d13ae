package io.polytable.redis.model.zset;

import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.order.FenceCheck;
import io.polytable.redis.model.order.FenceLimits;
import io.polytable.redis.model.order.OrderRows;
import io.polytable.redis.model.order.Ordering;
import io.polytable.redis.model.order.SortKeys;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.KeyedHash;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Verifies that a sorted set's rows are consistent: every order row belongs to a member with that score, there are as
 * many order rows as members, and the counts of the fences are right.
 */
public final class SortedSetCheck {
    private final RedisTables tables;
    private final Reader reader;
    private final CollectionHeader header;
    private final Table table;
    private final Consumer<String> problems;

    public SortedSetCheck(RedisTables tables, Reader reader, CollectionHeader header, Consumer<String> problems) {
        this.tables = tables;
        this.reader = reader;
        this.header = header;
        this.table = tables.elements(header.home());
        this.problems = problems;
    }

    public void run() {
        checkMembers();
        checkOrder();
        checkFences();
    }

    private void checkFences() {
        try {
            new FenceCheck(reader, table, SortedSet.shape(header), FenceLimits.STANDARD, problems).run();
        } catch (StoreException e) {
            if (e.error() != StoreError.CORRUPT) {
                throw e;
            }
            problems.accept("one of its fences cannot be read");
        }
    }

    private void checkMembers() {
        long members = 0;
        Bytes partition = Layout.element(header.id(), ElementKind.ZSET_MEMBER, Bytes.EMPTY)
                .bytes();
        try (Cursor rows = reader.scan(table, KeyRange.partition(partition))) {
            while (rows.next()) {
                members++;
                if (!SortedSet.isScore(rows.value())) {
                    problems.accept("the score of " + memberOf(rows) + " cannot be read");
                }
            }
        }
        if (members != header.size()) {
            problems.accept("its header says " + header.size() + " members, it has " + members);
        }
    }

    static Bytes memberOf(Cursor rows) {
        return rows.key().from(Layout.ELEMENT_PREFIX + KeyedHash.BYTES);
    }

    /** As many places as members, and a member for each place: so each member has a place. */
    private void checkOrder() {
        OrderRows orders = new OrderRows(table, header.id(), Ordering.SCORES);
        long places = 0;
        try (Cursor rows = orders.scan(reader, SortKeys.START, SortKeys.END, Direction.FORWARD, Long.MAX_VALUE)) {
            while (rows.next()) {
                places++;
                Bytes place = OrderRows.placeOf(rows.key());
                if (place.length() < SortKeys.SCORE_BYTES) {
                    problems.accept("a place in its order is too short: " + place);
                } else if (!hasScore(SortKeys.member(place), OrderRows.scoreOf(place, rows.value()))) {
                    problems.accept("a place in its order is not that of its member " + SortKeys.member(place));
                }
            }
        }
        if (places != header.size()) {
            problems.accept("its header says " + header.size() + " members, its order has " + places);
        }
    }

    private boolean hasScore(Bytes member, double score) {
        Optional<Bytes> row = reader.read(
                table,
                Layout.hashOrderedElement(
                        header.id(), ElementKind.ZSET_MEMBER, tables.keyedHash().of(member), member));
        return row.isPresent() && row.get().equals(SortedSet.encode(score));
    }
}
