package io.polytable.sql.command.plan;

import io.polytable.sql.expr.Columns;
import io.polytable.sql.expr.Compiled;
import io.polytable.sql.expr.Environment;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.model.definition.PolicyDef;
import io.polytable.sql.model.definition.PolicyDef.Command;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.table.RowFilter;
import io.polytable.sql.syntax.QueryParser;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The row policies of a table for one user, compiled for one statement. A row passes if one permissive policy and all
 * restrictive policies are true for it; without a permissive policy, no row does.
 */
public final class RowPolicies {
    private final TableDef def;
    private final Environment given;
    private final ExprCompiler compiler;

    public RowPolicies(TableDef def, Environment given) {
        this.def = def;
        this.given = given;
        compiler = new ExprCompiler(columns(def));
    }

    /** The columns that a policy's conditions may name. */
    public static Columns columns(TableDef def) {
        List<RelationColumn> columns = def.columns().stream()
                .map(column -> RelationColumn.shown(column.name(), column.type()))
                .toList();
        return new Columns().with(List.of(def.name().name(), def.name().toString()), columns);
    }

    /** The rows that a statement which needs all of these rights may find. */
    public RowFilter found(List<Command> commands) {
        List<Rules> all =
                commands.stream().map(command -> rules(command, false)).toList();
        return row -> all.stream().allMatch(rules -> rules.violated(row, given).isEmpty());
    }

    /**
     * Requires that a row may be inserted.
     *
     * @param reads whether the statement returns the row or looks for conflicts with it
     */
    public void requireInsertable(@Nullable Object[] row, boolean reads) {
        require(rules(Command.INSERT, true), row, "");
        requireReadable(row, reads, "");
    }

    /** Requires that an existing row may be changed in place of the one that conflicts with it. */
    public void requireReplaceable(@Nullable Object[] present) {
        require(rules(Command.UPDATE, false), present, " (USING expression)");
        requireReadable(present, true, " (USING expression)");
    }

    /** Requires that a row may be changed into this one. */
    public void requireChanged(@Nullable Object[] row, boolean reads) {
        require(rules(Command.UPDATE, true), row, "");
        requireReadable(row, reads, "");
    }

    private void requireReadable(@Nullable Object[] row, boolean reads, String which) {
        if (reads) {
            require(rules(Command.SELECT, false), row, which);
        }
    }

    private void require(Rules rules, @Nullable Object[] row, String which) {
        rules.violated(row, given).ifPresent(policy -> {
            String name = policy.isEmpty() ? "" : " \"" + policy + "\"";
            throw new SqlError(
                    SqlCode.NOT_ALLOWED,
                    "new row violates row-level security policy" + name + which + " for table \""
                            + def.name().name() + "\"");
        });
    }

    /** A restrictive policy. */
    private record Restriction(String policy, Compiled condition) {}

    private record Rules(List<Compiled> permissive, List<Restriction> restrictive) {
        /** The restrictive policy that the row violates, an empty name if no permissive policy accepts it. */
        Optional<String> violated(@Nullable Object[] row, Environment given) {
            if (permissive.stream().noneMatch(condition -> condition.holds(row, given))) {
                return Optional.of("");
            }
            return restrictive.stream()
                    .filter(each -> !each.condition().holds(row, given))
                    .map(Restriction::policy)
                    .findFirst();
        }
    }

    private Rules rules(Command command, boolean written) {
        List<Compiled> permissive = new ArrayList<>();
        List<Restriction> restrictive = new ArrayList<>();
        for (PolicyDef policy : def.security().policies()) {
            Optional<Compiled> condition = policy.condition(written)
                    .filter(text -> policy.isFor(given.user(), command))
                    .map(text -> compiler.condition(QueryParser.expression(text)));
            if (condition.isPresent() && policy.permissive()) {
                permissive.add(condition.get());
            } else if (condition.isPresent()) {
                restrictive.add(new Restriction(policy.name(), condition.get()));
            }
        }
        return new Rules(permissive, restrictive);
    }
}
