package io.polytable.sql.syntax;

import io.polytable.sql.tree.At;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Order;
import io.polytable.sql.tree.Query;
import io.polytable.sql.tree.Query.Combination;
import io.polytable.sql.tree.Query.Grouping;
import io.polytable.sql.tree.Source;
import io.polytable.sql.tree.Window;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Recursive-descent parser of queries: PostgreSQL's SELECT, and some of DuckDB's syntax beyond it. */
public final class QueryParser {
    /** Deeper nesting could overflow the stack; hand-written queries stay below a tenth of it. */
    public static final int NESTING_MAX = 200;

    /** DuckDB cannot be stopped while it plans. Measured: a query of this many words takes about a second to plan. */
    public static final int WORDS_MAX = 50_000;

    /** The time to plan a chain of set operations grows with the square of its length. */
    public static final int SET_OPERATIONS_MAX = 1_000;

    /** The longest chain of operators; DuckDB has the same limit. */
    private static final int CHAIN_MAX = 1_000;

    private static final Set<String> QUERY_WORDS = Set.of("select", "with", "values", "table", "from");

    /** Words that follow a query in parentheses if a query is what the parentheses enclose. */
    private static final Set<String> AFTER_QUERY =
            Set.of("union", "intersect", "except", "order", "limit", "offset", "fetch");

    /** Words after an item of the select list that are no alias, although PostgreSQL reserves only some of them. */
    private static final Set<String> NO_ALIAS = Set.of("qualify", "isnull", "notnull", "over", "filter", "within");

    private final Tokens tokens;
    private final ExpressionParser expressions;
    private int depth;
    private int operations;

    /** The depth of the deepest expression in the current query, and in each query that is parsed. */
    private int deepest;

    private final IdentityHashMap<Query, Integer> depths = new IdentityHashMap<>();

    QueryParser(Tokens tokens) {
        this.tokens = tokens;
        expressions = new ExpressionParser(tokens, this);
    }

    /** Parses a text that is one query. */
    public static Query parse(String text) {
        Tokens tokens = new Tokens(text, Lexer.tokens(text));
        Query query = new QueryParser(tokens).whole();
        tokens.expectEnd();
        return query;
    }

    /** Parses a text that is one expression. */
    public static Expression expression(String text) {
        Tokens tokens = new Tokens(text, Lexer.tokens(text));
        Expression expression = new QueryParser(tokens).expressions.parse();
        tokens.expectEnd();
        return expression;
    }

    /** A query whose size is limited: a statement, or the query of one. */
    Query whole() {
        int from = tokens.index();
        Query query = query();
        requireShort(from);
        return query;
    }

    /** Rejects more words than DuckDB plans in time. */
    void requireShort(int from) {
        requirePlannable(tokens.index() - from);
    }

    public static void requirePlannable(int words) {
        if (words > WORDS_MAX) {
            throw new SqlError(
                    SqlCode.LIMIT_EXCEEDED, "a query has at most " + WORDS_MAX + " words, values and symbols");
        }
    }

    ExpressionParser expressions() {
        return expressions;
    }

    At at() {
        return new At(tokens.position());
    }

    /** Begins a nested construct; {@link #leave} ends it. */
    void enter() {
        if (++depth > NESTING_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "the statement is nested too deeply", tokens.position());
        }
    }

    void leave() {
        depth--;
    }

    /**
     * Whether a query begins at a token behind a parenthesis. Parentheses inside may belong to the query or to an
     * expression, {@code ((SELECT 1) UNION SELECT 2)} or {@code ((SELECT 1) + 2)}: what follows them decides.
     */
    boolean isQueryNext(int ahead) {
        int first = tokens.index() + ahead;
        int inner = first;
        while (tokens.token(inner).isSymbol("(")) {
            inner++;
        }
        Token token = tokens.token(inner);
        boolean query = token.kind() == Token.Kind.WORD && QUERY_WORDS.contains(token.text());
        for (int open = inner - 1; open >= first && query; open--) {
            Token after = tokens.token(tokens.closing(open) + 1);
            query = after.isSymbol(")") || (after.kind() == Token.Kind.WORD && AFTER_QUERY.contains(after.text()));
        }
        return query;
    }

    Query query() {
        enter();
        int outer = deepest;
        deepest = 0;
        At at = at();
        boolean recursive = false;
        List<Query.Cte> with = List.of();
        if (tokens.take("with")) {
            recursive = tokens.take("recursive");
            with = ctes();
        }
        Query.Body body = body();
        boolean byAll = false;
        List<Order> orders = List.of();
        if (tokens.take("order", "by")) {
            byAll = tokens.take("all");
            orders = byAll ? List.of() : orders();
        }
        Limits limits = new Limits();
        while (limits.takeNext()) {
            // Each call consumes one clause.
        }
        if (tokens.areNext("for")) {
            throw tokens.unsupported("FOR UPDATE or SHARE");
        }
        leave();
        Query query = new Query(recursive, with, body, orders, byAll, limits.limit, limits.offset, at);
        depths.put(query, deepest);
        deepest = Math.max(outer, deepest + 1);
        return query;
    }

    /** The list behind WITH. */
    List<Query.Cte> ctes() {
        List<Query.Cte> with = new ArrayList<>();
        do {
            with.add(cte(with));
        } while (tokens.takeSymbol(","));
        return with;
    }

    private Query.Cte cte(List<Query.Cte> before) {
        At at = at();
        String name = tokens.name();
        if (before.stream().anyMatch(other -> other.name().equals(name))) {
            throw new SqlError(
                    SqlCode.DUPLICATE_ALIAS, "WITH query name \"" + name + "\" specified more than once", at.offset());
        }
        List<String> columns = tokens.current().isSymbol("(") ? tokens.names() : List.of();
        tokens.expect("as");
        Optional<Boolean> materialized = Optional.empty();
        if (tokens.take("materialized")) {
            materialized = Optional.of(true);
        } else if (tokens.take("not", "materialized")) {
            materialized = Optional.of(false);
        }
        tokens.expectSymbol("(");
        if (tokens.areNext("insert") || tokens.areNext("update") || tokens.areNext("delete")) {
            throw new SqlError(SqlCode.NOT_ALLOWED, "only SELECT is allowed here", tokens.position());
        }
        Query query = query();
        tokens.expectSymbol(")");
        return new Query.Cte(name, columns, materialized, query, at);
    }

    private final class Limits {
        private Optional<Expression> limit = Optional.empty();
        private Optional<Expression> offset = Optional.empty();
        private boolean limited;

        boolean takeNext() {
            if (!limited && tokens.take("limit")) {
                limited = true;
                if (!tokens.take("all")) {
                    limit = Optional.of(expressions.parse());
                }
                return true;
            }
            if (offset.isEmpty() && tokens.take("offset")) {
                offset = Optional.of(expressions.parse());
                if (!tokens.take("rows")) {
                    tokens.take("row");
                }
                return true;
            }
            if (!limited && tokens.take("fetch")) {
                limited = true;
                fetch();
                return true;
            }
            return false;
        }

        private void fetch() {
            if (!tokens.take("first")) {
                tokens.expect("next");
            }
            boolean one = tokens.areNext("row") || tokens.areNext("rows");
            limit = Optional.of(one ? Expression.Constant.of(1) : expressions.simple());
            if (!tokens.take("rows")) {
                tokens.expect("row");
            }
            if (tokens.areNext("with")) {
                throw tokens.unsupported("FETCH ... WITH TIES");
            }
            tokens.expect("only");
        }
    }

    List<Order> orders() {
        List<Order> orders = new ArrayList<>();
        do {
            Expression value = expressions.parse();
            boolean descending = tokens.take("desc");
            if (!descending && !tokens.take("asc") && tokens.areNext("using")) {
                throw tokens.unsupported("ORDER BY ... USING");
            }
            Optional<Boolean> nullsFirst = tokens.take("nulls", "first")
                    ? Optional.of(true)
                    : tokens.take("nulls", "last") ? Optional.of(false) : Optional.empty();
            orders.add(new Order(value, descending, nullsFirst));
        } while (tokens.takeSymbol(","));
        return orders;
    }

    // --- bodies ----------------------------------------------------------------------------------------------------

    /** An operation between queries, as written. */
    private record Operation(Combination combination, boolean all, boolean byName) {}

    private interface Part {
        Query.Body parse();
    }

    private Query.Body body() {
        // INTERSECT binds tighter than the others.
        return combined(Set.of("union", "except"), () -> combined(Set.of("intersect"), this::primary));
    }

    /** Parts that operations combine. A chain of the same operation is one node: its length does not become depth. */
    private Query.Body combined(Set<String> words, Part part) {
        Query.Body left = part.parse();
        int changes = 0;
        while (isOperation(words)) {
            Operation operation = operation();
            List<Query.Body> parts = new ArrayList<>(List.of(left, next(part)));
            int from = tokens.index();
            while (isOperation(words) && operation().equals(operation)) {
                parts.add(next(part));
                from = tokens.index();
            }
            tokens.back(from);
            if (++changes > NESTING_MAX) {
                throw new SqlError(SqlCode.LIMIT_EXCEEDED, "the statement is nested too deeply", tokens.position());
            }
            left = new Query.SetOperation(operation.combination(), operation.all(), operation.byName(), parts);
        }
        return left;
    }

    private Query.Body next(Part part) {
        if (++operations > SET_OPERATIONS_MAX) {
            throw new SqlError(
                    SqlCode.LIMIT_EXCEEDED,
                    "a query has at most " + SET_OPERATIONS_MAX + " UNION, INTERSECT and EXCEPT together");
        }
        return part.parse();
    }

    private boolean isOperation(Set<String> words) {
        return tokens.current().kind() == Token.Kind.WORD
                && words.contains(tokens.current().text());
    }

    private Operation operation() {
        Combination combination = Combination.valueOf(tokens.next().text().toUpperCase(Locale.ROOT));
        boolean all = tokens.take("all");
        if (!all) {
            tokens.take("distinct");
        }
        return new Operation(combination, all, tokens.take("by", "name"));
    }

    private Query.Body primary() {
        if (tokens.current().isSymbol("(")) {
            enter();
            tokens.next();
            Query inner = query();
            tokens.expectSymbol(")");
            leave();
            return new Query.Nested(inner);
        }
        if (tokens.areNext("values")) {
            return values();
        }
        if (tokens.areNext("table")) {
            At at = at();
            tokens.next();
            Name name = tokens.qualifiedName();
            List<String> path = new ArrayList<>();
            name.namespace().ifPresent(path::add);
            path.add(name.name());
            Source table = new Source.Table(path, OptionalLong.empty(), Source.Alias.NONE, at);
            return Query.Select.of(List.of(ExpressionParser.everything(at)), Optional.of(table));
        }
        return select();
    }

    private Query.Values values() {
        At at = at();
        tokens.next();
        List<List<Expression>> rows = new ArrayList<>();
        do {
            At row = at();
            tokens.expectSymbol("(");
            rows.add(expressions.list());
            tokens.expectSymbol(")");
            if (rows.get(rows.size() - 1).size() != rows.get(0).size()) {
                throw new SqlError(SqlCode.SYNTAX_ERROR, "VALUES lists must all be the same length", row.offset());
            }
        } while (tokens.takeSymbol(","));
        return new Query.Values(rows, at);
    }

    private Query.Select select() {
        At at = at();
        Optional<Source> from = Optional.empty();
        boolean fromFirst = tokens.areNext("from");
        if (fromFirst) {
            from = from();
        }
        Optional<Query.Distinct> distinct = Optional.empty();
        List<Query.Item> items = List.of(ExpressionParser.everything(at));
        if (!fromFirst || tokens.areNext("select")) {
            tokens.expect("select");
            distinct = distinct();
            items = items();
        }
        if (tokens.areNext("into")) {
            throw tokens.unsupported("SELECT INTO");
        }
        if (!fromFirst) {
            from = from();
        }
        Optional<Expression> where = condition("where");
        List<Grouping> groups = List.of();
        boolean byAll = false;
        if (tokens.take("group", "by")) {
            byAll = tokens.take("all");
            tokens.take("distinct");
            groups = byAll ? List.of() : groups();
        }
        Optional<Expression> having = condition("having");
        List<Window.Named> windows = tokens.take("window") ? windows() : List.of();
        Optional<Expression> qualify = condition("qualify");
        return new Query.Select(distinct, items, from, where, groups, byAll, having, windows, qualify, at);
    }

    private Optional<Expression> condition(String word) {
        return tokens.take(word) ? Optional.of(expressions.parse()) : Optional.empty();
    }

    private Optional<Query.Distinct> distinct() {
        if (!tokens.take("distinct")) {
            tokens.take("all");
            return Optional.empty();
        }
        if (!tokens.take("on")) {
            return Optional.of(new Query.Distinct(List.of()));
        }
        tokens.expectSymbol("(");
        List<Expression> on = expressions.list();
        tokens.expectSymbol(")");
        return Optional.of(new Query.Distinct(on));
    }

    List<Query.Item> items() {
        List<Query.Item> items = new ArrayList<>();
        do {
            items.add(item());
        } while (tokens.takeSymbol(","));
        return items;
    }

    private Query.Item item() {
        Expression value = expressions.itemOrStar();
        return new Query.Item(value, alias());
    }

    /** The alias of an item of the select list. */
    private Optional<String> alias() {
        if (tokens.take("as")) {
            return Optional.of(tokens.anyName());
        }
        Token token = tokens.current();
        boolean bare = token.kind() == Token.Kind.QUOTED
                || (token.kind() == Token.Kind.WORD
                        && !Tokens.isReserved(token.text())
                        && !NO_ALIAS.contains(token.text()));
        return bare ? Optional.of(tokens.next().text()) : Optional.empty();
    }

    private Optional<Source> from() {
        return tokens.take("from") ? Optional.of(new SourceParser(tokens, this).list()) : Optional.empty();
    }

    // --- GROUP BY and WINDOW ---------------------------------------------------------------------------------------

    private List<Grouping> groups() {
        List<Grouping> groups = new ArrayList<>();
        do {
            groups.add(group());
        } while (tokens.takeSymbol(","));
        return groups;
    }

    private Grouping group() {
        boolean sets = tokens.areNext("grouping", "sets");
        boolean call = tokens.ahead(1).isSymbol("(");
        if (sets || (call && (tokens.areNext("rollup") || tokens.areNext("cube")))) {
            Grouping.Kind kind =
                    sets ? Grouping.Kind.SETS : tokens.areNext("cube") ? Grouping.Kind.CUBE : Grouping.Kind.ROLLUP;
            tokens.next();
            if (sets) {
                tokens.next();
            }
            enter();
            tokens.expectSymbol("(");
            List<Grouping> elements = groups();
            tokens.expectSymbol(")");
            leave();
            return new Grouping.Several(kind, elements);
        }
        if (tokens.current().isSymbol("(") && tokens.ahead(1).isSymbol(")")) {
            tokens.next();
            tokens.next();
            return new Grouping.Together(List.of());
        }
        Expression value = expressions.parse();
        return value instanceof Expression.Row row ? new Grouping.Together(row.items()) : new Grouping.By(value);
    }

    private List<Window.Named> windows() {
        List<Window.Named> windows = new ArrayList<>();
        do {
            String name = tokens.name();
            tokens.expect("as");
            windows.add(new Window.Named(name, window()));
        } while (tokens.takeSymbol(","));
        return windows;
    }

    /** A window in parentheses. */
    Window window() {
        tokens.expectSymbol("(");
        boolean based = tokens.current().isName()
                && !tokens.areNext("partition", "by")
                && !tokens.areNext("order", "by")
                && !Set.of("rows", "range", "groups").contains(tokens.current().text());
        Optional<String> base = based ? Optional.of(tokens.name()) : Optional.empty();
        List<Expression> partitions = tokens.take("partition", "by") ? expressions.list() : List.of();
        List<Order> orders = tokens.take("order", "by") ? orders() : List.of();
        Optional<Window.Frame> frame = frame();
        tokens.expectSymbol(")");
        return new Window(base, false, partitions, orders, frame);
    }

    private Optional<Window.Frame> frame() {
        Window.Unit unit;
        if (tokens.take("rows")) {
            unit = Window.Unit.ROWS;
        } else if (tokens.take("range")) {
            unit = Window.Unit.RANGE;
        } else if (tokens.take("groups")) {
            unit = Window.Unit.GROUPS;
        } else {
            return Optional.empty();
        }
        boolean between = tokens.take("between");
        Window.Bound start = bound();
        Window.Bound end = new Window.Bound.CurrentRow();
        if (between) {
            tokens.expect("and");
            end = bound();
        }
        return Optional.of(new Window.Frame(unit, start, end, exclusion()));
    }

    private Window.Bound bound() {
        if (tokens.take("current", "row")) {
            return new Window.Bound.CurrentRow();
        }
        if (tokens.take("unbounded")) {
            return new Window.Bound.Unbounded(isPreceding());
        }
        Expression value = expressions.simple();
        return new Window.Bound.Distance(value, isPreceding());
    }

    private boolean isPreceding() {
        if (tokens.take("preceding")) {
            return true;
        }
        tokens.expect("following");
        return false;
    }

    private Window.Exclusion exclusion() {
        if (!tokens.take("exclude")) {
            return Window.Exclusion.NONE;
        }
        if (tokens.take("current", "row")) {
            return Window.Exclusion.CURRENT_ROW;
        }
        if (tokens.take("group")) {
            return Window.Exclusion.GROUP;
        }
        if (tokens.take("ties")) {
            return Window.Exclusion.TIES;
        }
        tokens.expect("no", "others");
        return Window.Exclusion.NONE;
    }

    // --- depth -----------------------------------------------------------------------------------------------------

    private record Deep(Expression expression, int depth) {}

    /** Rejects chains of operators that would be too deep to walk by recursion. */
    void requireFlat(Expression expression) {
        Deque<Deep> open = new ArrayDeque<>(List.of(new Deep(expression, 1)));
        while (!open.isEmpty()) {
            Deep next = open.pop();
            int depth = next.depth() + depthInside(next.expression());
            if (depth > CHAIN_MAX) {
                throw new SqlError(SqlCode.LIMIT_EXCEEDED, "the statement is nested too deeply");
            }
            deepest = Math.max(deepest, depth);
            next.expression().children().forEach(child -> open.push(new Deep(child, next.depth() + 1)));
        }
    }

    private int depthInside(Expression expression) {
        if (expression instanceof Expression.Subquery subquery) {
            return depths.getOrDefault(subquery.query(), 0);
        }
        return expression instanceof Expression.Quantified quantified ? depths.getOrDefault(quantified.query(), 0) : 0;
    }
}
