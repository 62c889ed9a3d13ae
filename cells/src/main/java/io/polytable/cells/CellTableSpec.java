package io.polytable.cells;

import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The definition of a cell table. The constructor validates it and throws {@link CellError#BAD_SPEC}.
 *
 * @param families in the order of their names
 * @param attributes metadata of callers, in key order
 * @param splits the row keys that split the table into partitions, ascending; see {@link #partitions()}
 */
public record CellTableSpec(
        TableName name, List<FamilySpec> families, Map<Bytes, Bytes> attributes, List<Bytes> splits) {
    public CellTableSpec {
        families =
                families.stream().sorted(Comparator.comparing(FamilySpec::name)).toList();
        attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
        splits = List.copyOf(splits);
        SpecLimits.checkTable(families, splits);
    }

    /** Unsplit. */
    public static CellTableSpec of(TableName name, FamilySpec... families) {
        return new CellTableSpec(name, List.of(families), Map.of(), List.of());
    }

    public CellTableSpec withName(TableName newName) {
        return new CellTableSpec(newName, families, attributes, splits);
    }

    public CellTableSpec withFamilies(List<FamilySpec> newFamilies) {
        return new CellTableSpec(name, newFamilies, attributes, splits);
    }

    public CellTableSpec withAttributes(Map<Bytes, Bytes> newAttributes) {
        return new CellTableSpec(name, families, newAttributes, splits);
    }

    public CellTableSpec withSplits(List<Bytes> newSplits) {
        return new CellTableSpec(name, families, attributes, newSplits);
    }

    public Optional<FamilySpec> family(Bytes family) {
        // Tables have few families: a linear search is cheaper than a map.
        for (FamilySpec candidate : families) {
            if (candidate.name().equals(family)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /** The ranges between the split points, in order. They cover all rows; there is one more than there are splits. */
    public List<RowRange> partitions() {
        List<RowRange> ranges = new ArrayList<>(splits.size() + 1);
        Bytes from = Bytes.EMPTY;
        for (Bytes split : splits) {
            ranges.add(new RowRange(from, split));
            from = split;
        }
        ranges.add(new RowRange(from, Bytes.EMPTY));
        return List.copyOf(ranges);
    }
}
