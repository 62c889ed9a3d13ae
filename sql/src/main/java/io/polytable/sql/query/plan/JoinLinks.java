package io.polytable.sql.query.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.sql.query.plan.JoinScope.Joined;
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
        if (scope.joined().size() > 1 && scope.from().isObject()) {
            scope.conjuncts().forEach(conjunct -> found.equality(conjunct, List.of(), List.of(), "INNER"));
            found.join(scope.from());
        }
        return found.links;
    }

    private void join(JsonNode from) {
        if (!from.path("type").asText().equals("JOIN")) {
            return;
        }
        JsonNode left = from.get("left");
        JsonNode right = from.get("right");
        join(left);
        join(right);
        List<Joined> lefts = within(left);
        List<Joined> rights = within(right);
        String type = from.path("join_type").asText();
        List<JsonNode> conditions = new ArrayList<>();
        JoinScope.conjuncts(from.path("condition"), conditions);
        conditions.forEach(condition -> equality(condition, lefts, rights, type));
        for (JsonNode name : from.path("using_columns")) {
            Optional<Joined> one = only(lefts, name.asText());
            Optional<Joined> other = only(rights, name.asText());
            if (one.isPresent() && other.isPresent()) {
                between(one.get(), name.asText(), other.get(), name.asText(), type);
            }
        }
    }

    /** Tables of a part of the FROM clause. */
    @SuppressWarnings("ReferenceEquality") // In a self-join the nodes of both sides are equal.
    private List<Joined> within(JsonNode part) {
        List<Joined> found = new ArrayList<>();
        if (part.path("type").asText().equals("JOIN")) {
            found.addAll(within(part.get("left")));
            found.addAll(within(part.get("right")));
        } else {
            scope.joined().stream().filter(each -> each.table() == part).forEach(found::add);
        }
        return found;
    }

    private static Optional<Joined> only(List<Joined> tables, String column) {
        List<Joined> owners = tables.stream()
                .filter(table -> table.relation().columns().stream()
                        .anyMatch(candidate -> candidate.name().equals(column)))
                .toList();
        return owners.size() == 1 ? Optional.of(owners.get(0)) : Optional.empty();
    }

    private void equality(JsonNode condition, List<Joined> lefts, List<Joined> rights, String type) {
        if (!condition.path("type").asText().equals("COMPARE_EQUAL")) {
            return;
        }
        JsonNode one = condition.get("left");
        JsonNode other = condition.get("right");
        Optional<Joined> first = scope.owner(one);
        Optional<Joined> second = scope.owner(other);
        if (first.isEmpty() || second.isEmpty()) {
            return;
        }
        if (lefts.contains(second.get()) && rights.contains(first.get())) {
            between(second.get(), column(other), first.get(), column(one), type);
        } else if (type.equals("INNER") || (lefts.contains(first.get()) && rights.contains(second.get()))) {
            between(first.get(), column(one), second.get(), column(other), type);
        }
    }

    private static String column(JsonNode reference) {
        JsonNode path = reference.get("column_names");
        return path.get(path.size() - 1).asText();
    }

    /** @param left the table on the join's left side; either table if the join is an inner one */
    private void between(Joined left, String leftColumn, Joined right, String rightColumn, String type) {
        if (left.equals(right)) {
            return;
        }
        if (type.equals("INNER") || type.equals("LEFT")) {
            links.add(new Link(left, leftColumn, right, rightColumn));
        }
        if (type.equals("INNER") || type.equals("RIGHT")) {
            links.add(new Link(right, rightColumn, left, leftColumn));
        }
    }
}
