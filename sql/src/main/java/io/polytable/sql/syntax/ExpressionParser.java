package io.polytable.sql.syntax;

import io.polytable.sql.tree.At;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Expression.Call;
import io.polytable.sql.tree.Expression.Comparison;
import io.polytable.sql.tree.Expression.Comparison.Sign;
import io.polytable.sql.tree.Expression.Constant;
import io.polytable.sql.tree.Query;
import io.polytable.sql.tree.TypeName;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Recursive-descent parser of expressions, with PostgreSQL's precedence of operators. */
final class ExpressionParser {
    private static final Map<String, Sign> SIGNS = Map.of(
            "=", Sign.EQUAL,
            "<>", Sign.NOT_EQUAL,
            "!=", Sign.NOT_EQUAL,
            "<", Sign.LESS,
            "<=", Sign.LESS_OR_EQUAL,
            ">", Sign.GREATER,
            ">=", Sign.GREATER_OR_EQUAL);

    /** Symbols that are not operators of the level between comparison and sum. */
    private static final Set<String> NO_OPERATORS = Set.of(
            "(", ")", ",", ";", "[", "]", "{", "}", ".", ":", "::", ":=", "=>", "+", "-", "*", "/", "//", "%", "^");

    private static final int PARAMETERS_MAX = 99_999;
    private static final int COLUMN_PARTS_MAX = 4;

    private final Tokens tokens;
    private final QueryParser queries;
    private final CallParser calls;
    private int nesting;

    ExpressionParser(Tokens tokens, QueryParser queries) {
        this.tokens = tokens;
        this.queries = queries;
        calls = new CallParser(tokens, queries, this);
    }

    /** {@code *}. */
    static Query.Item everything(At at) {
        return new Query.Item(new Expression.Star(Optional.empty(), List.of(), List.of(), at), Optional.empty());
    }

    Expression parse() {
        queries.enter();
        nesting++;
        Expression expression = or();
        nesting--;
        queries.leave();
        boolean leaf = expression instanceof Constant
                || expression instanceof Expression.Column
                || expression instanceof Expression.Parameter;
        if (nesting == 0 && !leaf) {
            queries.requireFlat(expression);
        }
        return expression;
    }

    /** Runs the parser of a query inside an expression: its expressions are checked on their own. */
    private Query query() {
        int outer = nesting;
        nesting = 0;
        Query query = queries.query();
        nesting = outer;
        return query;
    }

    /** A query in parentheses. */
    Query subquery() {
        queries.enter();
        tokens.expectSymbol("(");
        Query query = query();
        tokens.expectSymbol(")");
        queries.leave();
        return query;
    }

    boolean isSubqueryNext() {
        return tokens.current().isSymbol("(") && queries.isQueryNext(1);
    }

    List<Expression> list() {
        List<Expression> items = new ArrayList<>();
        do {
            items.add(parse());
        } while (tokens.takeSymbol(","));
        return items;
    }

    /** An expression without boolean operators and comparisons. */
    Expression simple() {
        return other();
    }

    Expression call() {
        return calls.call();
    }

    // --- the select list -------------------------------------------------------------------------------------------

    Expression itemOrStar() {
        At at = queries.at();
        if (tokens.takeSymbol("*")) {
            return star(Optional.empty(), at);
        }
        int parts = 0;
        while (tokens.ahead(2 * parts).isName() && tokens.ahead(2 * parts + 1).isSymbol(".")) {
            parts++;
        }
        if (parts > 0 && tokens.ahead(2 * parts).isSymbol("*")) {
            String table = tokens.ahead(2 * parts - 2).text();
            tokens.back(tokens.index() + 2 * parts + 1);
            return star(Optional.of(table), at);
        }
        return parse();
    }

    private Expression star(Optional<String> table, At at) {
        List<List<String>> without = new ArrayList<>();
        if (tokens.take("exclude")) {
            if (tokens.takeSymbol("(")) {
                do {
                    without.add(path());
                } while (tokens.takeSymbol(","));
                tokens.expectSymbol(")");
            } else {
                without.add(path());
            }
        }
        List<Query.Item> replaced = new ArrayList<>();
        if (tokens.areNext("replace") && tokens.ahead(1).isSymbol("(")) {
            tokens.next();
            tokens.next();
            do {
                Expression value = parse();
                tokens.expect("as");
                replaced.add(new Query.Item(value, Optional.of(tokens.anyName())));
            } while (tokens.takeSymbol(","));
            tokens.expectSymbol(")");
        }
        return new Expression.Star(table, without, replaced, at);
    }

    private List<String> path() {
        List<String> path = new ArrayList<>(List.of(tokens.anyName()));
        while (tokens.takeSymbol(".")) {
            path.add(tokens.anyName());
        }
        return path;
    }

    // --- from the weakest operator to the strongest ------------------------------------------------------------------

    private Expression or() {
        At at = queries.at();
        Expression first = and();
        if (!tokens.areNext("or")) {
            return first;
        }
        List<Expression> operands = new ArrayList<>(List.of(first));
        while (tokens.take("or")) {
            operands.add(and());
        }
        return new Expression.Logical(false, operands, at);
    }

    private Expression and() {
        At at = queries.at();
        Expression first = not();
        if (!tokens.areNext("and")) {
            return first;
        }
        List<Expression> operands = new ArrayList<>(List.of(first));
        while (tokens.take("and")) {
            operands.add(not());
        }
        return new Expression.Logical(true, operands, at);
    }

    private Expression not() {
        At at = queries.at();
        if (!tokens.take("not")) {
            return tested();
        }
        queries.enter();
        Expression operand = not();
        queries.leave();
        return new Expression.Not(operand, at);
    }

    /** IS, which binds weaker than comparisons. */
    private Expression tested() {
        Expression left = compared();
        while (true) {
            At at = queries.at();
            if (tokens.take("is")) {
                left = is(left, at);
            } else if (tokens.take("isnull")) {
                left = new Expression.IsNull(left, false, at);
            } else if (tokens.take("notnull")) {
                left = new Expression.IsNull(left, true, at);
            } else {
                return left;
            }
        }
    }

    private Expression is(Expression left, At at) {
        boolean negated = tokens.take("not");
        if (tokens.take("null") || tokens.take("unknown")) {
            return new Expression.IsNull(left, negated, at);
        }
        boolean truth = tokens.areNext("true");
        if (tokens.take("true") || tokens.take("false")) {
            Constant value = new Constant(Constant.Kind.BOOLEAN, Boolean.toString(truth), at);
            Expression known = new Expression.Cast(left, TypeName.BOOLEAN, at);
            return new Comparison(negated ? Sign.DISTINCT : Sign.NOT_DISTINCT, known, value, at);
        }
        if (tokens.areNext("document") || tokens.areNext("json") || tokens.areNext("normalized")) {
            throw tokens.unsupported("IS " + tokens.current().text());
        }
        tokens.expect("distinct", "from");
        return new Comparison(negated ? Sign.NOT_DISTINCT : Sign.DISTINCT, left, compared(), at);
    }

    private Expression compared() {
        Expression left = matched();
        while (true) {
            At at = queries.at();
            Optional<Sign> sign = sign();
            if (sign.isEmpty()) {
                return left;
            }
            left = quantified(left, sign.get(), at);
        }
    }

    private Optional<Sign> sign() {
        Token token = tokens.current();
        Sign sign = token.kind() == Token.Kind.SYMBOL ? SIGNS.get(token.text()) : null;
        if (sign != null) {
            tokens.next();
        }
        return Optional.ofNullable(sign);
    }

    /** BETWEEN, IN, LIKE and their relatives, which bind stronger than comparisons. */
    private Expression matched() {
        Expression left = other();
        while (true) {
            Optional<Expression> longer = longer(left);
            if (longer.isEmpty()) {
                return left;
            }
            left = longer.get();
        }
    }

    private Optional<Expression> longer(Expression left) {
        At at = queries.at();
        boolean negated = tokens.areNext("not");
        Token word = negated ? tokens.ahead(1) : tokens.current();
        if (word.kind() != Token.Kind.WORD) {
            return Optional.empty();
        }
        switch (word.text()) {
            case "in", "between", "like", "ilike", "similar" -> {}
            default -> {
                return Optional.empty();
            }
        }
        if (word.isWord("similar") && !tokens.ahead(negated ? 2 : 1).isWord("to")) {
            return Optional.empty();
        }
        tokens.back(tokens.index() + (negated ? 2 : 1));
        return Optional.of(
                switch (word.text()) {
                    case "in" -> in(left, negated, at);
                    case "between" -> between(left, negated, at);
                    case "similar" -> similar(left, negated, at);
                    default -> like(left, word.isWord("ilike"), negated, at);
                });
    }

    private Expression in(Expression left, boolean negated, At at) {
        if (isSubqueryNext()) {
            Sign sign = negated ? Sign.NOT_EQUAL : Sign.EQUAL;
            return new Expression.Quantified(left, sign, negated, subquery(), at);
        }
        if (!tokens.current().isSymbol("(")) {
            // DuckDB's: a list as one value.
            Expression list = other();
            Expression contained = Call.of("contains", at, list, left);
            return negated ? new Expression.Not(contained, at) : contained;
        }
        tokens.next();
        List<Expression> items = list();
        tokens.expectSymbol(")");
        return new Expression.InList(left, items, negated, at);
    }

    private Expression between(Expression left, boolean negated, At at) {
        if (tokens.areNext("symmetric")) {
            throw tokens.unsupported("BETWEEN SYMMETRIC");
        }
        tokens.take("asymmetric");
        Expression low = other();
        tokens.expect("and");
        return new Expression.Between(left, low, other(), negated, at);
    }

    private Expression similar(Expression left, boolean negated, At at) {
        tokens.expect("to");
        Expression pattern = other();
        if (tokens.areNext("escape")) {
            throw tokens.unsupported("SIMILAR TO with ESCAPE");
        }
        Expression matches = new Expression.Operator("similar to", left, pattern, at);
        return negated ? new Expression.Not(matches, at) : matches;
    }

    private Expression like(Expression left, boolean caseless, boolean negated, At at) {
        if (tokens.areNext("any") || tokens.areNext("all") || tokens.areNext("some")) {
            throw tokens.unsupported("LIKE ANY");
        }
        Expression pattern = other();
        String symbol = (negated ? "!" : "") + "~~" + (caseless ? "*" : "");
        if (tokens.take("escape")) {
            return new Expression.Operator(symbol, List.of(left, pattern, other()), at);
        }
        return new Expression.Operator(symbol, left, pattern, at);
    }

    /** All operators that have no level of their own. */
    private Expression other() {
        At first = queries.at();
        if (isOtherOperator()) {
            String symbol = tokens.next().text();
            queries.enter();
            Expression operand = other();
            queries.leave();
            return new Expression.Operator(symbol, List.of(operand), first);
        }
        Expression left = sum();
        while (isOtherOperator()) {
            At at = queries.at();
            String symbol = tokens.next().text();
            left = binary(symbol, left, rightOfOther(), at);
        }
        return left;
    }

    private static Expression binary(String symbol, Expression left, Expression right, At at) {
        return switch (symbol) {
            case "!~", "!~*" -> new Expression.Not(new Expression.Operator(symbol.substring(1), left, right, at), at);
            // Views that an earlier version stored spell these two operators so.
            case "~>" -> new Expression.Operator("->", left, right, at);
            case "~^" -> new Expression.Operator("#", left, right, at);
            default -> new Expression.Operator(symbol, left, right, at);
        };
    }

    private Expression rightOfOther() {
        if (!isOtherOperator()) {
            return sum();
        }
        At at = queries.at();
        String symbol = tokens.next().text();
        queries.enter();
        Expression operand = rightOfOther();
        queries.leave();
        return new Expression.Operator(symbol, List.of(operand), at);
    }

    private boolean isOtherOperator() {
        Token token = tokens.current();
        return token.kind() == Token.Kind.SYMBOL
                && !SIGNS.containsKey(token.text())
                && !NO_OPERATORS.contains(token.text());
    }

    private Expression sum() {
        Expression left = product();
        while (tokens.current().isSymbol("+") || tokens.current().isSymbol("-")) {
            At at = queries.at();
            String symbol = tokens.next().text();
            left = new Expression.Operator(symbol, left, product(), at);
        }
        return left;
    }

    private Expression product() {
        Expression left = power();
        while (tokens.current().isSymbol("*")
                || tokens.current().isSymbol("/")
                || tokens.current().isSymbol("//")
                || tokens.current().isSymbol("%")) {
            At at = queries.at();
            String symbol = tokens.next().text();
            left = new Expression.Operator(symbol, left, power(), at);
        }
        return left;
    }

    private Expression power() {
        Expression left = zoned();
        while (tokens.current().isSymbol("^")) {
            At at = queries.at();
            tokens.next();
            left = new Expression.Operator("^", left, zoned(), at);
        }
        return left;
    }

    private Expression zoned() {
        Expression left = signed();
        while (true) {
            At at = queries.at();
            if (tokens.take("at", "time", "zone")) {
                left = Call.of("timezone", at, signed(), left);
            } else if (tokens.take("collate")) {
                left = new Expression.Collated(left, tokens.anyName(), at);
            } else {
                return left;
            }
        }
    }

    private Expression signed() {
        At at = queries.at();
        boolean minus = tokens.current().isSymbol("-");
        if (!minus && !tokens.current().isSymbol("+")) {
            return suffixed(primary());
        }
        tokens.next();
        queries.enter();
        Expression operand = signed();
        queries.leave();
        // A sign belongs to the literal behind it: the least BIGINT has no positive counterpart.
        boolean number = operand instanceof Constant constant
                && (constant.kind() == Constant.Kind.INTEGER || constant.kind() == Constant.Kind.NUMBER);
        if (number && operand instanceof Constant constant) {
            String text = constant.text();
            String signed = minus ? text.startsWith("-") ? text.substring(1) : "-" + text : text;
            return new Constant(constant.kind(), signed, at);
        }
        return new Expression.Operator(minus ? "-" : "+", List.of(operand), at);
    }

    private Expression suffixed(Expression start) {
        Expression left = start;
        while (true) {
            At at = queries.at();
            if (tokens.takeSymbol("::")) {
                left = new Expression.Cast(left, TypeNameParser.parse(tokens), at);
            } else if (tokens.current().isSymbol("[")) {
                left = subscript(left, at);
            } else if (tokens.current().isSymbol(".") && tokens.ahead(1).isName()) {
                tokens.next();
                left = new Expression.Field(left, tokens.anyName(), at);
            } else {
                return left;
            }
        }
    }

    private Expression subscript(Expression list, At at) {
        tokens.next();
        Optional<Expression> from = tokens.current().isSymbol(":") ? Optional.empty() : Optional.of(parse());
        if (!tokens.takeSymbol(":")) {
            tokens.expectSymbol("]");
            return new Expression.Element(list, from.orElseThrow(tokens::unexpected), at);
        }
        Optional<Expression> to = tokens.current().isSymbol("]") ? Optional.empty() : Optional.of(parse());
        tokens.expectSymbol("]");
        return new Expression.Slice(list, from, to, at);
    }

    // --- primaries ---------------------------------------------------------------------------------------------------

    private Expression primary() {
        Token token = tokens.current();
        At at = queries.at();
        return switch (token.kind()) {
            case STRING -> string(tokens.next(), at);
            case NUMBER -> number(tokens.next(), at);
            case PARAMETER -> parameter(tokens.next(), at);
            case QUOTED -> tokens.ahead(1).isSymbol("(") ? call() : column();
            case WORD -> calls.word(token);
            case SYMBOL -> symbol(at);
            case END -> throw tokens.unexpected();
        };
    }

    private Expression string(Token token, At at) {
        StringBuilder text = new StringBuilder(token.text());
        Token last = token;
        // Strings on several lines are one.
        while (tokens.current().kind() == Token.Kind.STRING
                && tokens.text.substring(last.end(), tokens.position()).indexOf('\n') >= 0) {
            last = tokens.next();
            text.append(last.text());
        }
        Constant constant = new Constant(Constant.Kind.STRING, text.toString(), at);
        char first = tokens.text.charAt(token.start());
        boolean bytes = first == 'x' || first == 'X';
        return bytes ? new Expression.Cast(constant, TypeName.of("bytea").orElseThrow(), at) : constant;
    }

    private static Expression number(Token token, At at) {
        boolean whole = token.text().chars().allMatch(c -> Character.isDigit(c) || c == '_');
        return new Constant(
                whole ? Constant.Kind.INTEGER : Constant.Kind.NUMBER,
                token.text().replace("_", ""),
                at);
    }

    private Expression parameter(Token token, At at) {
        if (token.text().equals("?")) {
            return new Expression.Parameter(tokens.takeParameter() + 1, at);
        }
        String digits = token.text().substring(1);
        int number = digits.length() > 5 ? 0 : Integer.parseInt(digits);
        if (number < 1 || number > PARAMETERS_MAX) {
            throw new SqlError(SqlCode.UNDEFINED_PARAMETER, "there is no parameter " + token.text(), at.offset());
        }
        return new Expression.Parameter(number, at);
    }

    private Expression symbol(At at) {
        if (isSubqueryNext()) {
            return new Expression.Subquery(Expression.Subquery.Form.SCALAR, subquery(), at);
        }
        if (tokens.takeSymbol("(")) {
            Expression first = parse();
            if (tokens.takeSymbol(")")) {
                return first;
            }
            List<Expression> items = new ArrayList<>(List.of(first));
            while (tokens.takeSymbol(",")) {
                items.add(parse());
            }
            tokens.expectSymbol(")");
            return new Expression.Row(items, at);
        }
        if (tokens.current().isSymbol("[")) {
            return listing(at);
        }
        if (tokens.takeSymbol("{")) {
            return calls.struct(at);
        }
        throw tokens.unexpected();
    }

    /** Values in brackets; a list within a list needs no ARRAY. */
    Expression listing(At at) {
        tokens.expectSymbol("[");
        List<Expression> items = tokens.current().isSymbol("]") ? List.of() : list();
        tokens.expectSymbol("]");
        return new Expression.Listing(items, at);
    }

    Expression column() {
        At at = queries.at();
        List<String> path = new ArrayList<>(List.of(tokens.anyName()));
        while (tokens.current().isSymbol(".") && tokens.ahead(1).isName() && path.size() < COLUMN_PARTS_MAX) {
            tokens.next();
            path.add(tokens.anyName());
        }
        return new Expression.Column(path, at);
    }

    /** The right side of a comparison: a value, or ANY or ALL of a query or list. */
    private Expression quantified(Expression left, Sign sign, At at) {
        boolean all = tokens.areNext("all");
        if ((all || tokens.areNext("any") || tokens.areNext("some"))
                && tokens.ahead(1).isSymbol("(")) {
            tokens.next();
            if (isSubqueryNext()) {
                return new Expression.Quantified(left, sign, all, subquery(), at);
            }
            tokens.expectSymbol("(");
            Expression list = parse();
            tokens.expectSymbol(")");
            Query unnested = Query.of(Query.Select.of(
                    List.of(new Query.Item(Call.of("unnest", at, list), Optional.empty())), Optional.empty()));
            return new Expression.Quantified(left, sign, all, unnested, at);
        }
        return new Comparison(sign, left, matched(), at);
    }
}
