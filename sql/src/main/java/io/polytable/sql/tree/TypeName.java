package io.polytable.sql.tree;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The name of a type in a cast.
 *
 * @param duck DuckDB's name of the type
 * @param shown PostgreSQL's name, which names an unnamed column that is a cast
 * @param digits the length, or the precision and scale
 * @param dimensions the dimensions of an array; 0 for a single value
 */
public record TypeName(String duck, String shown, List<Integer> digits, int dimensions) {
    public static final TypeName BOOLEAN = new TypeName("BOOLEAN", "bool");
    public static final TypeName INTEGER = new TypeName("INTEGER", "int4");
    public static final TypeName TEXT = new TypeName("VARCHAR", "text");
    public static final TypeName DATE = new TypeName("DATE", "date");
    public static final TypeName TIME = new TypeName("TIME", "time");
    public static final TypeName TIME_WITH_ZONE = new TypeName("TIME WITH TIME ZONE", "timetz");
    public static final TypeName TIMESTAMP = new TypeName("TIMESTAMP", "timestamp");
    public static final TypeName TIMESTAMP_WITH_ZONE = new TypeName("TIMESTAMP WITH TIME ZONE", "timestamptz");
    public static final TypeName INTERVAL = new TypeName("INTERVAL", "interval");

    private static final Map<String, TypeName> NAMES = Stream.of(
                    named("BOOLEAN", "bool", "boolean", "bool", "logical"),
                    named("TINYINT", "int1", "tinyint", "int1"),
                    named("SMALLINT", "int2", "smallint", "int2", "short"),
                    named("INTEGER", "int4", "int", "integer", "int4", "signed"),
                    named("BIGINT", "int8", "bigint", "int8", "long"),
                    named("HUGEINT", "numeric", "hugeint", "int128"),
                    named("UTINYINT", "utinyint", "utinyint", "uint8"),
                    named("USMALLINT", "usmallint", "usmallint", "uint16"),
                    named("UINTEGER", "uinteger", "uinteger", "uint32"),
                    named("UBIGINT", "ubigint", "ubigint", "uint64"),
                    named("UHUGEINT", "uhugeint", "uhugeint", "uint128"),
                    named("BIGNUM", "numeric", "bignum", "varint"),
                    named("REAL", "float4", "real", "float4"),
                    named("DOUBLE", "float8", "double", "double precision", "float8", "float"),
                    named("DECIMAL", "numeric", "decimal", "numeric", "dec"),
                    named("VARCHAR", "text", "text", "string"),
                    named("VARCHAR", "varchar", "varchar", "character varying", "char varying", "nvarchar"),
                    named("VARCHAR", "bpchar", "char", "character", "bpchar", "nchar"),
                    named("VARCHAR", "name", "name"),
                    named("BLOB", "bytea", "bytea", "blob", "bytes", "binary", "varbinary"),
                    named("JSON", "json", "json"),
                    named("JSON", "jsonb", "jsonb"),
                    named("DATE", "date", "date"),
                    named("TIME", "time", "time", "time without time zone"),
                    named("TIME WITH TIME ZONE", "timetz", "timetz", "time with time zone"),
                    named("TIMESTAMP", "timestamp", "timestamp", "timestamp without time zone", "datetime"),
                    named("TIMESTAMP WITH TIME ZONE", "timestamptz", "timestamptz", "timestamp with time zone"),
                    named("TIMESTAMP_S", "timestamp", "timestamp_s"),
                    named("TIMESTAMP_MS", "timestamp", "timestamp_ms"),
                    named("TIMESTAMP_NS", "timestamp", "timestamp_ns"),
                    named("INTERVAL", "interval", "interval"),
                    named("UUID", "uuid", "uuid"),
                    named("BIT", "bit", "bit", "bitstring"))
            .flatMap(group -> group.getKey().stream().map(name -> Map.entry(name, group.getValue())))
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    public TypeName {
        digits = List.copyOf(digits);
    }

    public TypeName(String duck, String shown) {
        this(duck, shown, List.of(), 0);
    }

    private static Map.Entry<List<String>, TypeName> named(String duck, String shown, String... names) {
        return Map.entry(List.of(names), new TypeName(duck, shown));
    }

    /** The type of a name in lower case, with single spaces between words. */
    public static Optional<TypeName> of(String name) {
        return Optional.ofNullable(NAMES.get(name));
    }

    public static TypeName decimal(int precision, int scale) {
        return new TypeName("DECIMAL", "numeric", List.of(precision, scale), 0);
    }

    public TypeName withDigits(List<Integer> given) {
        return new TypeName(duck, shown, given, dimensions);
    }

    public TypeName array(int more) {
        return new TypeName(duck, shown, digits, dimensions + more);
    }

    /** Whether it is this type, of whatever length, and no array. */
    public boolean is(TypeName other) {
        return dimensions == 0 && duck.equals(other.duck);
    }

    public boolean is(String name) {
        return dimensions == 0 && duck.equals(name);
    }

    /** The type as DuckDB reads it. */
    public String text() {
        StringBuilder text = new StringBuilder(duck);
        if (!digits.isEmpty()) {
            text.append('(');
            for (int i = 0; i < digits.size(); i++) {
                text.append(i > 0 ? "," : "").append(digits.get(i));
            }
            text.append(')');
        }
        return text.append("[]".repeat(dimensions)).toString();
    }

    @Override
    public String toString() {
        return text().toLowerCase(Locale.ROOT);
    }
}
