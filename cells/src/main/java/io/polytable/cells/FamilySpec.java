package io.polytable.cells;

import io.polytable.table.Bytes;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The definition of a column family: which versions it keeps, for how long, and how they are stored.
 *
 * @param maxVersions how many versions of a column are kept
 * @param minVersions how many of them are kept even beyond the time to live
 * @param ttlMillis time to live, counted from a cell's timestamp; {@link #FOREVER} for none
 * @param inMemory asks the store to keep the family in memory before others
 * @param attributes metadata of callers, in key order
 */
public record FamilySpec(
        Bytes name,
        int maxVersions,
        int minVersions,
        long ttlMillis,
        KeepDeleted keepDeleted,
        Compression compression,
        BloomKind bloom,
        boolean inMemory,
        Map<Bytes, Bytes> attributes) {
    public static final long FOREVER = Long.MAX_VALUE;

    public FamilySpec {
        attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
        SpecLimits.checkFamily(name, maxVersions, minVersions, ttlMillis);
    }

    /** Keeps one version of each column, without a time to live. */
    public static FamilySpec of(String name) {
        return of(Bytes.utf8(name));
    }

    public static FamilySpec of(Bytes name) {
        return new FamilySpec(name, 1, 0, FOREVER, KeepDeleted.NEVER, Compression.NONE, BloomKind.ROW, false, Map.of());
    }

    public FamilySpec withVersions(int min, int max) {
        return new FamilySpec(name, max, min, ttlMillis, keepDeleted, compression, bloom, inMemory, attributes);
    }

    public FamilySpec withTtlMillis(long millis) {
        return new FamilySpec(
                name, maxVersions, minVersions, millis, keepDeleted, compression, bloom, inMemory, attributes);
    }

    public FamilySpec withKeepDeleted(KeepDeleted keep) {
        return new FamilySpec(
                name, maxVersions, minVersions, ttlMillis, keep, compression, bloom, inMemory, attributes);
    }

    public FamilySpec withStorage(Compression newCompression, BloomKind newBloom, boolean newInMemory) {
        return new FamilySpec(
                name,
                maxVersions,
                minVersions,
                ttlMillis,
                keepDeleted,
                newCompression,
                newBloom,
                newInMemory,
                attributes);
    }

    public FamilySpec withAttributes(Map<Bytes, Bytes> newAttributes) {
        return new FamilySpec(
                name, maxVersions, minVersions, ttlMillis, keepDeleted, compression, bloom, inMemory, newAttributes);
    }
}
