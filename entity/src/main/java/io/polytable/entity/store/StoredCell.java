package io.polytable.entity.store;

import io.polytable.entity.filter.Qualifiers;
import io.polytable.table.Bytes;
import java.util.Comparator;

/** A version of a column, as a store keeps it. Ordered by family and qualifier, newest first. */
public record StoredCell(String familyId, String qualifier, long timestamp, Bytes value) {
    public static final Comparator<StoredCell> ORDER = Comparator.comparing(StoredCell::familyId)
            .thenComparing(StoredCell::qualifier, Qualifiers.ORDER)
            .thenComparing(Comparator.comparingLong(StoredCell::timestamp).reversed());
}
