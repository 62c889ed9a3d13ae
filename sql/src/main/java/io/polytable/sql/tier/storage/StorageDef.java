package io.polytable.sql.tier.storage;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A storage as CREATE STORAGE defines it.
 *
 * @param base a directory, or an S3 bucket
 * @param options how to reach it: endpoint, region, keys
 */
public record StorageDef(
        String id,
        Type type,
        String base,
        Map<String, String> options,
        String userTemplate,
        String sharedTemplate,
        Instant createdAt) {
    /** The storage that always exists, in the server's directory. */
    public static final String LOCAL = "local";

    private static final Set<String> TEMPLATES = Set.of("user_tables_template", "shared_tables_template");
    private static final Set<String> BASES = Set.of("base_directory", "path", "bucket");
    private static final Set<String> OF_S3 =
            Set.of("endpoint", "region", "access_key", "secret_key", "path_style", "prefix");

    public enum Type {
        FILESYSTEM,
        S3
    }

    public StorageDef {
        options = Map.copyOf(options);
    }

    /** Applies the options of a statement to the definition before; an option that is not given keeps its value. */
    static StorageDef of(String id, Type type, Map<String, String> given, StorageDef before, Instant now) {
        Map<String, String> options = new TreeMap<>(before.options());
        String base = before.base();
        String user = before.userTemplate();
        String shared = before.sharedTemplate();
        for (Map.Entry<String, String> option : given.entrySet()) {
            String name = option.getKey();
            if (BASES.contains(name)) {
                base = option.getValue();
            } else if (name.equals("user_tables_template")) {
                user = StoragePaths.checked(option.getValue(), true);
            } else if (TEMPLATES.contains(name)) {
                shared = StoragePaths.checked(option.getValue(), false);
            } else if (type == Type.S3 && OF_S3.contains(name)) {
                options.put(name, option.getValue());
            } else {
                throw refused(
                        "there is no option " + name + " of a " + type.name().toLowerCase(Locale.ROOT) + " storage");
            }
        }
        return new StorageDef(id, type, checkedBase(type, base), options, user, shared, now);
    }

    private static String checkedBase(Type type, String base) {
        if (type == Type.S3) {
            if (!base.matches("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")) {
                throw refused("an S3 storage needs a bucket, not '" + base + "'");
            }
            return base;
        }
        try {
            if (base.isEmpty() || !Path.of(base).isAbsolute()) {
                throw refused("a file storage needs an absolute path, not '" + base + "'");
            }
            return Path.of(base).normalize().toString();
        } catch (InvalidPathException notOne) {
            throw refused("'" + base + "' is not a path");
        }
    }

    static Type type(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "filesystem", "file", "local" -> Type.FILESYSTEM;
            case "s3" -> Type.S3;
            default -> throw refused("a storage is of TYPE filesystem or s3, not '" + text + "'");
        };
    }

    private static SqlError refused(String text) {
        return new SqlError(SqlCode.INVALID_DEFINITION, text);
    }
}
