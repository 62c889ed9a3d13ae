package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.row.HashRing;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Layout;
import io.polytable.redis.model.row.Page;
import io.polytable.redis.model.row.RingRow;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Iteration over the keys of a database: SCAN, KEYS and RANDOMKEY. With several key tables, a cursor has the table's
 * number above the 32 bits of the position in it.
 */
public final class KeyWalk {
    /** Selects among the live keys. */
    @FunctionalInterface
    public interface Filter {
        boolean admits(Bytes key, Header header);
    }

    /** One step of SCAN: examines {@code count} keys or a few more, and answers the wanted ones. */
    public KeyPage step(Space space, long cursor, long count, Filter filter) {
        RedisTables tables = space.unit().tables();
        List<Bytes> keys = new ArrayList<>();
        long seen = 0;
        long at = cursor;
        while (at >>> Integer.SIZE < tables.partCount()) {
            int part = (int) (at >>> Integer.SIZE);
            Page page = ring(space, part).page(at & 0xffff_ffffL, count - seen);
            addWanted(space, page.rows(), filter, keys);
            seen += page.rows().size();
            at = ((long) part << Integer.SIZE) | page.cursor();
            if (page.cursor() == 0) {
                at = part + 1 == tables.partCount() ? 0 : (long) (part + 1) << Integer.SIZE;
            }
            if (at == 0 || seen >= count) {
                return new KeyPage(keys, at);
            }
        }
        return new KeyPage(keys, 0);
    }

    /** All wanted keys. Only these are in memory together; there may be many more that are not wanted. */
    public List<Bytes> all(Space space, Filter filter) {
        List<Bytes> keys = new ArrayList<>();
        for (int part = 0; part < space.unit().tables().partCount(); part++) {
            ring(space, part).forEach(row -> {
                Header header = Header.decode(row.value());
                if (!header.isExpired(space.nowMillis()) && filter.admits(row.sub(), header)) {
                    space.unit().keeps(row.sub().length());
                    keys.add(row.sub().copy());
                }
            });
        }
        return keys;
    }

    /** All keys that have a row, including expired ones. */
    List<Bytes> stored(Space space) {
        List<Bytes> keys = new ArrayList<>();
        for (int part = 0; part < space.unit().tables().partCount(); part++) {
            ring(space, part).page(0, Long.MAX_VALUE).rows().forEach(row -> keys.add(row.sub()));
        }
        return keys;
    }

    public Optional<Bytes> random(Space space, RandomGenerator random) {
        int parts = space.unit().tables().partCount();
        int first = random.nextInt(parts);
        for (int i = 0; i < parts; i++) {
            List<Bytes> live = new ArrayList<>();
            addWanted(space, ring(space, (first + i) % parts).window(random.nextInt()), (key, header) -> true, live);
            if (!live.isEmpty()) {
                return Optional.of(live.get(random.nextInt(live.size())));
            }
        }
        return any(space);
    }

    /** The first live key, for databases where so many have expired that a sample found none. */
    private Optional<Bytes> any(Space space) {
        long cursor = 0;
        do {
            KeyPage page = step(space, cursor, 1000, (key, header) -> true);
            if (!page.keys().isEmpty()) {
                return Optional.of(page.keys().get(0));
            }
            cursor = page.cursor();
        } while (cursor != 0);
        return Optional.empty();
    }

    private static HashRing ring(Space space, int part) {
        return new HashRing(
                space.unit().writes(), space.unit().tables().keys(part), Layout.database(space.physicalDatabase()));
    }

    private static void addWanted(Space space, List<RingRow> rows, Filter filter, List<Bytes> wanted) {
        for (RingRow row : rows) {
            Header header = Header.decode(row.value());
            if (!header.isExpired(space.nowMillis()) && filter.admits(row.sub(), header)) {
                wanted.add(row.sub());
            }
        }
    }
}
