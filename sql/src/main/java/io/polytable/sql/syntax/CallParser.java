package io.polytable.sql.syntax;

import io.polytable.sql.tree.At;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Expression.Argument;
import io.polytable.sql.tree.Expression.Call;
import io.polytable.sql.tree.Expression.Constant;
import io.polytable.sql.tree.Order;
import io.polytable.sql.tree.TypeName;
import io.polytable.sql.tree.Window;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Parser of what begins with a word: calls, also those with a syntax of their own, typed literals, CASE, columns. */
final class CallParser {
    /** Functions that are called without parentheses. */
    private static final Set<String> BARE = Set.of(
            "current_user",
            "session_user",
            "current_role",
            "user",
            "current_schema",
            "current_catalog",
            "current_date",
            "current_time",
            "current_timestamp",
            "localtime",
            "localtimestamp");

    /** Reserved words that are functions, too. */
    private static final Set<String> ALSO_FUNCTIONS = Set.of("left", "right");

    /** The functions that make an interval of a number of units, and the type of that number. */
    private static final Map<String, TypeName> UNITS = Map.ofEntries(
            Map.entry("year", TypeName.INTEGER),
            Map.entry("quarter", TypeName.INTEGER),
            Map.entry("month", TypeName.INTEGER),
            Map.entry("week", TypeName.INTEGER),
            Map.entry("day", TypeName.INTEGER),
            Map.entry("hour", new TypeName("BIGINT", "int8")),
            Map.entry("minute", new TypeName("BIGINT", "int8")),
            Map.entry("second", new TypeName("DOUBLE", "float8")),
            Map.entry("millisecond", new TypeName("DOUBLE", "float8")),
            Map.entry("microsecond", new TypeName("BIGINT", "int8")));

    private final Tokens tokens;
    private final QueryParser queries;
    private final ExpressionParser expressions;

    CallParser(Tokens tokens, QueryParser queries, ExpressionParser expressions) {
        this.tokens = tokens;
        this.queries = queries;
        this.expressions = expressions;
    }

    /** The expression that begins with a word. */
    Expression word(Token token) {
        At at = queries.at();
        switch (token.text()) {
            case "null" -> {
                tokens.next();
                return new Constant(Constant.Kind.NULL, "", at);
            }
            case "true", "false" -> {
                return new Constant(Constant.Kind.BOOLEAN, tokens.next().text(), at);
            }
            case "case" -> {
                return choice(at);
            }
            case "cast", "try_cast" -> {
                return cast(at);
            }
            case "array" -> {
                tokens.next();
                return expressions.isSubqueryNext()
                        ? new Expression.Subquery(Expression.Subquery.Form.ARRAY, expressions.subquery(), at)
                        : expressions.listing(at);
            }
            case "exists" -> {
                if (tokens.ahead(1).isSymbol("(") && queries.isQueryNext(2)) {
                    tokens.next();
                    return new Expression.Subquery(Expression.Subquery.Form.EXISTS, expressions.subquery(), at);
                }
            }
            case "interval" -> {
                Optional<Expression> interval = interval(at);
                if (interval.isPresent()) {
                    return interval.get();
                }
            }
            case "lambda" -> {
                if (tokens.ahead(1).isName()) {
                    return lambda(at);
                }
            }
            case "map" -> {
                if (tokens.ahead(1).isSymbol("{")) {
                    return map(at);
                }
            }
            default -> {}
        }
        return typedLiteral(at).orElseGet(() -> callOrColumn(token, at));
    }

    private Expression callOrColumn(Token token, At at) {
        boolean call = tokens.ahead(1).isSymbol("(");
        if (BARE.contains(token.text()) && !tokens.ahead(1).isSymbol(".")) {
            return bare(at);
        }
        boolean function = call && ALSO_FUNCTIONS.contains(token.text());
        if (Tokens.isReserved(token.text()) && !function && !tokens.ahead(1).isSymbol(".")) {
            throw tokens.unexpected();
        }
        return call ? call() : columnOrQualifiedCall(at);
    }

    /** A column; the name of a function may be qualified, too, but no such function exists. */
    private Expression columnOrQualifiedCall(At at) {
        Expression column = expressions.column();
        if (tokens.current().isSymbol("(") && column instanceof Expression.Column path) {
            String name = String.join(".", path.path());
            throw new SqlError(SqlCode.UNDEFINED_FUNCTION, "function " + name + " does not exist", at.offset());
        }
        return column;
    }

    /** A function without parentheses; those of time may have a precision, which changes nothing. */
    private Expression bare(At at) {
        String name = tokens.next().text();
        if (tokens.takeSymbol("(")) {
            if (!tokens.current().isSymbol(")")) {
                Expression unused = expressions.parse();
            }
            tokens.expectSymbol(")");
        }
        return Call.of(name, at);
    }

    private Optional<Expression> typedLiteral(At at) {
        int from = tokens.index();
        Token first = tokens.current();
        Token second = tokens.ahead(1);
        boolean adjacentBits = first.isWord("b") && second.kind() == Token.Kind.STRING && second.start() == first.end();
        if (adjacentBits) {
            tokens.next();
            Constant bits = new Constant(Constant.Kind.STRING, tokens.next().text(), at);
            return Optional.of(new Expression.Cast(bits, TypeName.of("bit").orElseThrow(), at));
        }
        boolean likely = TypeName.of(first.text()).isPresent()
                && (second.kind() == Token.Kind.STRING
                        || second.isWord("with")
                        || second.isWord("without")
                        || second.isWord("precision")
                        || second.isWord("varying")
                        || (second.isSymbol("(") && tokens.ahead(2).kind() == Token.Kind.NUMBER));
        if (!likely) {
            return Optional.empty();
        }
        // A literal has the length of its text: `char 'abc'` is no cast to one character.
        boolean sized = second.isSymbol("(");
        Optional<TypeName> type = tryType().map(each -> sized ? each : each.withDigits(List.of()));
        if (type.isEmpty() || tokens.current().kind() != Token.Kind.STRING) {
            tokens.back(from);
            return Optional.empty();
        }
        Token text = tokens.next();
        Constant value = new Constant(Constant.Kind.STRING, text.text(), new At(text.start()));
        return Optional.of(new Expression.Cast(value, type.get(), at));
    }

    /** A type, unless it is a function with the name of a type and some arguments. */
    private Optional<TypeName> tryType() {
        try {
            return TypeNameParser.tryParse(tokens);
        } catch (SqlError call) {
            return Optional.empty();
        }
    }

    // --- intervals ---------------------------------------------------------------------------------------------------

    private Optional<Expression> interval(At at) {
        int from = tokens.index();
        tokens.next();
        Token value = tokens.current();
        if (value.kind() == Token.Kind.STRING) {
            tokens.next();
            String unit = unit().map(name -> " " + name).orElse("");
            boolean number = value.text().chars().allMatch(c -> Character.isDigit(c) || c == '.' || c == '-')
                    && !value.text().isBlank();
            if (tokens.areNext("to") && !unit.isEmpty()) {
                throw tokens.unsupported("an interval of several units");
            }
            Constant text = new Constant(
                    Constant.Kind.STRING, number ? value.text() + unit : value.text(), new At(value.start()));
            return Optional.of(new Expression.Cast(text, TypeName.INTERVAL, at));
        }
        boolean parenthesized = value.isSymbol("(");
        if (value.kind() == Token.Kind.NUMBER || parenthesized) {
            tokens.next();
            Expression count = parenthesized
                    ? expressions.parse()
                    : new Constant(Constant.Kind.NUMBER, value.text(), new At(value.start()));
            if (!parenthesized || tokens.takeSymbol(")")) {
                Optional<String> unit = unit();
                if (unit.isPresent()) {
                    return Optional.of(units(count, unit.get(), at));
                }
            }
        }
        tokens.back(from);
        return Optional.empty();
    }

    private Optional<String> unit() {
        Token token = tokens.current();
        String name = token.kind() == Token.Kind.WORD && token.text().endsWith("s")
                ? token.text().substring(0, token.text().length() - 1)
                : token.text();
        if (token.kind() != Token.Kind.WORD || !UNITS.containsKey(name)) {
            return Optional.empty();
        }
        tokens.next();
        return Optional.of(name);
    }

    private static Expression units(Expression count, String unit, At at) {
        TypeName type = UNITS.getOrDefault(unit, TypeName.INTEGER);
        TypeName floating = new TypeName("DOUBLE", "float8");
        Expression number = new Expression.Cast(count, floating, at);
        if (!type.is(floating)) {
            number = new Expression.Cast(Call.of("trunc", at, number), type, at);
        }
        return Call.of("to_" + unit + "s", at, number);
    }

    // --- CASE, casts, lambdas ----------------------------------------------------------------------------------------

    private Expression choice(At at) {
        tokens.next();
        Optional<Expression> subject = tokens.areNext("when") ? Optional.empty() : Optional.of(expressions.parse());
        List<Expression.Case.Branch> branches = new ArrayList<>();
        while (tokens.take("when")) {
            Expression condition = expressions.parse();
            tokens.expect("then");
            branches.add(new Expression.Case.Branch(condition, expressions.parse()));
        }
        if (branches.isEmpty()) {
            throw tokens.unexpected();
        }
        Optional<Expression> otherwise = tokens.take("else") ? Optional.of(expressions.parse()) : Optional.empty();
        tokens.expect("end");
        return new Expression.Case(subject, branches, otherwise, at);
    }

    private Expression cast(At at) {
        boolean tried = tokens.next().isWord("try_cast");
        tokens.expectSymbol("(");
        Expression operand = expressions.parse();
        tokens.expect("as");
        TypeName type = TypeNameParser.parse(tokens);
        tokens.expectSymbol(")");
        return new Expression.Cast(operand, type, tried, at);
    }

    private Expression lambda(At at) {
        tokens.next();
        List<String> parameters = new ArrayList<>();
        do {
            parameters.add(tokens.anyName());
        } while (tokens.takeSymbol(","));
        tokens.expectSymbol(":");
        return new Expression.Lambda(parameters, expressions.parse(), at);
    }

    /** {@code {'a': 1, 'b': 2}}, behind the brace. */
    Expression struct(At at) {
        List<Argument> fields = new ArrayList<>();
        do {
            String name = tokens.current().kind() == Token.Kind.STRING ? tokens.string() : tokens.anyName();
            tokens.expectSymbol(":");
            fields.add(new Argument(Optional.of(name), expressions.parse()));
        } while (tokens.takeSymbol(","));
        tokens.expectSymbol("}");
        return Call.of("struct_pack", at).withArguments(fields);
    }

    private Expression map(At at) {
        tokens.next();
        tokens.next();
        List<Expression> keys = new ArrayList<>();
        List<Expression> values = new ArrayList<>();
        while (!tokens.takeSymbol("}")) {
            keys.add(expressions.parse());
            tokens.expectSymbol(":");
            values.add(expressions.parse());
            if (!tokens.takeSymbol(",") && !tokens.current().isSymbol("}")) {
                throw tokens.unexpected();
            }
        }
        return Call.of("map", at, new Expression.Listing(keys, at), new Expression.Listing(values, at));
    }

    // --- calls -------------------------------------------------------------------------------------------------------

    /** A call; the current token is the name of the function. */
    Expression call() {
        At at = queries.at();
        Token name = tokens.next();
        tokens.expectSymbol("(");
        queries.enter();
        Expression call = name.kind() == Token.Kind.QUOTED ? plain(name.text(), at) : special(name.text(), at);
        queries.leave();
        return call;
    }

    private Expression special(String name, At at) {
        return switch (name) {
            case "extract" -> extract(at);
            case "position" -> position(at);
            case "overlay" -> overlay(at);
            case "substring" -> substring(at);
            case "trim" -> trim(at);
            case "row" -> new Expression.Row(rest(), at);
            case "grouping", "grouping_id" -> new Expression.GroupingMask(rest(), at);
            case "coalesce", "ifnull" -> Call.of("coalesce", at, rest());
            default -> plain(name, at);
        };
    }

    /** The remaining arguments of a call that has nothing else. */
    private List<Expression> rest() {
        List<Expression> arguments = tokens.current().isSymbol(")") ? List.of() : expressions.list();
        tokens.expectSymbol(")");
        return arguments;
    }

    private Expression extract(At at) {
        Token part = tokens.current();
        if (!part.isName() && part.kind() != Token.Kind.STRING) {
            throw tokens.unexpected();
        }
        tokens.next();
        tokens.expect("from");
        Expression moment = expressions.parse();
        tokens.expectSymbol(")");
        Constant field = new Constant(Constant.Kind.STRING, part.text().toLowerCase(Locale.ROOT), at);
        return Call.of("extract", at, field, moment);
    }

    private Expression position(At at) {
        Expression part = expressions.simple();
        if (tokens.takeSymbol(",")) {
            Expression whole = expressions.parse();
            tokens.expectSymbol(")");
            return Call.of("position", at, part, whole);
        }
        tokens.expect("in");
        Expression whole = expressions.simple();
        tokens.expectSymbol(")");
        return Call.of("position", at, whole, part);
    }

    private Expression overlay(At at) {
        List<Expression> arguments = new ArrayList<>(List.of(expressions.parse()));
        if (tokens.take("placing")) {
            arguments.add(expressions.parse());
            tokens.expect("from");
            arguments.add(expressions.parse());
            if (tokens.take("for")) {
                arguments.add(expressions.parse());
            }
            tokens.expectSymbol(")");
        } else {
            tokens.expectSymbol(",");
            arguments.addAll(rest());
        }
        return Call.of("overlay", at, arguments);
    }

    private Expression substring(At at) {
        List<Expression> arguments = new ArrayList<>(List.of(expressions.parse()));
        if (tokens.areNext("similar")) {
            throw tokens.unsupported("SUBSTRING ... SIMILAR");
        }
        if (tokens.take("from")) {
            arguments.add(expressions.parse());
            if (tokens.take("for")) {
                arguments.add(expressions.parse());
            }
            tokens.expectSymbol(")");
        } else if (tokens.take("for")) {
            arguments.add(Constant.of(1));
            arguments.add(expressions.parse());
            tokens.expectSymbol(")");
        } else if (tokens.takeSymbol(",")) {
            arguments.addAll(rest());
        } else {
            tokens.expectSymbol(")");
        }
        return Call.of("substring", at, arguments);
    }

    private Expression trim(At at) {
        String function = "trim";
        if (tokens.take("leading")) {
            function = "ltrim";
        } else if (tokens.take("trailing")) {
            function = "rtrim";
        } else {
            tokens.take("both");
        }
        List<Expression> arguments = new ArrayList<>();
        if (tokens.take("from")) {
            return Call.of(function, at, rest());
        }
        arguments.add(expressions.parse());
        if (tokens.take("from")) {
            arguments.add(0, expressions.parse());
        } else if (tokens.takeSymbol(",")) {
            arguments.addAll(rest());
            return Call.of(function, at, arguments);
        }
        tokens.expectSymbol(")");
        return Call.of(function, at, arguments);
    }

    private Expression plain(String name, At at) {
        boolean star = tokens.current().isSymbol("*") && tokens.ahead(1).isSymbol(")");
        List<Argument> arguments = new ArrayList<>();
        List<Order> orders = List.of();
        boolean distinct = false;
        if (star) {
            tokens.next();
        } else if (!tokens.current().isSymbol(")")) {
            distinct = tokens.take("distinct");
            if (!distinct) {
                tokens.take("all");
            }
            do {
                arguments.add(argument());
            } while (tokens.takeSymbol(","));
            orders = tokens.take("order", "by") ? queries.orders() : orders;
        }
        boolean ignoreNulls = nulls();
        tokens.expectSymbol(")");
        ignoreNulls |= nulls();
        String function = star && name.equals("count") ? "count_star" : name;
        if (star && !name.equals("count")) {
            throw new SqlError(SqlCode.UNDEFINED_FUNCTION, "function " + name + "(*) does not exist", at.offset());
        }
        boolean within = tokens.take("within", "group");
        if (within) {
            tokens.expectSymbol("(");
            tokens.expect("order", "by");
            orders = queries.orders();
            tokens.expectSymbol(")");
        }
        Optional<Expression> filter = filter();
        ignoreNulls |= nulls();
        return new Call(function, arguments, distinct, orders, within, filter, ignoreNulls, over(), at);
    }

    private boolean nulls() {
        if (tokens.take("ignore", "nulls")) {
            return true;
        }
        boolean unused = tokens.take("respect", "nulls");
        return false;
    }

    private Argument argument() {
        boolean named = tokens.current().isName()
                && (tokens.ahead(1).isSymbol(":=") || tokens.ahead(1).isSymbol("=>"));
        if (!named) {
            return Argument.of(tokens.current().isSymbol("*") ? expressions.parse() : expressions.itemOrStar());
        }
        String name = tokens.anyName();
        tokens.next();
        return new Argument(Optional.of(name), expressions.parse());
    }

    private Optional<Expression> filter() {
        if (!tokens.areNext("filter") || !tokens.ahead(1).isSymbol("(")) {
            return Optional.empty();
        }
        tokens.next();
        tokens.next();
        tokens.expect("where");
        Expression filter = expressions.parse();
        tokens.expectSymbol(")");
        return Optional.of(filter);
    }

    private Optional<Window> over() {
        if (!tokens.take("over")) {
            return Optional.empty();
        }
        if (tokens.current().isSymbol("(")) {
            return Optional.of(queries.window());
        }
        return Optional.of(new Window(Optional.of(tokens.name()), true, List.of(), List.of(), Optional.empty()));
    }
}
