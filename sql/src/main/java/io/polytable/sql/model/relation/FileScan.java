package io.polytable.sql.model.relation;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Files that a query reads itself, beside the rows that the store holds.
 *
 * @param hot the relation without its files; queries take its rows first
 * @param hiding the part of it whose keys may be in the files, deleted ones too
 * @param keys the columns by which a row of the store hides one of a file
 * @param release lets go of the files
 */
public record FileScan(Relation hot, Relation hiding, List<String> keys, List<Part> parts, Runnable release) {
    public FileScan {
        keys = List.copyOf(keys);
        parts = List.copyOf(parts);
    }

    /**
     * Files of one schema.
     *
     * @param hiders newer files, whose keys hide rows of these
     * @param meetsHot whether the store may hold keys of these files
     * @param hasDeleted whether some of the rows are deleted ones
     * @param names what the relation's columns are called in the files; those that are not there have their initial value
     * @param user whose rows are wanted, where the files have those of several
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
     * @param keys what the key's columns are called in it, in the order of {@link FileScan#keys}
     */
    public record Hider(Path file, List<String> keys) {
        public Hider {
            keys = List.copyOf(keys);
        }
    }
}
