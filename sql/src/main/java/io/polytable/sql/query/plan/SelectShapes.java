package io.polytable.sql.query.plan;

import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.plan.JoinScope.Joined;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Expression.Column;
import io.polytable.sql.tree.Expression.Constant;
import io.polytable.sql.tree.Order;
import io.polytable.sql.tree.Query;
import io.polytable.sql.tree.Query.Grouping;
import io.polytable.sql.tree.Query.Item;
import io.polytable.sql.tree.Source;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Rewrites the clauses of one SELECT whose combination PostgreSQL treats differently from DuckDB: the column order of
 * {@code *} with USING, columns that depend on a grouped primary key, and ORDER BY with DISTINCT.
 */
final class SelectShapes {
    private final Query.Select select;
    private final JoinScope scope;
    private final Set<String> mentioned;

    /** What {@link #columnsOf} found: chains of NATURAL joins ask for the same joins again and again. */
    private final IdentityHashMap<Source, Set<String>> columns = new IdentityHashMap<>();

    /** @param mentioned the names of columns in the whole query */
    SelectShapes(Query.Select select, JoinScope scope, Set<String> mentioned) {
        this.select = select;
        this.scope = scope;
        this.mentioned = mentioned;
    }

    Query.Select apply(List<Order> orders) {
        distinctOrder(orders);
        List<Grouping> groups = new ArrayList<>(groupBySelected());
        groups.addAll(groupByKey());
        return select.with(sharedColumnsFirst(), groups);
    }

    // --- USING -----------------------------------------------------------------------------------------------------

    /** Moves the columns that a join shares before all others, unless another table has one of that name. */
    private List<Item> sharedColumnsFirst() {
        Set<String> shared = select.from().map(this::leading).orElse(Set.of());
        if (shared.isEmpty()) {
            return select.items();
        }
        List<Item> items = new ArrayList<>();
        for (Item item : select.items()) {
            boolean plain = item.value() instanceof Expression.Star star
                    && star.table().isEmpty()
                    && star.without().isEmpty();
            if (plain && item.value() instanceof Expression.Star star) {
                shared.forEach(name -> items.add(new Item(new Column(name, star.at()), Optional.empty())));
                List<List<String>> without = shared.stream().map(List::of).toList();
                items.add(new Item(
                        new Expression.Star(star.table(), without, star.replaced(), star.at()), Optional.empty()));
            } else {
                items.add(item);
            }
        }
        return items;
    }

    /**
     * The shared columns that come first: those of the outermost join, then those of the join on its left. EXCLUDE
     * removes a name from every table, so a name that a table on the right may also have stays where it is.
     */
    private Set<String> leading(Source from) {
        Set<String> names = new LinkedHashSet<>();
        if (from instanceof Source.Join join) {
            names.addAll(shared(join));
            leading(join.left()).stream()
                    .filter(name -> !mayHave(join.right(), name))
                    .forEach(names::add);
        }
        return names;
    }

    private Set<String> shared(Source.Join join) {
        Set<String> names = new LinkedHashSet<>(join.using());
        if (join.natural()) {
            names.addAll(columnsOf(join.left()));
            names.retainAll(columnsOf(join.right()));
        }
        return names;
    }

    /** The columns of the known tables in a part of FROM, in the order of {@code *}. */
    private Set<String> columnsOf(Source part) {
        Set<String> known = columns.get(part);
        if (known != null) {
            return known;
        }
        Set<String> names = new LinkedHashSet<>();
        if (part instanceof Source.Join join) {
            names.addAll(shared(join));
            names.addAll(columnsOf(join.left()));
            names.addAll(columnsOf(join.right()));
        }
        known(part).ifPresent(table -> shown(table).forEach(column -> names.add(column.name())));
        columns.put(part, names);
        return names;
    }

    /** Whether a part of FROM may have a column of that name; the columns of a subquery are not known. */
    private boolean mayHave(Source part, String name) {
        if (part instanceof Source.Join join) {
            return mayHave(join.left(), name) || mayHave(join.right(), name);
        }
        return known(part).map(table -> table.has(name)).orElse(true);
    }

    private Optional<Joined> known(Source part) {
        return scope.joined().stream().filter(table -> table.isAt(part)).findFirst();
    }

    private static List<RelationColumn> shown(Joined table) {
        return table.relation().columns().stream()
                .filter(column -> !column.hidden())
                .toList();
    }

    // --- GROUP BY --------------------------------------------------------------------------------------------------

    /** Groups by position if the expression has a subquery: DuckDB does not recognise it as the selected one. */
    private List<Grouping> groupBySelected() {
        return select.groups().stream().map(this::grouped).toList();
    }

    private Grouping grouped(Grouping group) {
        if (!(group instanceof Grouping.By by)) {
            return group;
        }
        if (by.value() instanceof Constant constant && constant.kind() != Constant.Kind.INTEGER) {
            throw new SqlError(
                    SqlCode.SYNTAX_ERROR,
                    "non-integer constant in GROUP BY",
                    constant.at().offset());
        }
        if (by.value().has(SelectShapes::isQuery)) {
            for (int place = 0; place < select.items().size(); place++) {
                if (plain(select.items().get(place).value()).equals(plain(by.value()))) {
                    return new Grouping.By(Constant.of(place + 1));
                }
            }
        }
        return group;
    }

    private static boolean isQuery(Expression value) {
        return value instanceof Expression.Subquery || value instanceof Expression.Quantified;
    }

    /** The other columns of a table whose primary key is grouped: they are functionally dependent. */
    private List<Grouping> groupByKey() {
        boolean plain = !select.groups().isEmpty() && select.groups().stream().allMatch(Grouping.By.class::isInstance);
        List<Grouping> more = new ArrayList<>();
        for (Joined table : plain ? scope.joined() : List.<Joined>of()) {
            List<String> key = table.relation() instanceof SqlTable own ? own.key() : List.of();
            if (!key.isEmpty() && key.stream().allMatch(column -> isGrouped(table, column))) {
                shown(table).stream()
                        .map(RelationColumn::name)
                        .filter(column -> isWanted(column) && !isGrouped(table, column))
                        .forEach(column ->
                                more.add(new Grouping.By(new Column(List.of(table.name(), column), select.at()))));
            }
        }
        return more;
    }

    private boolean isWanted(String column) {
        return mentioned.contains(column)
                || select.items().stream().anyMatch(item -> item.value() instanceof Expression.Star);
    }

    private boolean isGrouped(Joined table, String column) {
        return select.groups().stream()
                .anyMatch(group -> group instanceof Grouping.By by
                        && by.value() instanceof Column path
                        && path.name().equals(column)
                        && scope.isOf(table, path.path(), column));
    }

    // --- DISTINCT --------------------------------------------------------------------------------------------------

    /** Rejects ORDER BY of a column that DISTINCT does not select: rows that it merges may differ in that column. */
    private void distinctOrder(List<Order> orders) {
        if (select.distinct().isEmpty() || orders.isEmpty()) {
            return;
        }
        List<Expression> on = select.distinct().get().on();
        List<Expression> allowed = new ArrayList<>();
        if (on.isEmpty()) {
            for (Item item : select.items()) {
                if (item.value() instanceof Expression.Star) {
                    return;
                }
                allowed.add(plain(item.value()));
            }
        } else {
            on.forEach(target -> allowed.add(plain(named(target))));
        }
        int checked = on.isEmpty() ? orders.size() : Math.min(orders.size(), on.size());
        for (int i = 0; i < checked; i++) {
            Expression order = orders.get(i).value();
            if (!allowed.contains(plain(named(order)))) {
                throw new SqlError(
                        SqlCode.INVALID_COLUMN_REFERENCE,
                        on.isEmpty()
                                ? "for SELECT DISTINCT, ORDER BY expressions must appear in select list"
                                : "SELECT DISTINCT ON expressions must match initial ORDER BY expressions",
                        order.at().offset());
            }
        }
    }

    /** The selected expression that a position or an alias refers to. */
    private Expression named(Expression expression) {
        List<Item> items = select.items();
        if (expression instanceof Constant constant && constant.kind() == Constant.Kind.INTEGER) {
            int place = constant.text().length() < 10 ? Integer.parseInt(constant.text()) : 0;
            return place > 0 && place <= items.size() ? items.get(place - 1).value() : expression;
        }
        if (expression instanceof Column column && column.path().size() == 1) {
            for (Item item : items) {
                if (item.alias().filter(column.name()::equals).isPresent()) {
                    return item.value();
                }
            }
        }
        return expression;
    }

    /** A copy without qualifiers, for comparison. */
    private static Expression plain(Expression expression) {
        return expression instanceof Column column
                ? new Column(column.name(), column.at())
                : expression.map(SelectShapes::plain);
    }
}
