package io.polytable.entity.layout;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Families that are stored and read together, and their storage settings.
 *
 * @param maxVersions how many versions of a column are kept
 * @param ttlSeconds the time to live of a cell, {@link #FOREVER} for none
 * @param options options for particular stores, such as {@code consistency}
 */
public record LocalityGroup(
        String name,
        String id,
        List<String> aliases,
        boolean enabled,
        String description,
        int maxVersions,
        long ttlSeconds,
        boolean inMemory,
        BloomType bloom,
        CompressionType compression,
        int blockBytes,
        Map<String, String> options,
        List<FamilyLayout> families,
        Change change) {
    public static final long FOREVER = Integer.MAX_VALUE;
    public static final int ALL_VERSIONS = Integer.MAX_VALUE;

    public LocalityGroup {
        aliases = List.copyOf(aliases);
        families = List.copyOf(families);
        options = Collections.unmodifiableMap(new TreeMap<>(options));
    }

    /** One version of each column, forever. */
    public static LocalityGroup of(String name, FamilyLayout... families) {
        return new LocalityGroup(
                name,
                "",
                List.of(),
                true,
                "",
                1,
                FOREVER,
                false,
                BloomType.NONE,
                CompressionType.NONE,
                0,
                Map.of(),
                List.of(families),
                Change.NONE);
    }

    public LocalityGroup withId(String newId) {
        return new LocalityGroup(
                name,
                newId,
                aliases,
                enabled,
                description,
                maxVersions,
                ttlSeconds,
                inMemory,
                bloom,
                compression,
                blockBytes,
                options,
                families,
                change);
    }

    public LocalityGroup withName(String newName) {
        return new LocalityGroup(
                newName,
                id,
                aliases,
                enabled,
                description,
                maxVersions,
                ttlSeconds,
                inMemory,
                bloom,
                compression,
                blockBytes,
                options,
                families,
                change);
    }

    public LocalityGroup withDescription(String text) {
        return new LocalityGroup(
                name,
                id,
                aliases,
                enabled,
                text,
                maxVersions,
                ttlSeconds,
                inMemory,
                bloom,
                compression,
                blockBytes,
                options,
                families,
                change);
    }

    public LocalityGroup withMaxVersions(int versions) {
        return new LocalityGroup(
                name,
                id,
                aliases,
                enabled,
                description,
                versions,
                ttlSeconds,
                inMemory,
                bloom,
                compression,
                blockBytes,
                options,
                families,
                change);
    }

    public LocalityGroup withTtlSeconds(long seconds) {
        return new LocalityGroup(
                name,
                id,
                aliases,
                enabled,
                description,
                maxVersions,
                seconds,
                inMemory,
                bloom,
                compression,
                blockBytes,
                options,
                families,
                change);
    }

    public LocalityGroup withStorage(
            boolean newInMemory, BloomType newBloom, CompressionType newCompression, int newBlockBytes) {
        return new LocalityGroup(
                name,
                id,
                aliases,
                enabled,
                description,
                maxVersions,
                ttlSeconds,
                newInMemory,
                newBloom,
                newCompression,
                newBlockBytes,
                options,
                families,
                change);
    }

    public LocalityGroup withOption(String key, String value) {
        Map<String, String> more = new TreeMap<>(options);
        more.put(key, value);
        return new LocalityGroup(
                name,
                id,
                aliases,
                enabled,
                description,
                maxVersions,
                ttlSeconds,
                inMemory,
                bloom,
                compression,
                blockBytes,
                more,
                families,
                change);
    }

    public LocalityGroup withFamilies(List<FamilyLayout> newFamilies) {
        return new LocalityGroup(
                name,
                id,
                aliases,
                enabled,
                description,
                maxVersions,
                ttlSeconds,
                inMemory,
                bloom,
                compression,
                blockBytes,
                options,
                newFamilies,
                change);
    }

    public LocalityGroup with(Change newChange) {
        return new LocalityGroup(
                name,
                id,
                aliases,
                enabled,
                description,
                maxVersions,
                ttlSeconds,
                inMemory,
                bloom,
                compression,
                blockBytes,
                options,
                families,
                newChange);
    }
}
