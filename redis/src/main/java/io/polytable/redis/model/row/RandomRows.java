package io.polytable.redis.model.row;

import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Random picks from a hash-ordered kind: fields of a hash, members of a set. Few picks from a large collection come
 * from its {@link CandidatePools pool}; many picks, or picks from a small collection, take one walk over all rows.
 */
public final class RandomRows {
    /** The picks with repetition that one call may ask for; the answer is built in memory. */
    public static final long PICKS_MAX = 1 << 24;

    /** The memory of a pick until it is answered, besides the row that it shares with others. */
    private static final long PICK_BYTES = 48;

    /** A pick by seek costs about as much as walking this many rows. */
    private static final long ROWS_PER_PICK = 64;

    private final CandidatePools pools = new CandidatePools();
    private final Supplier<? extends Random> randoms;

    /** Asks for the source in each call, so that it may be thread-local. */
    public RandomRows(Supplier<? extends Random> randoms) {
        this.randoms = randoms;
    }

    /** Picks a row of a collection that is not empty. */
    public RingRow one(Elements elements, long size) {
        return pools.pick(elements, size, randoms.get());
    }

    /** Deletes a row of a collection that is not empty, and answers its sub-key. */
    public Bytes pop(Elements elements, long size) {
        return pools.pop(elements, size, randoms.get());
    }

    /** Picks {@code count} different rows, or answers all in their order when there are fewer. */
    public List<RingRow> distinct(CollectionHeader header, Elements elements, long count) {
        long size = header.size();
        if (count >= size) {
            return InsertionOrder.rows(header, elements);
        }
        return size / ROWS_PER_PICK <= count ? sample(elements, size, count) : pickDistinct(elements, size, count);
    }

    /** Selection sampling in one walk: takes each row with the chance (rows still wanted) / (rows still to come). */
    private List<RingRow> sample(Elements elements, long size, long count) {
        Random random = randoms.get();
        List<RingRow> picked = new ArrayList<>();
        long left = size;
        try (Cursor cursor = elements.scan(Direction.FORWARD, Long.MAX_VALUE)) {
            while (picked.size() < count && cursor.next()) {
                if (random.nextLong(left) < count - picked.size()) {
                    picked.add(new RingRow(elements.sub(cursor), cursor.value()));
                }
                left--;
            }
        }
        return picked;
    }

    private List<RingRow> pickDistinct(Elements elements, long size, long count) {
        Random random = randoms.get();
        List<RingRow> picked = new ArrayList<>();
        Set<Bytes> seen = new HashSet<>();
        while (picked.size() < count) {
            RingRow row = pools.pick(elements, size, random);
            if (seen.add(row.sub())) {
                picked.add(row);
            }
        }
        return picked;
    }

    /** Makes exactly {@code count} independent picks from a collection that is not empty. */
    public List<RingRow> repeating(Elements elements, long size, long count) {
        if (size / ROWS_PER_PICK <= count) {
            return walkRepeating(elements, size, (int) count);
        }
        Random random = randoms.get();
        List<RingRow> picked = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            picked.add(pools.pick(elements, size, random));
        }
        return picked;
    }

    /**
     * The memory that so many picks take.
     *
     * @throws RedisError beyond {@link #PICKS_MAX}
     */
    public static long bytesOf(long picks) {
        if (picks > PICKS_MAX) {
            throw RedisError.VALUE_OUT_OF_RANGE;
        }
        return picks * PICK_BYTES;
    }

    /** Draws row numbers first, finds them in one walk, and shuffles the result. */
    private List<RingRow> walkRepeating(Elements elements, long size, int count) {
        Random random = randoms.get();
        long[] numbers = random.longs(count, 0, size).toArray();
        Arrays.sort(numbers);
        List<RingRow> picked = new ArrayList<>(count);
        try (Cursor cursor = elements.scan(Direction.FORWARD, Long.MAX_VALUE)) {
            for (long number = 0; picked.size() < count && cursor.next(); number++) {
                if (numbers[picked.size()] == number) {
                    RingRow row = new RingRow(elements.sub(cursor), cursor.value());
                    while (picked.size() < count && numbers[picked.size()] == number) {
                        picked.add(row);
                    }
                }
            }
        }
        Collections.shuffle(picked, random);
        return picked;
    }
}
