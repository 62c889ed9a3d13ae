package io.polytable.table.testkit;

import static io.polytable.table.testkit.CheckedStore.require;

import io.polytable.table.Bytes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** That a key always comes with the same partition: a store finds its fresh rows by partition. */
final class Partitions {
    /** Beyond so many keys only those already known are checked. */
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
