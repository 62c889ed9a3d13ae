package io.polytable.table.testkit;

import static io.polytable.table.testkit.CheckedStore.require;

import io.polytable.table.Bytes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Checks that a key always has the same partition: a store finds its fresh rows by partition. */
final class Partitions {
    /** Beyond this number of keys only known ones are checked. */
    private static final int KEYS_MAX = 1_000_000;

    private record Place(int table, Bytes key) {}

    private final Map<Place, Integer> lengths = new ConcurrentHashMap<>();

    void check(int table, Bytes key, int partitionLength) {
        Place place = new Place(table, key);
        Integer known = lengths.get(place);
        if (known == null && lengths.size() < KEYS_MAX) {
            lengths.putIfAbsent(new Place(table, key.copy()), partitionLength);
        }
        require(known == null || known == partitionLength, "a key comes with another partition than before: " + key);
    }
}
