package io.polytable.entity.hbase;

import io.polytable.table.Bytes;
import org.apache.hadoop.hbase.TableName;

/** Names in HBase: namespaces, tables, families and qualifiers of instances, tables, groups and columns. */
final class Names {
    static final String NAMESPACE_PREFIX = "pt_";

    /** No entity table has a dash in its name. */
    private static final String RECORDS = "polytable-records";

    private static final char SEPARATOR = ':';

    private Names() {}

    static String namespace(String instance) {
        return NAMESPACE_PREFIX + instance;
    }

    static TableName records(String namespace) {
        return TableName.valueOf(namespace, RECORDS);
    }

    static TableName table(String namespace, String table) {
        return TableName.valueOf(namespace, table);
    }

    static byte[] family(String groupId) {
        return Bytes.utf8(groupId).toByteArray();
    }

    static byte[] qualifier(String familyId, String qualifier) {
        return Bytes.utf8(familyId + SEPARATOR + qualifier).toByteArray();
    }

    /** The prefix of the qualifiers of a family's cells. */
    static byte[] prefix(String familyId) {
        return Bytes.utf8(familyId + SEPARATOR).toByteArray();
    }

    /** The first qualifier after those of the family: ids have no semicolon, which follows the colon. */
    static byte[] prefixEnd(String familyId) {
        return Bytes.utf8(familyId + (char) (SEPARATOR + 1)).toByteArray();
    }

    /** The offset of the stored qualifier; 0 for a cell that is not ours. */
    static int qualifierStart(String full) {
        return full.indexOf(SEPARATOR) + 1;
    }
}
