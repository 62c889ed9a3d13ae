package io.polytable.cells.store.definition;

import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.table.Bytes;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The persistent definition of a cell table or of a saved copy.
 *
 * @param physical the physical table's name in {@link Definitions#NAMESPACE}
 * @param savedMillis for a copy, when it was saved; for a table, when its delete markers were last removed
 * @param isReadable false for a table in a layout that only older versions could read
 * @param removed the families removed so far, of which the physical table may still have cells; empty if not known
 */
public record Definition(
        CellTableSpec spec, String physical, long savedMillis, boolean isReadable, Optional<Set<Bytes>> removed) {
    /** Beyond it, the removed families are not known any more. */
    private static final int REMOVED_MAX = 1_000;

    public Definition {
        removed = removed.map(Set::copyOf);
    }

    /** Of a new, empty physical table. */
    public static Definition ofNew(CellTableSpec spec, String physical, long millis) {
        return new Definition(spec, physical, millis, true, Optional.of(Set.of()));
    }

    public Definition with(CellTableSpec newSpec) {
        Optional<Set<Bytes>> gone = removed.map(names -> {
            Set<Bytes> all = new TreeSet<>(names);
            spec.families().stream()
                    .map(FamilySpec::name)
                    .filter(name -> newSpec.family(name).isEmpty())
                    .forEach(all::add);
            return all;
        });
        return new Definition(
                newSpec, physical, savedMillis, isReadable, gone.filter(names -> names.size() <= REMOVED_MAX));
    }

    public Definition withPhysical(String newPhysical) {
        return new Definition(spec, newPhysical, savedMillis, isReadable, removed);
    }

    public Definition at(long millis) {
        return new Definition(spec, physical, millis, isReadable, removed);
    }

    /** Whether the spec adds a family that may find cells of a removed one of its name. */
    public boolean mayReviveCells(CellTableSpec newSpec) {
        return newSpec.families().stream()
                .map(FamilySpec::name)
                .filter(name -> spec.family(name).isEmpty())
                .anyMatch(name -> removed.isEmpty() || removed.get().contains(name));
    }
}
