package io.polytable.sql.query.plan;

import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.definition.ViewDef;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.Names;
import io.polytable.sql.query.dialect.Dialect;
import io.polytable.sql.query.dialect.KnownFunctions;
import io.polytable.sql.query.dialect.MacroWeights;
import io.polytable.sql.query.dialect.Operators;
import io.polytable.sql.query.dialect.TableFunctions;
import io.polytable.sql.query.render.Rendered;
import io.polytable.sql.query.render.Renderer;
import io.polytable.sql.query.scan.ScanSlot;
import io.polytable.sql.query.scan.VectorWriter;
import io.polytable.sql.syntax.QueryParser;
import io.polytable.sql.tree.At;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.tree.Rewriter;
import io.polytable.sql.tree.Source;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.TableName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Binds the tree of one query: replaces every table by a scan of ours or the query of a view, admits only known
 * functions, and rejects everything that could reach beyond our tables. {@link #relation} is the one place where a name
 * becomes a table.
 */
public final class QueryBinder {
    private static final int VIEW_DEPTH_MAX = 20;

    /** The most tables and views that a query reads, including those of views; a view counts at each use. */
    private static final int TABLES_MAX = 1000;

    /** The most characters of the texts of views; a view counts at each use. */
    private static final long VIEW_CHARS_MAX = 1 << 20;

    private final KnownFunctions functions;
    private final DerivedColumns derivedColumns = new DerivedColumns();
    private final Dialect dialect;
    private final List<Scan> scans = new ArrayList<>();
    private final IdentityHashMap<Source.Table, Integer> slotOf = new IdentityHashMap<>();
    private final IdentityHashMap<Source.Table, Set<String>> hidden = new IdentityHashMap<>();
    private final IdentityHashMap<Expression.Star, JoinScope> stars = new IdentityHashMap<>();
    private final List<JoinNarrowing.SlotLink> links = new ArrayList<>();
    private final Deque<Map<String, Query.Cte>> withNames = new ArrayDeque<>();
    private Names names;
    private JoinScope scope = JoinScope.NONE;
    private Survey survey;
    private boolean derived;
    private boolean dependsOnOrder;
    private boolean namesInfinity;
    private int viewDepth;
    private int tables;
    private long viewChars;

    /** A table of the query, whose columns are known once the whole query is visited. */
    private record Scan(
            Source.Table table, Relation relation, List<ScanSlot.ColumnCondition> conditions, boolean ofLiveRows) {}

    private QueryBinder(KnownFunctions functions, Names names, Query query, boolean exact) {
        this.functions = functions;
        this.names = names;
        dialect = new Dialect(exact);
        survey = Survey.of(query);
    }

    /**
     * Binds a query. DuckDB does not know the type of every operand when it selects how to divide decimals, such as that
     * of a result's name in ORDER BY; for a query that it may reject therefore there is a second text, which divides in
     * DOUBLE.
     */
    public static DuckQuery bind(Query query, Names names, KnownFunctions functions) {
        QueryBinder binder = new QueryBinder(functions, names, query, true);
        Query exact = binder.bound(query);
        Optional<Rendered> inexact = Dialect.needsTypes(exact)
                ? Optional.of(Renderer.render(new QueryBinder(functions, names, query, false).bound(query)))
                : Optional.empty();
        return new DuckQuery(
                Renderer.render(exact),
                inexact,
                binder.slots(),
                binder.links,
                binder.dependsOnOrder,
                binder.namesInfinity,
                Optional.of(query));
    }

    private Query bound(Query query) {
        derived = survey.derived();
        Query visited = query(query, Optional.empty());
        Query shown = new Rewriter() {
            @Override
            protected Expression expression(Expression expression) {
                return super.expression(expression instanceof Expression.Star star ? hide(star) : expression);
            }
        }.query(visited);
        MacroWeights.own().check(shown);
        PlanDepth.check(shown);
        ValueGrowth.check(shown);
        return shown;
    }

    private List<ScanSlot> slots() {
        return scans.stream().map(this::slot).toList();
    }

    // --- queries ---------------------------------------------------------------------------------------------------

    /** @param self the recursive common table expression that the query defines */
    private Query query(Query query, Optional<Query.Cte> self) {
        Map<String, Query.Cte> own = new HashMap<>();
        withNames.push(own);
        List<Query.Cte> with = new ArrayList<>();
        for (Query.Cte cte : query.with()) {
            boolean recursive = query.recursive()
                    && cte.query().body() instanceof Query.SetOperation operation
                    && operation.combination() == Query.Combination.UNION;
            with.add(cte.with(query(cte.query(), recursive ? Optional.of(cte) : Optional.empty())));
            own.put(cte.name(), cte);
        }
        JoinScope outer = scope;
        Query bound = query.body() instanceof Query.Select select ? ofSelect(query, select) : ofOther(query, self);
        scope = outer;
        withNames.pop();
        return new Query(
                query.recursive(),
                with,
                bound.body(),
                bound.orders(),
                bound.orderByAll(),
                bound.limit(),
                bound.offset(),
                query.at());
    }

    private Query ofSelect(Query query, Query.Select written) {
        Query.Select select = ofDialect(written);
        Query modified = query.mapModifiers(dialect::apply);
        scope = JoinScope.of(select, sources(), scope);
        Query.Select shaped = new SelectShapes(select, scope, survey.columns()).apply(modified.orders());
        List<JoinLinks.Link> joins = JoinLinks.of(scope);
        Query.Select bound = shaped.with(shaped.from().map(this::source)).map(this::value);
        Query result = modified.with(bound).mapModifiers(this::value);
        joins.forEach(this::link);
        return result;
    }

    private Query.Select ofDialect(Query.Select written) {
        List<Query.Item> items = written.items().stream().map(dialect::apply).toList();
        Query.Select others = written.with(List.of(), written.groups()).map(dialect::apply);
        return others.with(items, others.groups()).with(written.from().map(this::ofDialect));
    }

    /** The conditions and arguments in FROM; its tables stay the same objects, by which they are known. */
    private Source ofDialect(Source source) {
        if (source instanceof Source.Join join) {
            return new Source.Join(
                    ofDialect(join.left()),
                    ofDialect(join.right()),
                    join.pairing(),
                    join.asof(),
                    join.natural(),
                    join.on().map(dialect::apply),
                    join.using(),
                    join.at());
        }
        return source instanceof Source.Function function
                ? new Source.Function(
                        function.call().map(dialect::apply),
                        function.lateral(),
                        function.ordinality(),
                        function.alias(),
                        function.at())
                : source;
    }

    private Query ofOther(Query query, Optional<Query.Cte> self) {
        Query modified = query.mapModifiers(dialect::apply);
        scope = JoinScope.within(scope, sources());
        return modified.with(body(query.body(), self)).mapModifiers(this::value);
    }

    private Query.Body body(Query.Body body, Optional<Query.Cte> self) {
        if (body instanceof Query.Nested nested) {
            return new Query.Nested(query(nested.query(), self));
        }
        if (body instanceof Query.Values values) {
            List<List<Expression>> rows = values.rows().stream()
                    .map(row -> Expression.mapped(row, item -> value(dialect.apply(item))))
                    .toList();
            return new Query.Values(rows, values.at());
        }
        if (body instanceof Query.SetOperation operation) {
            List<Query.Body> parts = new ArrayList<>();
            for (Query.Body part : operation.parts()) {
                boolean last = parts.size() == operation.parts().size() - 1;
                // Only the last part of a recursive query sees its name. DuckDB would look up any other one itself.
                withNames.push(last && self.isPresent() ? Map.of(self.get().name(), self.get()) : Map.of());
                parts.add(query(Query.of(part), Optional.empty()).body());
                withNames.pop();
            }
            return new Query.SetOperation(operation.combination(), operation.all(), operation.byName(), parts);
        }
        return query(Query.of(body), Optional.empty()).body();
    }

    private void link(JoinLinks.Link join) {
        Integer from = slotOf.get(join.from().table());
        Integer to = slotOf.get(join.to().table());
        if (from != null && to != null) {
            links.add(new JoinNarrowing.SlotLink(from, join.fromColumn(), to, join.toColumn()));
        }
    }

    // --- sources ---------------------------------------------------------------------------------------------------

    private JoinScope.Sources sources() {
        return new JoinScope.Sources() {
            @Override
            public Optional<Relation> table(Source.Table table) {
                return isWithName(table) ? Optional.empty() : relation(table);
            }

            @Override
            public boolean mayHave(Source source, String column) {
                return derivedColumns.mayHave(source, column, new DerivedColumns.Place(names, withEntries()));
            }
        };
    }

    /** The common table expressions in scope; inner ones hide outer ones. */
    private Map<String, Query.Cte> withEntries() {
        Map<String, Query.Cte> entries = new HashMap<>();
        withNames.forEach(known -> known.forEach(entries::putIfAbsent));
        return entries;
    }

    private boolean isWithName(Source.Table table) {
        return table.path().size() == 1
                && table.version().isEmpty()
                && withNames.stream().anyMatch(known -> known.containsKey(table.name()));
    }

    /** The name of a table with its namespace. */
    static TableName full(Source.Table table, Names names) {
        int parts = table.path().size();
        return new TableName(parts > 1 ? table.path().get(parts - 2) : names.namespace(), table.name());
    }

    /** Resolves the name of a table for the user of the statement. */
    private Optional<Relation> relation(Source.Table table) {
        if (table.path().size() > 2) {
            return Optional.empty();
        }
        TableName full = full(table, names);
        return table.version().isPresent() ? names.version(full, table.version().getAsLong()) : names.relation(full);
    }

    private Source source(Source source) {
        if (source instanceof Source.Join join) {
            return new Source.Join(
                    source(join.left()),
                    source(join.right()),
                    join.pairing(),
                    join.asof(),
                    join.natural(),
                    join.on().map(this::value),
                    join.using(),
                    join.at());
        }
        if (source instanceof Source.Derived inner) {
            return new Source.Derived(
                    query(inner.query(), Optional.empty()), inner.lateral(), inner.alias(), inner.at());
        }
        if (source instanceof Source.Function function) {
            return function(function);
        }
        return source instanceof Source.Table table ? table(table) : source;
    }

    private Source function(Source.Function function) {
        Source changed = TableFunctions.of(function);
        if (!(changed instanceof Source.Function known)) {
            return source(changed);
        }
        Expression.Call call = known.call();
        if (!TableFunctions.knows(call.function())) {
            throw new SqlError(
                    SqlCode.UNDEFINED_FUNCTION,
                    "table function " + call.function() + " does not exist",
                    position(call.at()));
        }
        return new Source.Function(
                call.map(this::value), known.lateral(), known.ordinality(), known.alias(), known.at());
    }

    private Source table(Source.Table table) {
        if (isWithName(table)) {
            return table;
        }
        Optional<ViewDef> view = table.path().size() > 2 || table.version().isPresent()
                ? Optional.empty()
                : names.view(full(table, names));
        count(view);
        derived |= view.isPresent();
        Source.Alias alias = table.alias().or(table.name());
        if (view.isPresent()) {
            return new Source.Derived(
                    query(view.get()), false, alias.orColumns(view.get().columns()), table.at());
        }
        Relation relation = relation(table)
                .orElseThrow(() -> new SqlError(
                        SqlCode.UNDEFINED_TABLE,
                        "relation \"" + String.join(".", table.path()) + "\" does not exist",
                        position(table.at())));
        slotOf.put(table, scans.size());
        scans.add(new Scan(table, relation, scope.conditionsOn(table), scope.isOfLiveRows(table)));
        return new Source.Scan(scans.size() - 1, alias, table.at());
    }

    /** Enforces the limits: views of views multiply, and binding cannot be cancelled. */
    private void count(Optional<ViewDef> view) {
        viewChars += view.map(known -> known.query().length()).orElse(0);
        if (++tables > TABLES_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "a query reads more than " + TABLES_MAX + " tables and views");
        }
        if (viewChars > VIEW_CHARS_MAX) {
            throw new SqlError(
                    SqlCode.LIMIT_EXCEEDED,
                    "a query reads views of more than " + VIEW_CHARS_MAX + " characters together");
        }
    }

    private Query query(ViewDef view) {
        if (++viewDepth > VIEW_DEPTH_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "views are nested more than " + VIEW_DEPTH_MAX + " deep");
        }
        Names outer = names;
        names = names.in(view.namespace());
        Deque<Map<String, Query.Cte>> outerWith = new ArrayDeque<>(withNames);
        withNames.clear();
        JoinScope outerScope = scope;
        scope = JoinScope.NONE;
        Survey outerSurvey = survey;
        try {
            Query query = QueryParser.parse(view.query());
            survey = Survey.of(query);
            return query(query, Optional.empty());
        } catch (SqlError error) {
            // A position in the view's text is none in the client's.
            throw new SqlError(error.code(), error.text());
        } finally {
            withNames.addAll(outerWith);
            survey = outerSurvey;
            scope = outerScope;
            names = outer;
            viewDepth--;
        }
    }

    private ScanSlot slot(Scan scan) {
        Set<String> wanted = hiddenOf(scan.table());
        boolean withDeleted = wanted.contains(TableDef.DELETED) && !scan.ofLiveRows();
        Relation relation =
                withDeleted && scan.relation() instanceof SqlTable own ? own.withoutIndexes() : scan.relation();
        List<RelationColumn> columns = relation.columns().stream()
                .filter(column -> !column.hidden() || wanted.contains(column.name()))
                .toList();
        // Only our own scan knows row keys, by which UPDATE and DELETE find the rows again.
        boolean files = relation.hasFiles() && !wanted.contains(SqlTable.KEY_COLUMN);
        return new ScanSlot(relation, scan.conditions(), columns, withDeleted, wanted.isEmpty(), files);
    }

    // --- values ----------------------------------------------------------------------------------------------------

    private Expression value(Expression written) {
        Expression expression = new ColumnTypes(scope).apply(written);
        if (expression instanceof Expression.Operator operator) {
            Expression typed = scope.ofDocuments(operator);
            return typed instanceof Expression.Operator other && other.symbol().equals("||") && other.isBinary()
                    ? concatenation(other)
                    : ofOperator(typed).map(this::value);
        }
        if (expression instanceof Expression.Star star) {
            Expression.Star own = new Expression.Star(star.table(), star.without(), star.replaced(), star.at());
            Expression.Star bound = (Expression.Star) own.map(this::value);
            stars.put(bound, scope);
            return bound;
        }
        return one(expression).map(this::value);
    }

    private Expression ofOperator(Expression typed) {
        return typed instanceof Expression.Operator operator ? Operators.apply(operator) : one(typed);
    }

    private Expression one(Expression expression) {
        if (expression instanceof Expression.Call call) {
            return call(call);
        }
        if (expression instanceof Expression.Column column) {
            return column(column);
        }
        if (expression instanceof Expression.Subquery subquery) {
            return new Expression.Subquery(subquery.form(), query(subquery.query(), Optional.empty()), subquery.at());
        }
        if (expression instanceof Expression.Quantified quantified) {
            return new Expression.Quantified(
                    quantified.operand(),
                    quantified.sign(),
                    quantified.all(),
                    query(quantified.query(), Optional.empty()),
                    quantified.at());
        }
        if (expression instanceof Expression.Constant constant) {
            namesInfinity |= VectorWriter.hasInfinity(constant.text());
            return constant;
        }
        return scope.withConstants(expression);
    }

    /** A chain of {@code ||}: its size is checked once for the whole chain. */
    private Expression concatenation(Expression.Operator operator) {
        Deque<Expression.Operator> chain = new ArrayDeque<>(List.of(operator));
        while (isPlainConcatenation(chain.peek().left())) {
            chain.push((Expression.Operator) chain.peek().left());
        }
        List<Expression> operands = new ArrayList<>(List.of(chain.peek().left()));
        chain.forEach(each -> operands.add(each.right()));
        List<Expression> guarded = Operators.concatenated(operands, derived);
        Expression result = value(guarded.get(0));
        int place = 1;
        for (Expression.Operator each : chain) {
            result = new Expression.Operator("||", result, value(guarded.get(place++)), each.at());
        }
        return result;
    }

    private boolean isPlainConcatenation(Expression value) {
        return value instanceof Expression.Operator operator
                && operator.symbol().equals("||")
                && scope.ofDocuments(operator) instanceof Expression.Operator same
                && same.symbol().equals("||");
    }

    private Expression call(Expression.Call call) {
        if (!functions.knows(call.function())) {
            throw new SqlError(
                    SqlCode.UNDEFINED_FUNCTION, "function " + call.function() + " does not exist", position(call.at()));
        }
        dependsOnOrder |= call.over().isPresent() || KnownFunctions.dependsOnOrder(call.function());
        return functions.replace(call, names, derived);
    }

    /** Drops the namespace of {@code namespace.table.column}: the scan of a table has only the table's name. */
    private Expression column(Expression.Column column) {
        Expression.Column known =
                column.path().size() == 3 ? new Expression.Column(column.path().subList(1, 3), column.at()) : column;
        for (JoinScope.Joined owner : scope.hiddenOwners(known)) {
            hiddenOf(owner.table()).add(known.name());
        }
        return known;
    }

    /** The hidden columns of a table that the query names: only then they are read. */
    private Set<String> hiddenOf(Source.Table table) {
        return hidden.computeIfAbsent(table, first -> new LinkedHashSet<>());
    }

    /** Excludes the hidden columns that the query reads from {@code *}, unless the query excludes them itself. */
    private Expression.Star hide(Expression.Star star) {
        JoinScope around = stars.getOrDefault(star, JoinScope.NONE);
        Set<String> left = new HashSet<>();
        star.without().forEach(path -> left.add(path.get(path.size() - 1)));
        List<List<String>> without = new ArrayList<>(star.without());
        for (JoinScope.Joined table : around.called(star.table().orElse(""))) {
            for (String column : hiddenOf(table.table())) {
                if (!left.contains(column)) {
                    without.add(List.of(table.name(), column));
                }
            }
        }
        return new Expression.Star(star.table(), without, star.replaced(), star.at());
    }

    private int position(At at) {
        return viewDepth > 0 ? SqlError.NOWHERE : at.offset();
    }
}
