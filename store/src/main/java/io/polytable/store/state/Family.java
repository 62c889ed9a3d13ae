package io.polytable.store.state;

import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import java.nio.charset.StandardCharsets;

/** A column family. Its name contains the kind, so that it can be opened before the catalog is read. */
public record Family(String name, TableKind kind, TableOptions options) {
    public static Family of(TableSpec spec) {
        return new Family(nameOf(spec.kind(), spec.name()), spec.kind(), spec.options());
    }

    static String nameOf(TableKind kind, TableName name) {
        // System tables belong to no namespace.
        return kind == TableKind.SYSTEM
                ? kind.family() + ":" + name.name()
                : kind.family() + ":" + name.namespace() + ":" + name.name();
    }

    /**
     * The options for opening a family that the catalog does not name yet: its row may be in the part of the log still
     * to be replayed.
     */
    static Family named(byte[] rawName) {
        String name = new String(rawName, StandardCharsets.UTF_8);
        for (TableKind kind : TableKind.values()) {
            if (name.startsWith(kind.family() + ":")) {
                return new Family(name, kind, TableOptions.DEFAULT);
            }
        }
        return new Family(name, TableKind.SYSTEM, TableOptions.DEFAULT);
    }

    /** The table's name as users write it, of a family's name. */
    static String tableName(String family) {
        return family.substring(family.indexOf(':') + 1).replace(':', '.');
    }

    byte[] rawName() {
        return name.getBytes(StandardCharsets.UTF_8);
    }
}
