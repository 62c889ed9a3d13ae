package io.polytable.entity.cassandra.cluster;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names in Cassandra: quoted, to keep their case, and within its length limit. */
public final class Names {
    public static final String KEYSPACE_PREFIX = "pt_";

    private static final int LENGTH_MAX = 48;
    private static final int HASH_CHARACTERS = 12;

    private Names() {}

    public static String keyspace(String instance) {
        return fitted(KEYSPACE_PREFIX + instance);
    }

    /** Underscores make the end of the table's name ambiguous; then a hash of both names resolves it. */
    public static String table(String table, String groupId) {
        boolean isClear = !table.contains("_") && !groupId.contains("_");
        return fitted(table + "_" + groupId + (isClear ? "" : "_" + hash(table + "/" + groupId, 6)));
    }

    /** The table of an ordered table's keys; no locality group's table has this hash. */
    public static String keys(String table) {
        return fitted(table + "_keys_" + hash(table, 6));
    }

    /** The table of a group's columns by time; a table's own name never ends with this hash. */
    public static String byTime(String groupTable) {
        return fitted(groupTable + "_time_" + hash(groupTable, 6));
    }

    /** The table of a group's keys by column. */
    public static String byColumn(String groupTable) {
        return fitted(groupTable + "_columns_" + hash(groupTable, 6));
    }

    public static String quoted(String name) {
        return '"' + name + '"';
    }

    /** A name that is too long keeps its start and ends with a hash of the whole. */
    static String fitted(String name) {
        if (name.length() <= LENGTH_MAX) {
            return name;
        }
        return name.substring(0, LENGTH_MAX - HASH_CHARACTERS - 1) + "_" + hash(name, HASH_CHARACTERS);
    }

    private static String hash(String text, int characters) {
        try {
            byte[] hash = MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, characters);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has MD5", e);
        }
    }
}
