package io.polytable.sql.query.scan;

import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.syntax.Quoted;
import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.SqlType.Kind;
import java.util.stream.Collectors;
import org.duckdb.DuckDBColumnType;

/**
 * The types in which values are transferred to DuckDB. A table function cannot fill columns of every type, so some are
 * transferred as another type, such as text, and converted by an expression around the scan.
 */
public final class ScanTypes {
    private ScanTypes() {}

    /** The type of the table function's column. */
    static DuckDBColumnType transferType(SqlType type) {
        return switch (type.kind()) {
            case BOOLEAN -> DuckDBColumnType.BOOLEAN;
            case SMALLINT -> DuckDBColumnType.SMALLINT;
            case INT -> DuckDBColumnType.INTEGER;
            case BIGINT -> DuckDBColumnType.BIGINT;
            case FLOAT -> DuckDBColumnType.FLOAT;
            case DOUBLE -> DuckDBColumnType.DOUBLE;
            case DATE -> DuckDBColumnType.INTEGER;
            case TIMESTAMP, TIME -> DuckDBColumnType.BIGINT;
            case DECIMAL, TEXT, BYTES, JSON, UUID, UNKNOWN -> DuckDBColumnType.VARCHAR;
        };
    }

    /** Bytes of other frontends are shown as text, because most are text; those of SQL tables stay bytes. */
    static boolean isShownAsText(Relation relation, SqlType type) {
        return type.is(Kind.BYTES) && !relation.isOurs();
    }

    /**
     * A query that reads a scan's columns and converts them to their own types.
     *
     * @param rows the rows in the types in which they are transferred
     */
    static String source(ScanSlot slot, String rows) {
        String list = slot.columns().stream()
                .map(column -> converted(slot.relation(), column) + " AS " + Quoted.name(column.name()))
                .collect(Collectors.joining(", "));
        return "SELECT " + list + " FROM " + rows;
    }

    /** The query that reads one scan without files. */
    public static String source(ScanSlot slot, long number) {
        return source(slot, ScanFunction.call(number));
    }

    static String converted(Relation relation, RelationColumn column) {
        String name = Quoted.name(column.name());
        return switch (column.type().kind()) {
            case DATE -> "(DATE '1970-01-01' + " + name + ")";
            case TIME -> "CAST(make_timestamp(" + name + ") AS TIME)";
            case DECIMAL, JSON, UUID -> "CAST(" + name + " AS " + column.type().duckText() + ")";
            case TIMESTAMP -> "(make_timestamp(" + name + ") AT TIME ZONE 'UTC')";
            case BYTES -> isShownAsText(relation, column.type()) ? name : "unhex(" + name + ")";
            default -> name;
        };
    }
}
