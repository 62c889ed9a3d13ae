package io.polytable.redis.model.hash;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.row.ScatteredRow;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Picks fields of a hash at random. Few picks from a large hash are each a seek to a random place; many, or from a
 * small hash, are made in one walk over all fields.
 */
public final class RandomFields {
    /** Picks with repetition that one call may ask for; what it answers is built in memory. */
    public static final long PICKS_MAX = 1 << 24;

    /** A pick by seek costs about as much as walking so many rows. */
    private static final long ROWS_PER_PICK = 64;

    private final Supplier<? extends Random> randoms;

    /** The source is asked for in each call, so that it may belong to a thread. */
    public RandomFields(Supplier<? extends Random> randoms) {
        this.randoms = randoms;
    }

    public Optional<ScatteredRow> one(Space space, Bytes key) {
        return Hashes.header(space, key)
                .flatMap(header -> Hashes.elements(space, header).random(randoms.get()));
    }

    /** So many fields, none twice; all of them when there are not so many. */
    public List<ScatteredRow> distinct(Space space, Bytes key, long count) {
        Optional<CollectionHeader> header = Hashes.header(space, key);
        if (header.isEmpty()) {
            return List.of();
        }
        Elements elements = Hashes.elements(space, header.get());
        long size = header.get().size();
        return size / ROWS_PER_PICK <= count
                ? sample(elements, size, Math.min(count, size))
                : seekDistinct(elements, count);
    }

    /** Takes each row with the chance that is left: so many wanted of so many to come. */
    private List<ScatteredRow> sample(Elements elements, long size, long count) {
        Random random = randoms.get();
        List<ScatteredRow> picked = new ArrayList<>();
        long left = size;
        try (Cursor cursor = elements.scan(Direction.FORWARD, Long.MAX_VALUE)) {
            while (picked.size() < count && cursor.next()) {
                if (random.nextLong(left) < count - picked.size()) {
                    picked.add(new ScatteredRow(elements.sub(cursor), cursor.value()));
                }
                left--;
            }
        }
        return picked;
    }

    private List<ScatteredRow> seekDistinct(Elements elements, long count) {
        Random random = randoms.get();
        List<ScatteredRow> picked = new ArrayList<>();
        Set<Bytes> seen = new HashSet<>();
        while (picked.size() < count) {
            ScatteredRow row = elements.random(random).orElseThrow();
            if (seen.add(row.sub())) {
                picked.add(row);
            }
        }
        return picked;
    }

    /** Exactly so many picks, independent of each other. */
    public List<ScatteredRow> repeating(Space space, Bytes key, long count) {
        if (count > PICKS_MAX) {
            throw RedisError.VALUE_OUT_OF_RANGE;
        }
        Optional<CollectionHeader> header = Hashes.header(space, key);
        if (header.isEmpty()) {
            return List.of();
        }
        Elements elements = Hashes.elements(space, header.get());
        long size = header.get().size();
        if (size / ROWS_PER_PICK <= count) {
            return walkRepeating(elements, size, (int) count);
        }
        Random random = randoms.get();
        List<ScatteredRow> picked = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            picked.add(elements.random(random).orElseThrow());
        }
        return picked;
    }

    /** Draws row numbers first, meets them in one walk, and mixes what it found. */
    private List<ScatteredRow> walkRepeating(Elements elements, long size, int count) {
        Random random = randoms.get();
        long[] numbers = random.longs(count, 0, size).toArray();
        Arrays.sort(numbers);
        List<ScatteredRow> picked = new ArrayList<>(count);
        try (Cursor cursor = elements.scan(Direction.FORWARD, Long.MAX_VALUE)) {
            for (long number = 0; picked.size() < count && cursor.next(); number++) {
                ScatteredRow row = new ScatteredRow(elements.sub(cursor), cursor.value());
                while (picked.size() < count && numbers[picked.size()] == number) {
                    picked.add(row);
                }
            }
        }
        Collections.shuffle(picked, random);
        return picked;
    }
}
