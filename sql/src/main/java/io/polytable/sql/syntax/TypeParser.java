package io.polytable.sql.syntax;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import java.util.Optional;

/** Parser of type names. */
final class TypeParser {
    private TypeParser() {}

    static SqlType parse(Tokens tokens) {
        Token token = tokens.current();
        return tryParse(tokens)
                .orElseThrow(() -> token.isName()
                        ? new SqlError(
                                SqlCode.UNDEFINED_OBJECT, "type \"" + token.text() + "\" does not exist", token.start())
                        : tokens.unexpected());
    }

    static Optional<SqlType> tryParse(Tokens tokens) {
        Token token = tokens.current();
        Optional<SqlType> found = token.isName() ? SqlType.named(token.text()) : Optional.empty();
        if (found.isEmpty()) {
            return found;
        }
        tokens.next();
        SqlType type = found.get();
        boolean varying = token.isWord("character") && tokens.take("varying");
        if (token.isWord("double")) {
            tokens.take("precision");
        }
        if (tokens.current().isSymbol("(")) {
            type = withLengths(tokens, type, token.start());
        } else if (varying) {
            type = SqlType.TEXT;
        }
        if (type.is(SqlType.Kind.TIMESTAMP) || type.is(SqlType.Kind.TIME)) {
            // With or without a time zone it is the same type, an instant.
            if (!tokens.take("with", "time", "zone")) {
                tokens.take("without", "time", "zone");
            }
        }
        return Optional.of(type);
    }

    private static SqlType withLengths(Tokens tokens, SqlType type, int position) {
        tokens.expectSymbol("(");
        int first = number(tokens);
        int second = tokens.takeSymbol(",") ? number(tokens) : 0;
        tokens.expectSymbol(")");
        return switch (type.kind()) {
            case DECIMAL -> decimal(first, second, position);
            case TEXT -> text(first, position);
            case DOUBLE -> first <= 24 ? SqlType.FLOAT : SqlType.DOUBLE;
            case TIMESTAMP, TIME -> type;
            default -> throw new SqlError(SqlCode.SYNTAX_ERROR, "type " + type + " takes no length", position);
        };
    }

    private static SqlType text(int length, int position) {
        if (length < 1) {
            throw new SqlError(SqlCode.INVALID_PARAMETER, "length for type varchar must be at least 1", position);
        }
        return SqlType.text(length);
    }

    private static SqlType decimal(int precision, int scale, int position) {
        if (precision < 1 || precision > SqlType.DECIMAL_DIGITS_MAX || scale > precision) {
            throw new SqlError(
                    SqlCode.INVALID_DEFINITION,
                    "DECIMAL has 1 to " + SqlType.DECIMAL_DIGITS_MAX + " digits, and not more behind the point",
                    position);
        }
        return SqlType.decimal(precision, scale);
    }

    private static int number(Tokens tokens) {
        Token token = tokens.current();
        if (token.kind() != Token.Kind.NUMBER || !token.text().matches("\\d{1,8}")) {
            throw tokens.unexpected();
        }
        return Integer.parseInt(tokens.next().text());
    }
}
