package io.polytable.sql.tier;

import io.polytable.sql.tier.storage.StorageDef;
import io.polytable.sql.tier.storage.StoragePaths;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The location of an exported file: {@code name.parquet} is below {@code exports} of the storage {@code local},
 * {@code storage://ID/name.parquet} below that of another.
 */
public record ExportPath(String storage, String path) {
    private static final Pattern FORM =
            Pattern.compile("(?:storage://([A-Za-z0-9_-]{1,100})/)?((?:[A-Za-z0-9_-][A-Za-z0-9_.-]{0,100}/){0,10}"
                    + "[A-Za-z0-9_-][A-Za-z0-9_.-]{0,100}\\.parquet)");

    public static ExportPath of(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new SqlError(
                    SqlCode.INVALID_VALUE,
                    "a file is named 'name.parquet' or 'storage://ID/name.parquet', with letters, digits, '_', '.', '-'"
                            + " and slashes, not '" + text + "'");
        }
        String storage = form.group(1);
        return new ExportPath(storage == null ? StorageDef.LOCAL : storage, StoragePaths.EXPORTS + "/" + form.group(2));
    }
}
