package io.polytable.sql.model.relation;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The files that a query reads directly, beside the rows of the store.
 *
 * @param hot the relation without its files; queries read its rows first
 * @param hiding the part of it whose keys may be in the files, including tombstones
 * @param keys the columns by which a row of the store hides a row of a file
 * @param release unpins the files
 */
public record FileScan(Relation hot, Relation hiding, List<String> keys, List<Part> parts, Runnable release) {
    public FileScan {
        keys = List.copyOf(keys);
        parts = List.copyOf(parts);
    }

    /**
     * Files of one schema version.
     *
     * @param hiders newer files, whose keys hide rows of these
     * @param meetsHot whether the store may hold keys of these files
     * @param hasDeleted whether the files contain tombstones
     * @param names names of the relation's columns in the files; a missing column has its initial value
     * @param user whose rows are wanted, if the files hold those of several users
     */
    public record Part(
            List<Path> files,
            List<Hider> hiders,
            boolean meetsHot,
            boolean hasDeleted,
            Map<String, String> names,
            Map<String, String> initial,
            String user) {
        public Part {
            files = List.copyOf(files);
            hiders = List.copyOf(hiders);
            names = Map.copyOf(names);
            initial = Map.copyOf(initial);
        }
    }

    /**
     * A newer file.
     *
     * @param keys names of the key columns in it, in the order of {@link FileScan#keys}
     */
    public record Hider(Path file, List<String> keys) {
        public Hider {
            keys = List.copyOf(keys);
        }
    }
}
