package io.polytable.sql.syntax;

import io.polytable.sql.type.Numerics;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Recursive-descent parser of the expressions that we evaluate ourselves. All others throw {@link Beyond}. */
final class ExprParser {
    /** Bounds the recursion. Deeper expressions are left to DuckDB, which has its own limit. */
    private static final int DEPTH_MAX = 100;

    /**
     * The most operators in the chains of an expression. A chain nests to the left as deeply as it is long, and whoever
     * walks through the expression recurses.
     */
    private static final int OPERATORS_MAX = 1000;

    private static final BigInteger INT_MAX = BigInteger.valueOf(Integer.MAX_VALUE);
    private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);
    private static final Set<String> COMPARISONS = Set.of("=", "<>", "!=", "<", "<=", ">", ">=");
    private static final Set<String> BARE_CALLS =
            Set.of("current_timestamp", "current_date", "current_time", "localtimestamp", "current_user", "user");

    /** Thrown for an expression outside our subset, or for no valid one at all: DuckDB's parser decides. */
    static final class Beyond extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Beyond() {
            super(null, null, false, false);
        }
    }

    private final Tokens tokens;
    private int depth;
    private int operators;

    ExprParser(Tokens tokens) {
        this.tokens = tokens;
    }

    Expr parse() {
        if (++depth > DEPTH_MAX) {
            throw new Beyond();
        }
        Expr expr = or();
        depth--;
        operators = depth == 0 ? 0 : operators;
        return expr;
    }

    /** Adds to a chain of operators. */
    private Expr chained(String operator, Expr left, Expr right, int position) {
        countOperator();
        return new Expr.Binary(operator, left, right, position);
    }

    private void countOperator() {
        if (++operators > OPERATORS_MAX) {
            throw new Beyond();
        }
    }

    private Expr or() {
        Expr left = and();
        while (tokens.current().isWord("or")) {
            int position = tokens.next().start();
            left = chained("or", left, and(), position);
        }
        return left;
    }

    private Expr and() {
        Expr left = not();
        while (tokens.current().isWord("and")) {
            int position = tokens.next().start();
            left = chained("and", left, not(), position);
        }
        return left;
    }

    private Expr not() {
        if (tokens.current().isWord("not")) {
            int position = tokens.next().start();
            if (++depth > DEPTH_MAX) {
                throw new Beyond();
            }
            Expr operand = not();
            depth--;
            return new Expr.Unary("not", operand, position);
        }
        return predicate();
    }

    private Expr predicate() {
        Expr left = concatenation();
        for (int count = 0; ; count++) {
            Optional<Expr> longer = longer(left);
            if (longer.isEmpty()) {
                return left;
            }
            if (count > 0) {
                countOperator();
            }
            left = longer.get();
        }
    }

    private Optional<Expr> longer(Expr left) {
        Token token = tokens.current();
        int position = token.start();
        if (token.kind() == Token.Kind.SYMBOL && COMPARISONS.contains(token.text())) {
            tokens.next();
            refuseQuantifier();
            String operator = token.text().equals("!=") ? "<>" : token.text();
            return Optional.of(new Expr.Binary(operator, left, concatenation(), position));
        }
        if (token.isWord("is")) {
            tokens.next();
            return Optional.of(is(left, position));
        }
        boolean negated = token.isWord("not")
                && (tokens.ahead(1).isWord("in")
                        || tokens.ahead(1).isWord("between")
                        || tokens.ahead(1).isWord("like")
                        || tokens.ahead(1).isWord("ilike"));
        if (negated) {
            tokens.next();
        }
        return set(left, negated, position);
    }

    private void refuseQuantifier() {
        if (tokens.areNext("any") || tokens.areNext("all") || tokens.areNext("some")) {
            throw new Beyond();
        }
    }

    private Optional<Expr> set(Expr left, boolean negated, int position) {
        if (tokens.take("in")) {
            return Optional.of(new Expr.InList(left, list(), negated, position));
        }
        if (tokens.take("between")) {
            Expr low = concatenation();
            tokens.expect("and");
            return Optional.of(new Expr.Between(left, low, concatenation(), negated, position));
        }
        boolean caseless = tokens.areNext("ilike");
        if (tokens.take("like") || tokens.take("ilike")) {
            Expr pattern = concatenation();
            if (tokens.areNext("escape")) {
                throw new Beyond();
            }
            return Optional.of(new Expr.Like(left, pattern, caseless, negated, position));
        }
        return Optional.empty();
    }

    private Expr is(Expr operand, int position) {
        boolean negated = tokens.take("not");
        if (tokens.take("null")) {
            return new Expr.IsNull(operand, negated, position);
        }
        if (tokens.take("true")) {
            return new Expr.IsTruth(operand, true, negated, position);
        }
        if (tokens.take("false")) {
            return new Expr.IsTruth(operand, false, negated, position);
        }
        if (tokens.take("distinct", "from")) {
            String operator = negated ? "is not distinct from" : "is distinct from";
            return new Expr.Binary(operator, operand, concatenation(), position);
        }
        throw new Beyond();
    }

    private List<Expr> list() {
        tokens.expectSymbol("(");
        if (tokens.areNext("select") || tokens.areNext("with") || tokens.areNext("values")) {
            throw new Beyond();
        }
        List<Expr> items = new ArrayList<>();
        do {
            items.add(parse());
        } while (tokens.takeSymbol(","));
        tokens.expectSymbol(")");
        return items;
    }

    private Expr concatenation() {
        Expr left = sum();
        while (tokens.current().kind() == Token.Kind.SYMBOL) {
            String symbol = tokens.current().text();
            if (!symbol.equals("||")) {
                refuseOperator(symbol);
                return left;
            }
            int position = tokens.next().start();
            left = chained("||", left, sum(), position);
        }
        return left;
    }

    private static void refuseOperator(String symbol) {
        boolean known = COMPARISONS.contains(symbol)
                || Set.of("(", ")", ",", ";", "]", "*").contains(symbol);
        if (!known) {
            throw new Beyond();
        }
    }

    private Expr sum() {
        Expr left = product();
        while (tokens.current().isSymbol("+") || tokens.current().isSymbol("-")) {
            Token operator = tokens.next();
            left = chained(operator.text(), left, product(), operator.start());
        }
        return left;
    }

    private Expr product() {
        Expr left = sign();
        while (tokens.current().isSymbol("*")
                || tokens.current().isSymbol("/")
                || tokens.current().isSymbol("%")) {
            Token operator = tokens.next();
            left = chained(operator.text(), left, sign(), operator.start());
        }
        return left;
    }

    private Expr sign() {
        Token token = tokens.current();
        if (token.isSymbol("-") || token.isSymbol("+")) {
            tokens.next();
            if (++depth > DEPTH_MAX) {
                throw new Beyond();
            }
            // The least BIGINT has no positive counterpart, so the sign belongs to the literal.
            Expr operand = tokens.current().kind() == Token.Kind.NUMBER && token.isSymbol("-")
                    ? suffixes(literal("-" + tokens.next().text(), token.start()))
                    : new Expr.Unary(token.text(), sign(), token.start());
            depth--;
            return operand;
        }
        return suffixes(primary());
    }

    private Expr suffixes(Expr operand) {
        Expr expr = operand;
        while (tokens.current().isSymbol("::")) {
            int position = tokens.next().start();
            countOperator();
            expr = new Expr.Cast(expr, type(), position);
        }
        if (tokens.current().isSymbol("[") || tokens.current().isSymbol(".")) {
            throw new Beyond();
        }
        return expr;
    }

    /** NUMERIC without digits bounds a column's values, but a cast keeps all digits. */
    private Optional<SqlType> castType() {
        boolean bounded = tokens.ahead(1).isSymbol("(");
        Optional<SqlType> type = TypeParser.tryParse(tokens);
        return type.map(each -> !bounded && each.is(SqlType.Kind.DECIMAL) ? each.unbounded() : each);
    }

    private SqlType type() {
        SqlType type = castType().orElseThrow(Beyond::new);
        if (tokens.current().isSymbol("[")) {
            throw new Beyond();
        }
        return type;
    }

    private Expr primary() {
        Token token = tokens.current();
        return switch (token.kind()) {
            case STRING -> new Expr.Literal(tokens.next().text(), SqlType.UNKNOWN, token.start());
            case NUMBER -> literal(tokens.next().text(), token.start());
            case PARAMETER -> parameter(tokens.next());
            case QUOTED -> column();
            case WORD -> word(token);
            case SYMBOL -> parenthesized();
            case END -> throw tokens.unexpected();
        };
    }

    private Expr parenthesized() {
        if (!tokens.takeSymbol("(") || tokens.areNext("select") || tokens.areNext("with")) {
            throw new Beyond();
        }
        Expr inner = parse();
        if (!tokens.takeSymbol(")")) {
            throw new Beyond();
        }
        return inner;
    }

    private Expr parameter(Token token) {
        if (token.text().equals("?")) {
            return new Expr.Parameter(tokens.takeParameter(), token.start());
        }
        String digits = token.text().substring(1);
        int number = digits.length() > 5 ? 0 : Integer.parseInt(digits);
        if (number < 1) {
            throw new Beyond();
        }
        return new Expr.Parameter(number - 1, token.start());
    }

    static Expr literal(String digits, int position) {
        if (digits.contains("x") || digits.contains("X")) {
            throw new Beyond();
        }
        String plain = digits.replace("_", "");
        if (plain.matches("-?\\d+") && plain.length() < 40) {
            BigInteger whole = new BigInteger(plain);
            if (whole.compareTo(INT_MAX) <= 0
                    && whole.compareTo(INT_MAX.negate().subtract(BigInteger.ONE)) >= 0) {
                return new Expr.Literal(whole.intValueExact(), SqlType.INT, position);
            }
            if (whole.compareTo(LONG_MAX) <= 0
                    && whole.compareTo(LONG_MAX.negate().subtract(BigInteger.ONE)) >= 0) {
                return new Expr.Literal(whole.longValueExact(), SqlType.BIGINT, position);
            }
        }
        if (plain.length() > 100) {
            throw new Beyond();
        }
        if (plain.contains("e") || plain.contains("E")) {
            return new Expr.Literal(Double.valueOf(plain), SqlType.DOUBLE, position);
        }
        if (Numerics.digits(plain) > SqlType.DECIMAL_DIGITS_MAX) {
            throw new SqlError(
                    SqlCode.OUT_OF_RANGE, "a number has at most " + SqlType.DECIMAL_DIGITS_MAX + " digits", position);
        }
        BigDecimal number = new BigDecimal(plain);
        return new Expr.Literal(number, SqlType.of(number), position);
    }

    private Expr word(Token token) {
        if (token.isWord("null")) {
            return new Expr.Literal(null, SqlType.UNKNOWN, tokens.next().start());
        }
        if (token.isWord("true") || token.isWord("false")) {
            return new Expr.Literal(
                    token.isWord("true"), SqlType.BOOLEAN, tokens.next().start());
        }
        if (token.isWord("case")) {
            return caseOf(tokens.next().start());
        }
        if (token.isWord("cast")) {
            return cast(tokens.next().start());
        }
        Expr typed = typedLiteral();
        if (typed != null) {
            return typed;
        }
        if (BARE_CALLS.contains(token.text()) && !tokens.ahead(1).isSymbol("(")) {
            return new Expr.Call(tokens.next().text(), List.of(), token.start());
        }
        if (Tokens.isReserved(token.text())) {
            throw new Beyond();
        }
        return tokens.ahead(1).isSymbol("(") ? call() : column();
    }

    /** {@code date '2024-01-01'}. */
    private @Nullable Expr typedLiteral() {
        int from = tokens.index();
        Token token = tokens.current();
        boolean isType = SqlType.named(token.text()).isPresent()
                && (tokens.ahead(1).kind() == Token.Kind.STRING
                        || tokens.ahead(1).isWord("with"));
        if (!isType) {
            return null;
        }
        Optional<SqlType> type = TypeParser.tryParse(tokens);
        if (type.isEmpty() || tokens.current().kind() != Token.Kind.STRING) {
            tokens.back(from);
            return null;
        }
        Token value = tokens.next();
        return new Expr.Cast(new Expr.Literal(value.text(), SqlType.UNKNOWN, value.start()), type.get(), token.start());
    }

    private Expr caseOf(int position) {
        Expr subject = tokens.areNext("when") ? null : parse();
        List<Expr.Branch> branches = new ArrayList<>();
        while (tokens.take("when")) {
            Expr condition = parse();
            tokens.expect("then");
            branches.add(new Expr.Branch(condition, parse()));
        }
        Expr otherwise = tokens.take("else") ? parse() : null;
        if (branches.isEmpty() || !tokens.take("end")) {
            throw new Beyond();
        }
        return new Expr.Case(subject, branches, otherwise, position);
    }

    private Expr cast(int position) {
        tokens.expectSymbol("(");
        Expr operand = parse();
        tokens.expect("as");
        SqlType type = type();
        tokens.expectSymbol(")");
        return new Expr.Cast(operand, type, position);
    }

    private Expr call() {
        Token function = tokens.next();
        tokens.expectSymbol("(");
        List<Expr> arguments = new ArrayList<>();
        if (!tokens.takeSymbol(")")) {
            if (tokens.current().isSymbol("*") || tokens.areNext("distinct")) {
                throw new Beyond();
            }
            do {
                arguments.add(parse());
            } while (tokens.takeSymbol(","));
            if (!tokens.takeSymbol(")")) {
                throw new Beyond();
            }
        }
        if (tokens.areNext("over") || tokens.areNext("filter") || tokens.areNext("within")) {
            throw new Beyond();
        }
        return new Expr.Call(function.text(), arguments, function.start());
    }

    private Expr column() {
        Token first = tokens.next();
        List<String> path = new ArrayList<>(List.of(first.text()));
        while (tokens.current().isSymbol(".") && tokens.ahead(1).isName() && path.size() < 3) {
            tokens.next();
            path.add(tokens.next().text());
        }
        if (tokens.current().kind() == Token.Kind.STRING || tokens.current().isSymbol("(")) {
            throw new Beyond();
        }
        return new Expr.ColumnRef(path, first.start());
    }
}
