package io.polytable.sql.tier.storage;

import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.TableKind;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Paths of table files, from templates with {@code {namespace}}, {@code {tableName}} and {@code {userId}}. */
public final class StoragePaths {
    public static final String USER_TEMPLATE = "{namespace}/{tableName}/{userId}";
    public static final String SHARED_TEMPLATE = "{namespace}/shared/{tableName}";

    /** The directory of exported files in each storage. */
    public static final String EXPORTS = "exports";

    /** The directory of files that hold the rows of all users, in place of a user. */
    private static final String ALL_USERS = "all~";

    /** Longer names would exceed the limit of most file systems; a digest replaces the rest. */
    private static final int SEGMENT_CHARS_MAX = 180;

    private static final int KEPT_CHARS = 100;
    private static final int TEMPLATE_CHARS_MAX = 500;
    /** A plain word or a placeholder, which may be labelled as in {@code user={userId}}. */
    private static final Pattern PART = Pattern.compile("[A-Za-z0-9_-]+|(?:[A-Za-z0-9_-]+=)?\\{(\\w+)}");

    private static final List<String> OF_SHARED = List.of("namespace", "tableName");
    private static final List<String> OF_USERS = List.of("namespace", "tableName", "userId");

    private StoragePaths() {}

    /**
     * Rejects a template under which two tables or two users would share a directory, or the files of a table would not
     * be below one directory of its own: cleanup of a dropped table, and of leftovers of a crash, lists that directory.
     */
    static String checked(String template, boolean ofUsers) {
        List<String> found = new ArrayList<>();
        boolean plain = true;
        String lastPart = "";
        for (String part : template.split("/", -1)) {
            Matcher form = PART.matcher(part);
            plain &= form.matches();
            if (plain && form.group(1) != null) {
                found.add(form.group(1));
            }
            lastPart = part;
        }
        boolean ordered = found.equals(ofUsers ? OF_USERS : OF_SHARED);
        boolean userLast = !ofUsers || lastPart.endsWith("{userId}");
        if (!plain || !ordered || !userLast || template.length() > TEMPLATE_CHARS_MAX) {
            throw new SqlError(
                    SqlCode.INVALID_DEFINITION,
                    "a template has {namespace} and then {tableName}" + (ofUsers ? " and {userId} at its end" : "")
                            + ", each once and a part of the path by itself, with plain words between, not '"
                            + template + "'");
        }
        return template;
    }

    /** The directory of the files of a scope. */
    public static String directory(StorageDef storage, TableDef table, String user) {
        boolean ofUsers = table.kind() == TableKind.USER;
        String[] parts = (ofUsers ? storage.userTemplate() : storage.sharedTemplate()).split("/", -1);
        String[] others = (ofUsers ? storage.sharedTemplate() : storage.userTemplate()).split("/", -1);
        for (int i = 0; i < parts.length; i++) {
            if (parts[i].indexOf('{') < 0) {
                continue;
            }
            parts[i] = parts[i].replace("{namespace}", escaped(table.physical().namespace()))
                    .replace("{tableName}", escaped(table.physical().name()))
                    .replace("{userId}", user.isEmpty() ? ALL_USERS : escaped(user));
            // A user table named shared would put its users among the shared tables, so no name equals a word of a
            // template.
            boolean word = i < others.length && parts[i].equals(others[i]);
            if (word || (i == 0 && parts[i].equals(EXPORTS))) {
                parts[i] += "~";
            }
        }
        return String.join("/", parts);
    }

    /** The directory of the whole table, which holds its schema files. */
    public static String tableDirectory(StorageDef storage, TableDef table) {
        String directory = directory(storage, table, "");
        return table.kind() == TableKind.USER ? directory.substring(0, directory.lastIndexOf('/')) : directory;
    }

    /**
     * Whether a file below a table's directory is at a level where the table has files: deeper directories may belong
     * to others.
     *
     * @param ofUsers whether the table has a directory for each user
     */
    public static boolean isPlaceOf(String tableDirectory, boolean ofUsers, String file) {
        if (!file.startsWith(tableDirectory + "/")) {
            return false;
        }
        long deeper = file.substring(tableDirectory.length() + 1)
                .chars()
                .filter(c -> c == '/')
                .count();
        return deeper == 0 || (ofUsers && deeper == 1);
    }

    /** The text as one part of a path: everything but letters, digits, '_' and '-' becomes %XX. */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (each & 0xff);
            boolean plain =
                    (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
            if (plain) {
                escaped.append(c);
            } else {
                escaped.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
            }
        }
        if (escaped.length() <= SEGMENT_CHARS_MAX) {
            return escaped.toString();
        }
        return escaped.substring(0, KEPT_CHARS) + "~" + digest(text);
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
