package io.polytable.sql.syntax;

import io.polytable.sql.tree.TypeName;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parser of the types that a query casts to: those of columns, and intervals, arrays and DuckDB's other types. */
final class TypeNameParser {
    private static final int FLOAT_BITS_MAX = 24;

    private TypeNameParser() {}

    static TypeName parse(Tokens tokens) {
        Token token = tokens.current();
        return tryParse(tokens)
                .orElseThrow(() -> token.isName()
                        ? new SqlError(
                                SqlCode.UNDEFINED_OBJECT, "type \"" + token.text() + "\" does not exist", token.start())
                        : tokens.unexpected());
    }

    static Optional<TypeName> tryParse(Tokens tokens) {
        if (tokens.areNext("pg_catalog") && tokens.ahead(1).isSymbol(".")) {
            tokens.back(tokens.index() + 2);
        }
        Token token = tokens.current();
        Optional<TypeName> found = token.isName() ? TypeName.of(token.text()) : Optional.empty();
        if (found.isEmpty()) {
            return found;
        }
        tokens.next();
        TypeName type = found.get();
        boolean varying = type.is("VARCHAR") && tokens.take("varying");
        type = varying ? TypeName.of("varchar").orElse(type) : type;
        if (token.isWord("double")) {
            tokens.take("precision");
        }
        type = withDigits(tokens, type, token);
        return Optional.of(array(tokens, zoned(tokens, type)));
    }

    private static TypeName withDigits(Tokens tokens, TypeName type, Token token) {
        if (!tokens.current().isSymbol("(")) {
            boolean single = type.shown().equals("bpchar") && !token.isWord("bpchar");
            return single ? type.withDigits(List.of(1)) : type;
        }
        tokens.next();
        List<Integer> digits = new ArrayList<>();
        do {
            digits.add(number(tokens));
        } while (tokens.takeSymbol(","));
        tokens.expectSymbol(")");
        return switch (type.duck()) {
            case "DECIMAL" -> decimal(digits, token);
            case "VARCHAR" -> text(type, digits, token);
            case "DOUBLE" ->
                TypeName.of(digits.get(0) <= FLOAT_BITS_MAX ? "real" : "double").orElse(type);
            // Moments have microseconds, whatever precision is asked for.
            case "TIME", "TIMESTAMP", "INTERVAL", "TIME WITH TIME ZONE", "TIMESTAMP WITH TIME ZONE", "BIT" -> type;
            default -> throw new SqlError(SqlCode.SYNTAX_ERROR, "type " + type + " takes no length", token.start());
        };
    }

    private static TypeName decimal(List<Integer> digits, Token token) {
        int precision = digits.get(0);
        int scale = digits.size() > 1 ? digits.get(1) : 0;
        if (digits.size() > 2 || precision < 1 || precision > SqlType.DECIMAL_DIGITS_MAX || scale > precision) {
            throw new SqlError(
                    SqlCode.INVALID_PARAMETER,
                    "DECIMAL has 1 to " + SqlType.DECIMAL_DIGITS_MAX + " digits, and not more behind the point",
                    token.start());
        }
        return TypeName.decimal(precision, scale);
    }

    private static TypeName text(TypeName type, List<Integer> digits, Token token) {
        if (digits.size() > 1 || digits.get(0) < 1) {
            throw new SqlError(SqlCode.INVALID_PARAMETER, "length for type varchar must be at least 1", token.start());
        }
        return type.withDigits(digits);
    }

    private static TypeName zoned(Tokens tokens, TypeName type) {
        if (type.is(TypeName.TIMESTAMP) || type.is(TypeName.TIME)) {
            if (tokens.take("with", "time", "zone")) {
                return type.is(TypeName.TIME) ? TypeName.TIME_WITH_ZONE : TypeName.TIMESTAMP_WITH_ZONE;
            }
            tokens.take("without", "time", "zone");
        }
        return type;
    }

    private static TypeName array(Tokens tokens, TypeName type) {
        int dimensions = 0;
        if (tokens.take("array")) {
            dimensions = 1;
        }
        while (tokens.current().isSymbol("[")
                && (tokens.ahead(1).isSymbol("]") || tokens.ahead(2).isSymbol("]"))) {
            tokens.next();
            if (!tokens.current().isSymbol("]")) {
                number(tokens);
            }
            tokens.expectSymbol("]");
            dimensions++;
        }
        return type.array(dimensions);
    }

    private static int number(Tokens tokens) {
        Token token = tokens.current();
        boolean whole = token.kind() == Token.Kind.NUMBER
                && token.text().length() <= 8
                && token.text().chars().allMatch(Character::isDigit);
        if (!whole) {
            throw tokens.unexpected();
        }
        return Integer.parseInt(tokens.next().text());
    }
}
