package io.polytable.cells;

import io.polytable.table.Bytes;
import java.util.List;
import java.util.Map;

/** Validates the specification of a table or a family; throws {@link CellError#BAD_SPEC}. */
final class SpecLimits {
    private SpecLimits() {}

    static void checkFamily(Bytes name, int maxVersions, int minVersions, long ttlMillis) {
        require(
                !name.isEmpty() && name.length() <= CellLimits.FAMILY_BYTES_MAX,
                "A family's name is empty or too long",
                name);
        for (int i = 0; i < name.length(); i++) {
            int b = name.at(i) & 0xff;
            // A colon separates family and qualifier in the text form of a column; slashes would make paths.
            boolean fits = b >= ' ' && b != 0x7f && b != ':' && b != '/' && b != '\\';
            require(fits, "A family's name has a character not allowed", name);
        }
        require(name.at(0) != '.', "A family's name starts with a dot", name);
        require(maxVersions >= 1, "A family keeps at least one version", maxVersions);
        require(minVersions >= 0 && minVersions <= maxVersions, "More versions at least than at most", minVersions);
        require(ttlMillis > 0, "A time to live must be positive", ttlMillis);
    }

    static void checkTable(List<FamilySpec> families, List<Bytes> splits) {
        require(!families.isEmpty(), "A table needs a family", families.size());
        require(families.size() <= CellLimits.FAMILIES_MAX, "Too many families", families.size());
        for (int i = 1; i < families.size(); i++) {
            Bytes name = families.get(i).name();
            require(!families.get(i - 1).name().equals(name), "Two families have the same name", name);
        }
        require(splits.size() <= CellLimits.SPLITS_MAX, "Too many split points", splits.size());
        for (int i = 0; i < splits.size(); i++) {
            Bytes split = splits.get(i);
            require(!split.isEmpty() && split.length() <= CellLimits.ROW_BYTES_MAX, "Not a split point", split);
            require(i == 0 || splits.get(i - 1).compareTo(split) < 0, "Split points are not in order", split);
        }
    }

    private static void require(boolean holds, String text, Object value) {
        if (!holds) {
            throw new CellException(CellError.BAD_SPEC, text, Map.of("value", value));
        }
    }
}
