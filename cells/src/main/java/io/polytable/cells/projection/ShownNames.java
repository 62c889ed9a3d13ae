package io.polytable.cells.projection;

import io.polytable.cells.FamilySpec;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;

/** Names of projected tables and columns, for systems that allow fewer characters. */
final class ShownNames {
    /** Prefix of all projected tables, before the namespace. */
    static final String PREFIX = "hbase_";

    static final String ROW_KEY = "row_key";
    static final String TIMESTAMPS = "timestamps";

    private static final Set<String> TAKEN = Set.of(ROW_KEY, TIMESTAMPS, "log_position");
    private static final String FAMILY = "family_";

    private ShownNames() {}

    /** The namespace, two underscores and the name; unusual characters are replaced by their hexadecimal codes. */
    static String table(TableName name) {
        return PREFIX + plain(name.namespace()) + "__" + plain(name.name());
    }

    private static String plain(String name) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean isUsual =
                    (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
            plain.append(isUsual ? String.valueOf(c) : String.format(Locale.ROOT, "_%02x", (int) c));
        }
        return plain.toString();
    }

    static String column(FamilySpec family) {
        String name = family.name().utf8();
        if (!Bytes.utf8(name).equals(family.name())) {
            return FAMILY + HexFormat.of().formatHex(family.name().toByteArray());
        }
        return TAKEN.contains(name) ? FAMILY + name : name;
    }
}
