package io.polytable.sql.query.dialect;

import io.polytable.sql.tree.Expression.Constant;
import io.polytable.sql.tree.TypeName;
import io.polytable.sql.type.Casts;
import io.polytable.sql.type.DateTimeParser;
import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.Texts;
import io.polytable.table.Bytes;
import java.util.Set;

/** Quoted literals that are cast to a type, in the form in which DuckDB reads it. */
public final class Literals {
    private static final Set<String> DIFFERENT = Set.of(
            "INTEGER",
            "BIGINT",
            "SMALLINT",
            "DATE",
            "TIMESTAMP",
            "TIMESTAMP WITH TIME ZONE",
            "TIME",
            "BOOLEAN",
            "BLOB");

    private Literals() {}

    /** @throws io.polytable.sql.type.SqlError if the text is no value of the type */
    static Constant of(Constant literal, TypeName type) {
        String text = literal.text();
        if (type.dimensions() > 0) {
            boolean list = text.startsWith("{") && text.endsWith("}");
            return list ? with(literal, text.replace('{', '[').replace('}', ']')) : literal;
        }
        return switch (type.duck()) {
            case "INTEGER" -> checked(SqlType.INT, literal);
            case "BIGINT" -> checked(SqlType.BIGINT, literal);
            case "SMALLINT" -> checked(SqlType.SMALLINT, literal);
            case "DATE", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE" -> with(literal, DateTimeParser.iso(text));
            case "TIME" -> with(literal, DateTimeParser.isoTime(text));
            case "BOOLEAN" -> with(literal, String.valueOf(Casts.to(SqlType.BOOLEAN, text)));
            case "BLOB" -> with(literal, blob(Texts.toBytes(text)));
            default -> literal;
        };
    }

    /** A text that is cast to a type, in the form in which DuckDB reads it. */
    static String text(String type, String text) {
        return of(Constant.of(text), new TypeName(type, type)).text();
    }

    /** Whether DuckDB reads other texts as values of the type than PostgreSQL does. */
    public static boolean differs(TypeName type) {
        return type.dimensions() == 0 && DIFFERENT.contains(type.duck());
    }

    private static Constant with(Constant literal, String text) {
        return new Constant(literal.kind(), text, literal.at());
    }

    private static Constant checked(SqlType type, Constant literal) {
        Object unused = Casts.to(type, literal.text());
        return literal;
    }

    /** The bytes in DuckDB's text form of a blob. */
    public static String blob(Bytes bytes) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < bytes.length(); i++) {
            text.append(String.format("\\x%02X", bytes.at(i) & 0xff));
        }
        return text.toString();
    }
}
