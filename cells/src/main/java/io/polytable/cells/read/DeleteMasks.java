package io.polytable.cells.read;

import io.polytable.cells.CellKind;
import java.util.HashSet;
import java.util.Set;

/**
 * The delete markers seen so far in a family of a row and in its current column. Cells come newest first, and markers
 * before what they mask at equal timestamps, so all markers that can mask a cell precede it.
 */
final class DeleteMasks {
    private static final long NONE = Long.MIN_VALUE;

    private long familyUpTo = NONE;
    private long columnUpTo = NONE;
    private long versionAt = NONE;
    private final Set<Long> familyVersions = new HashSet<>(0);

    void startFamily() {
        familyUpTo = NONE;
        if (!familyVersions.isEmpty()) {
            familyVersions.clear();
        }
        startColumn();
    }

    void startColumn() {
        columnUpTo = NONE;
        versionAt = NONE;
    }

    void add(CellKind kind, long timestamp) {
        switch (kind) {
            case DELETE_FAMILY -> familyUpTo = Math.max(familyUpTo, timestamp);
            case DELETE_FAMILY_VERSION -> familyVersions.add(timestamp);
            case DELETE_COLUMN -> columnUpTo = Math.max(columnUpTo, timestamp);
            case DELETE_VERSION -> versionAt = timestamp;
            case PUT -> throw new IllegalArgumentException("not a marker");
        }
    }

    /** Whether this version and all older ones of the column are masked. */
    boolean masksRest(long timestamp) {
        return timestamp <= familyUpTo || timestamp <= columnUpTo;
    }

    /** Whether this one version is masked. */
    boolean masksVersion(long timestamp) {
        return timestamp == versionAt || (!familyVersions.isEmpty() && familyVersions.contains(timestamp));
    }

    boolean masks(long timestamp) {
        return masksRest(timestamp) || masksVersion(timestamp);
    }
}
