package io.polytable.entity.layout;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

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
        return with(draft -> draft.id = newId);
    }

    public LocalityGroup withName(String newName) {
        return with(draft -> draft.name = newName);
    }

    public LocalityGroup withDescription(String text) {
        return with(draft -> draft.description = text);
    }

    public LocalityGroup withMaxVersions(int versions) {
        return with(draft -> draft.maxVersions = versions);
    }

    public LocalityGroup withTtlSeconds(long seconds) {
        return with(draft -> draft.ttlSeconds = seconds);
    }

    public LocalityGroup withStorage(
            boolean newInMemory, BloomType newBloom, CompressionType newCompression, int newBlockBytes) {
        return with(draft -> {
            draft.inMemory = newInMemory;
            draft.bloom = newBloom;
            draft.compression = newCompression;
            draft.blockBytes = newBlockBytes;
        });
    }

    public LocalityGroup withOption(String key, String value) {
        Map<String, String> more = new TreeMap<>(options);
        more.put(key, value);
        return with(draft -> draft.options = more);
    }

    public LocalityGroup withFamilies(List<FamilyLayout> newFamilies) {
        return with(draft -> draft.families = newFamilies);
    }

    public LocalityGroup with(Change newChange) {
        return with(draft -> draft.change = newChange);
    }

    private LocalityGroup with(Consumer<Draft> edit) {
        Draft draft = new Draft(this);
        edit.accept(draft);
        return draft.group();
    }

    /** A copy whose fields can be assigned. */
    private static final class Draft {
        private String name;
        private String id;
        private final List<String> aliases;
        private final boolean enabled;
        private String description;
        private int maxVersions;
        private long ttlSeconds;
        private boolean inMemory;
        private BloomType bloom;
        private CompressionType compression;
        private int blockBytes;
        private Map<String, String> options;
        private List<FamilyLayout> families;
        private Change change;

        Draft(LocalityGroup group) {
            name = group.name;
            id = group.id;
            aliases = group.aliases;
            enabled = group.enabled;
            description = group.description;
            maxVersions = group.maxVersions;
            ttlSeconds = group.ttlSeconds;
            inMemory = group.inMemory;
            bloom = group.bloom;
            compression = group.compression;
            blockBytes = group.blockBytes;
            options = group.options;
            families = group.families;
            change = group.change;
        }

        LocalityGroup group() {
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
                    change);
        }
    }
}
