package io.polytable.sql.query.plan;

import io.polytable.sql.query.plan.JoinScope.Joined;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Expression.Column;
import io.polytable.sql.tree.Source;
import io.polytable.sql.tree.Source.Pairing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the tables of a FROM clause that the values of another table may narrow. An equality of two columns in WHERE or
 * in the ON of an inner join narrows both ways; that of an outer join narrows only the optional side, because the other
 * side keeps rows without a partner. The table that the values come from is itself narrowed by the WHERE or by such a
 * link, so every row of the result has one of those values, or no row of that table at all.
 */
final class JoinLinks {
    /** Only rows of {@code to} matter whose column has a value of the column of {@code from}. */
    record Link(Joined from, String fromColumn, Joined to, String toColumn) {}

    private final JoinScope scope;
    private final List<Link> links = new ArrayList<>();

    private JoinLinks(JoinScope scope) {
        this.scope = scope;
    }

    static List<Link> of(JoinScope scope) {
        JoinLinks found = new JoinLinks(scope);
        if (scope.joined().size() > 1 && scope.from().isPresent()) {
            scope.conjuncts().forEach(conjunct -> found.equality(conjunct, List.of(), List.of(), Pairing.INNER));
            found.join(scope.from().get());
        }
        return found.links;
    }

    private void join(Source from) {
        if (!(from instanceof Source.Join join)) {
            return;
        }
        join(join.left());
        join(join.right());
        List<Joined> lefts = within(join.left());
        List<Joined> rights = within(join.right());
        List<Expression> conditions = new ArrayList<>();
        join.on().ifPresent(on -> JoinScope.conjuncts(on, conditions));
        conditions.forEach(condition -> equality(condition, lefts, rights, join.pairing()));
        for (String name : join.using()) {
            Optional<Joined> one = only(lefts, name);
            Optional<Joined> other = only(rights, name);
            if (one.isPresent() && other.isPresent()) {
                between(one.get(), name, other.get(), name, join.pairing());
            }
        }
    }

    /** Tables of a part of the FROM clause. */
    private List<Joined> within(Source part) {
        if (part instanceof Source.Join join) {
            List<Joined> found = new ArrayList<>(within(join.left()));
            found.addAll(within(join.right()));
            return found;
        }
        return scope.joined().stream().filter(each -> each.isAt(part)).toList();
    }

    private static Optional<Joined> only(List<Joined> tables, String column) {
        List<Joined> owners = tables.stream().filter(table -> table.has(column)).toList();
        return owners.size() == 1 ? Optional.of(owners.get(0)) : Optional.empty();
    }

    private static boolean isAmong(List<Joined> tables, Joined table) {
        return tables.stream().anyMatch(each -> each.isAt(table.table()));
    }

    private void equality(Expression condition, List<Joined> lefts, List<Joined> rights, Pairing pairing) {
        boolean equality = condition instanceof Expression.Comparison comparison
                && comparison.sign() == Expression.Comparison.Sign.EQUAL
                && comparison.left() instanceof Column
                && comparison.right() instanceof Column;
        if (!equality || !(condition instanceof Expression.Comparison comparison)) {
            return;
        }
        Column one = (Column) comparison.left();
        Column other = (Column) comparison.right();
        Optional<Joined> first = scope.owner(one);
        Optional<Joined> second = scope.owner(other);
        if (first.isEmpty() || second.isEmpty()) {
            return;
        }
        if (isAmong(lefts, second.get()) && isAmong(rights, first.get())) {
            between(second.get(), other.name(), first.get(), one.name(), pairing);
        } else if (pairing == Pairing.INNER || (isAmong(lefts, first.get()) && isAmong(rights, second.get()))) {
            between(first.get(), one.name(), second.get(), other.name(), pairing);
        }
    }

    /** @param left the table on the join's left side; either table if the join is an inner one */
    private void between(Joined left, String leftColumn, Joined right, String rightColumn, Pairing pairing) {
        if (left.isAt(right.table())) {
            return;
        }
        if (pairing == Pairing.INNER || pairing == Pairing.LEFT) {
            links.add(new Link(left, leftColumn, right, rightColumn));
        }
        if (pairing == Pairing.INNER || pairing == Pairing.RIGHT) {
            links.add(new Link(right, rightColumn, left, leftColumn));
        }
    }
}
