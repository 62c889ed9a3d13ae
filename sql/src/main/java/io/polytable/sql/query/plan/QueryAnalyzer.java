package io.polytable.sql.query.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.definition.ViewDef;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.Names;
import io.polytable.sql.query.dialect.Dialect;
import io.polytable.sql.query.dialect.KnownFunctions;
import io.polytable.sql.query.dialect.MacroWeights;
import io.polytable.sql.query.dialect.TableFunctions;
import io.polytable.sql.query.dialect.TimeFunctions;
import io.polytable.sql.query.duck.ParsedSql;
import io.polytable.sql.query.scan.FileQuery;
import io.polytable.sql.query.scan.ScanSlot;
import io.polytable.sql.query.scan.ScanTypes;
import io.polytable.sql.syntax.AsOf;
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
import java.util.function.Predicate;

/**
 * Checks and rewrites DuckDB's parse tree of one query: replaces every table by a scan of ours or the query of a view,
 * admits only known functions, and rejects everything that could reach beyond our tables.
 */
public final class QueryAnalyzer {
    private static final int VIEW_DEPTH_MAX = 20;

    /** The most tables and views that a query reads, including those of views; a view counts at each use. */
    private static final int TABLES_MAX = 1000;

    /** The most characters of the texts of views; a view counts at each use. */
    private static final long VIEW_CHARS_MAX = 1 << 20;

    private static final long FIRST_MARKER = 900_000_000_000_000L;
    private static final Set<String> TABLE_KINDS =
            Set.of("BASE_TABLE", "SUBQUERY", "JOIN", "TABLE_FUNCTION", "EMPTY", "EXPRESSION_LIST");
    private static final Set<String> QUERY_KINDS =
            Set.of("SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE");
    private static final Set<String> TABLE_FUNCTIONS =
            Set.of("range", "generate_series", "unnest", "json_each", "json_tree");

    private final ParsedSql parser;
    private final KnownFunctions functions;
    private final MacroWeights weights;
    private final DerivedColumns derivedColumns;
    private final List<Scan> scans = new ArrayList<>();
    private final IdentityHashMap<JsonNode, Integer> slotOf = new IdentityHashMap<>();
    private final IdentityHashMap<JsonNode, Set<String>> hidden = new IdentityHashMap<>();
    private final List<Star> stars = new ArrayList<>();
    private final List<JoinNarrowing.SlotLink> links = new ArrayList<>();
    private final Deque<Map<String, JsonNode>> withNames = new ArrayDeque<>();
    private final Set<String> mentioned = new HashSet<>();
    private final String original;
    private Names names;
    private JoinScope scope = JoinScope.NONE;
    private boolean exact = true;
    private boolean derived;
    private int viewDepth;
    private int tables;
    private long viewChars;

    /** A table of the query and the subquery that replaces it, whose columns are known once the query is visited. */
    private record Scan(
            ObjectNode table,
            ObjectNode place,
            Relation relation,
            List<ScanSlot.ColumnCondition> conditions,
            boolean ofLiveRows) {}

    private record Star(ObjectNode node, JoinScope scope) {}

    public QueryAnalyzer(
            ParsedSql parser, KnownFunctions functions, MacroWeights weights, Names names, String original) {
        this.parser = parser;
        this.functions = functions;
        this.weights = weights;
        derivedColumns = new DerivedColumns(parser);
        this.names = names;
        this.original = original;
    }

    /**
     * Analyses a query. DuckDB does not know the type of every operand when it selects how to divide decimals, such as that of
     * a result's name in ORDER BY; for a query that it rejects therefore there is a second text, which divides in DOUBLE.
     */
    public Plan analyze(ObjectNode root) {
        ObjectNode untouched = root.deepCopy();
        Plan plan = analyzeOnce(root);
        if (!Dialect.needsTypes(root)) {
            return plan;
        }
        QueryAnalyzer inexact = new QueryAnalyzer(parser, functions, weights, names, original);
        inexact.exact = false;
        return plan.withInexact(inexact.analyzeOnce(untouched).sql());
    }

    private Plan analyzeOnce(ObjectNode root) {
        new Dialect(original, exact).apply(root);
        collectNames(root);
        visitStatement(root);
        List<ScanSlot> slots = new ArrayList<>();
        scans.forEach(scan -> slots.add(placed(scan, Long.toString(FIRST_MARKER + slots.size()))));
        stars.forEach(this::hide);
        weights.check(root);
        List<Integer> parameters = new ArrayList<>();
        renumber(root, parameters);
        ObjectNode statement = (ObjectNode) root.get("statements").get(0);
        ArrayNode map = statement.putArray("named_param_map");
        for (int i = 1; i <= parameters.size(); i++) {
            map.addObject().put("key", Integer.toString(i)).put("value", i);
        }
        return new Plan(parser.text(root), slots, links, parameters, original);
    }

    /** Renumbers parameters without gaps, as DuckDB requires: a part of a statement has only some of them. */
    private static void renumber(JsonNode node, List<Integer> parameters) {
        if (node instanceof ObjectNode object && object.path("class").asText().equals("PARAMETER")) {
            int number = number(object.path("identifier").asText());
            if (!parameters.contains(number)) {
                parameters.add(number);
            }
            object.put("identifier", Integer.toString(parameters.indexOf(number) + 1));
        }
        node.forEach(child -> renumber(child, parameters));
    }

    private static int number(String identifier) {
        if (identifier.equals(TimeFunctions.NOW)) {
            return Plan.NOW;
        }
        if (identifier.equals(TimeFunctions.STATEMENT)) {
            return Plan.STATEMENT_TIME;
        }
        if (!identifier.matches("[1-9]\\d{0,4}")) {
            throw new SqlError(SqlCode.UNDEFINED_PARAMETER, "there is no parameter $" + identifier);
        }
        return Integer.parseInt(identifier);
    }

    private void collectNames(JsonNode node) {
        if (node.isObject() && node.path("class").asText().equals("COLUMN_REF")) {
            ArrayNode path = (ArrayNode) node.get("column_names");
            mentioned.add(path.get(path.size() - 1).asText());
        }
        derived |= isDerived(node);
        node.forEach(this::collectNames);
    }

    /** Whether its columns or variables are computed by another part of the query. */
    private boolean isDerived(JsonNode node) {
        if (node.path("type").asText().equals("BASE_TABLE")) {
            String schema = node.path("schema_name").asText();
            String name = node.path("table_name").asText();
            return names.view(new TableName(schema.isEmpty() ? names.namespace() : schema, name))
                    .isPresent();
        }
        return node.path("class").asText().equals("LAMBDA")
                || node.path("type").asText().equals("SUBQUERY")
                || !node.path("cte_map").path("map").isEmpty();
    }

    private void visitStatement(JsonNode root) {
        root.get("statements").forEach(statement -> visit(statement.get("node")));
    }

    private void visit(JsonNode node) {
        if (node instanceof ObjectNode object) {
            visitObject(object);
        } else if (node instanceof ArrayNode array) {
            array.forEach(this::visit);
        }
    }

    private void visitObject(ObjectNode object) {
        String kind = object.path("type").asText();
        if (object.has("cte_map")) {
            visitQuery(object);
            return;
        }
        if (object.has("sample") && object.has("alias") && !TABLE_KINDS.contains(kind)) {
            throw refused("a query reads tables, not " + kind, object);
        }
        if (kind.equals("BASE_TABLE")) {
            // Tables are replaced when their parent is visited; DuckDB would look up one that is left itself.
            throw refused("a table is not allowed here", object);
        }
        switch (object.path("class").asText()) {
            case "FUNCTION", "WINDOW" -> {
                scope.writeDocuments(object);
                checkFunction(object, functions::knows, "function");
            }
            case "STAR" -> stars.add(new Star(object, scope));
            case "COMPARISON", "BETWEEN", "OPERATOR" -> scope.writeConstants(object);
            default -> {}
        }
        if (object.path("class").asText().equals("COLUMN_REF")) {
            dropNamespace(object);
            readHidden(object.get("column_names"));
            functions.replaceBare(object, names);
            return;
        }
        if (kind.equals("TABLE_FUNCTION")) {
            if (TableFunctions.apply(object, parser)) {
                children(object);
                return;
            }
            checkFunction((ObjectNode) object.get("function"), TABLE_FUNCTIONS::contains, "table function");
            visit(object.get("function").get("arguments"));
            return;
        }
        children(object);
    }

    /** Visits the children, and replaces those that are tables. */
    private void children(ObjectNode object) {
        for (Map.Entry<String, JsonNode> entry : List.copyOf(object.properties())) {
            JsonNode child = entry.getValue();
            if (entry.getKey().equals("cte_map")) {
                continue;
            }
            if (child.isObject() && child.path("type").asText().equals("BASE_TABLE")) {
                replaceTable((ObjectNode) child).ifPresent(node -> object.set(entry.getKey(), node));
            } else {
                visit(child);
            }
        }
    }

    private void checkFunction(ObjectNode function, Predicate<String> known, String what) {
        boolean window = function.path("class").asText().equals("WINDOW");
        String name = function.path("function_name").asText();
        boolean plain = function.path("schema").asText().isEmpty()
                && function.path("catalog").asText().isEmpty();
        if (!plain || !(known.test(name) || (window && name.isEmpty()) || isOperator(function, name))) {
            throw new SqlError(SqlCode.UNDEFINED_FUNCTION, what + " " + name + " does not exist", position(function));
        }
        KnownFunctions.escapeLike(function);
        if (!what.startsWith("table")) {
            functions.replace(function, names, derived);
        }
    }

    private static boolean isOperator(ObjectNode function, String name) {
        return function.path("is_operator").asBoolean() && !name.matches("[a-z_0-9]+");
    }

    /** Drops the namespace of {@code namespace.table.column}: the subquery of a table has only the table's name. */
    private static void dropNamespace(ObjectNode column) {
        ArrayNode path = (ArrayNode) column.get("column_names");
        if (path.size() == 3) {
            path.remove(0);
        }
    }

    private void visitQuery(ObjectNode query) {
        if (!QUERY_KINDS.contains(query.path("type").asText())) {
            throw refused("a query only reads", query);
        }
        Map<String, JsonNode> own = new HashMap<>();
        withNames.push(own);
        for (JsonNode entry : query.get("cte_map").get("map")) {
            String name = entry.get("key").asText();
            ObjectNode value = (ObjectNode) entry.get("value");
            boolean recursive = value.path("query_node").path("type").asText().contains("RECURSIVE");
            if (recursive) {
                own.put(name, value);
            }
            visit(value);
            own.put(name, value);
        }
        JoinScope outer = scope;
        scope = JoinScope.of(query, sources(), outer);
        new SelectShapes(query, scope, mentioned).apply();
        List<JoinLinks.Link> joins = JoinLinks.of(scope);
        children(query);
        joins.forEach(this::link);
        scope = outer;
        withNames.pop();
    }

    private void link(JoinLinks.Link join) {
        Integer from = slotOf.get(join.from().table());
        Integer to = slotOf.get(join.to().table());
        if (from != null && to != null) {
            links.add(new JoinNarrowing.SlotLink(from, join.fromColumn(), to, join.toColumn()));
        }
    }

    private JoinScope.Sources sources() {
        return new JoinScope.Sources() {
            @Override
            public Optional<Relation> table(JsonNode node) {
                return lookUp(node);
            }

            @Override
            public boolean mayHave(JsonNode node, String column) {
                return derivedColumns.mayHave(node, column, new DerivedColumns.Place(names, withEntries()));
            }
        };
    }

    /** The common table expressions in scope; inner ones hide outer ones. */
    private Map<String, JsonNode> withEntries() {
        Map<String, JsonNode> entries = new HashMap<>();
        withNames.forEach(known -> known.forEach(entries::putIfAbsent));
        return entries;
    }

    private Optional<Relation> lookUp(JsonNode table) {
        String schema = table.path("schema_name").asText();
        String name = table.path("table_name").asText();
        if (schema.isEmpty() && isWithName(name)) {
            return Optional.empty();
        }
        return names.relation(new TableName(schema.isEmpty() ? names.namespace() : schema, name));
    }

    private boolean isWithName(String name) {
        return withNames.stream().anyMatch(known -> known.containsKey(name));
    }

    private Optional<ObjectNode> replaceTable(ObjectNode table) {
        String catalog = table.path("catalog_name").asText();
        String schema = table.path("schema_name").asText();
        String name = table.path("table_name").asText();
        if (schema.isEmpty() && catalog.isEmpty() && isWithName(name)) {
            return Optional.empty();
        }
        TableName full = new TableName(schema.isEmpty() ? names.namespace() : schema, name);
        Optional<ViewDef> view = catalog.isEmpty() ? names.view(full) : Optional.empty();
        count(view);
        if (view.isPresent()) {
            return Optional.of(subquery(table, viewQuery(view.get()), view.get().columns()));
        }
        Relation relation = (catalog.isEmpty() ? names.relation(full) : Optional.<Relation>empty())
                .orElseThrow(() -> new SqlError(
                        SqlCode.UNDEFINED_TABLE,
                        "relation \"" + (schema.isEmpty() ? name : schema + "." + name) + "\" does not exist",
                        position(table)));
        ObjectNode place = subquery(table, table.nullNode(), List.of());
        slotOf.put(table, scans.size());
        scans.add(new Scan(table, place, relation, scope.conditionsOn(table), scope.isOfLiveRows(table)));
        return Optional.of(place);
    }

    /** Enforces the limits: views of views multiply, and analysis cannot be cancelled. */
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

    /** Records that the query names a hidden column of these tables: only then it is read. */
    private void readHidden(JsonNode path) {
        for (JoinScope.Joined owner : scope.hiddenOwners(path)) {
            hiddenOf(owner.table()).add(path.get(path.size() - 1).asText());
        }
    }

    private Set<String> hiddenOf(JsonNode table) {
        return hidden.computeIfAbsent(table, first -> new LinkedHashSet<>());
    }

    private ScanSlot placed(Scan scan, String marker) {
        Set<String> wanted = hiddenOf(scan.table());
        boolean withDeleted = wanted.contains(TableDef.DELETED) && !scan.ofLiveRows();
        Relation relation =
                withDeleted && scan.relation() instanceof SqlTable own ? own.withoutIndexes() : scan.relation();
        List<RelationColumn> columns = relation.columns().stream()
                .filter(column -> !column.hidden() || wanted.contains(column.name()))
                .toList();
        String source = ScanTypes.source(relation, columns, marker);
        // Only our own scan knows row keys, by which UPDATE and DELETE find the rows again.
        if (relation.hasFiles() && !wanted.contains(SqlTable.KEY_COLUMN)) {
            source += " UNION ALL " + FileQuery.placeholder(columns, marker);
        }
        scan.place().set("subquery", parser.parse(source).get("statements").get(0));
        return new ScanSlot(relation, marker, scan.conditions(), withDeleted, wanted.isEmpty());
    }

    /** Excludes the hidden columns that the query reads from {@code *}, unless the query excludes them itself. */
    private void hide(Star star) {
        ObjectNode node = star.node();
        if (!node.path("expr").isNull()) {
            return;
        }
        Set<String> left = new HashSet<>();
        node.path("exclude_list").forEach(column -> left.add(column.asText()));
        ArrayNode excluded = node.withArray("qualified_exclude_list");
        excluded.forEach(name -> left.add(name.path("column").asText()));
        for (JoinScope.Joined table :
                star.scope().called(node.path("relation_name").asText())) {
            for (String column : hiddenOf(table.table())) {
                if (!left.contains(column)) {
                    ObjectNode name = excluded.addObject().put("catalog", "").put("schema", "");
                    name.put("table", table.name()).put("column", column);
                }
            }
        }
    }

    private JsonNode viewQuery(ViewDef view) {
        if (++viewDepth > VIEW_DEPTH_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "views are nested more than " + VIEW_DEPTH_MAX + " deep");
        }
        Names outer = names;
        names = names.in(view.namespace());
        Deque<Map<String, JsonNode>> outerWith = new ArrayDeque<>(withNames);
        withNames.clear();
        JoinScope outerScope = scope;
        scope = JoinScope.NONE;
        Set<String> outerMentioned = Set.copyOf(mentioned);
        mentioned.clear();
        ObjectNode root = parser.parse(view.query());
        new Dialect(view.query(), exact).apply(root);
        collectNames(root);
        visitStatement(root);
        withNames.addAll(outerWith);
        mentioned.clear();
        mentioned.addAll(outerMentioned);
        scope = outerScope;
        names = outer;
        viewDepth--;
        return root.get("statements").get(0);
    }

    /** A subquery to replace a table, with the table's name or alias. */
    private ObjectNode subquery(ObjectNode table, JsonNode statement, List<String> columnNames) {
        ObjectNode node = table.objectNode();
        String alias = table.path("alias").asText();
        node.put("type", "SUBQUERY");
        node.put("alias", alias.isEmpty() ? AsOf.plain(table.path("table_name").asText()) : alias);
        node.set("sample", table.path("sample"));
        node.set("query_location", table.path("query_location"));
        node.set("subquery", statement);
        JsonNode aliases = table.path("column_name_alias");
        if (aliases.isEmpty() && !columnNames.isEmpty()) {
            ArrayNode given = node.arrayNode();
            columnNames.forEach(name -> given.add(TextNode.valueOf(name)));
            aliases = given;
        }
        node.set("column_name_alias", aliases);
        return node;
    }

    private SqlError refused(String text, JsonNode node) {
        return new SqlError(SqlCode.NOT_ALLOWED, text, position(node));
    }

    private int position(JsonNode node) {
        long location = node.path("query_location").asLong(-1);
        return viewDepth > 0 || location < 0 || location > original.length()
                ? SqlError.NOWHERE
                : parser.charOffset(original, (int) location);
    }
}
