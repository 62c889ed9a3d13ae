package io.polytable.sql.command.definition;

import io.polytable.sql.command.plan.RowPolicies;
import io.polytable.sql.command.plan.TableRules;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Portal;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.expr.Columns;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.model.definition.PolicyDef;
import io.polytable.sql.model.definition.PolicyDef.Command;
import io.polytable.sql.model.definition.RowSecurity;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.syntax.ExpressionText;
import io.polytable.sql.syntax.Fragment;
import io.polytable.sql.syntax.PolicyStatement;
import io.polytable.sql.syntax.QueryParser;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.TableKind;
import java.util.List;
import java.util.Optional;

/** Runs CREATE, ALTER and DROP POLICY. */
final class PolicyCommands {
    /** The policies of a table are compiled for every statement. */
    static final int POLICIES_MAX = 100;

    private final Portal portal;
    private final SqlEngine engine;
    private final Session session;

    PolicyCommands(Portal portal) {
        this.portal = portal;
        engine = portal.engine();
        session = portal.session();
    }

    Outcome run(PolicyStatement statement) {
        SqlTable table = session.table(statement.table());
        requireShared(table.def());
        new TableAlterer(portal).alter(table, def -> def.withSecurity(changed(def, statement)));
        return Outcome.done(
                statement instanceof PolicyStatement.Create
                        ? "CREATE POLICY"
                        : statement instanceof PolicyStatement.Drop ? "DROP POLICY" : "ALTER POLICY");
    }

    private RowSecurity changed(TableDef def, PolicyStatement statement) {
        RowSecurity security = def.security();
        if (statement instanceof PolicyStatement.Create create) {
            return security.with(created(def, create));
        }
        if (statement instanceof PolicyStatement.Drop drop
                && drop.ifExists()
                && security.policy(drop.name()).isEmpty()) {
            return security;
        }
        PolicyDef present = security.policy(statement.name()).orElseThrow(() -> missing(def, statement.name()));
        if (statement instanceof PolicyStatement.Rename rename) {
            requireFree(def, rename.to());
            return security.with(rename.name(), policy -> renamed(policy, rename.to()));
        }
        if (statement instanceof PolicyStatement.Alter alter) {
            PolicyDef next = altered(def, present, alter);
            return security.with(alter.name(), policy -> next);
        }
        return security.without(statement.name());
    }

    private PolicyDef created(TableDef def, PolicyStatement.Create create) {
        requireFree(def, create.name());
        if (def.security().policies().size() >= POLICIES_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "a table has at most " + POLICIES_MAX + " policies");
        }
        return new PolicyDef(
                create.name(),
                create.permissive(),
                create.command(),
                roles(create.roles()),
                create.conditions().using().map(condition -> verified(def, condition)),
                create.conditions().check().map(condition -> verified(def, condition)));
    }

    private static PolicyDef renamed(PolicyDef policy, String name) {
        return new PolicyDef(
                name, policy.permissive(), policy.command(), policy.roles(), policy.using(), policy.check());
    }

    private PolicyDef altered(TableDef def, PolicyDef policy, PolicyStatement.Alter alter) {
        PolicyStatement.Conditions conditions = alter.conditions();
        boolean writes = policy.command() != Command.SELECT && policy.command() != Command.DELETE;
        if (conditions.using().isPresent() && policy.command() == Command.INSERT) {
            throw new SqlError(SqlCode.SYNTAX_ERROR, "only WITH CHECK expression allowed for INSERT");
        }
        if (conditions.check().isPresent() && !writes) {
            throw new SqlError(SqlCode.SYNTAX_ERROR, "only USING expression allowed for SELECT, DELETE");
        }
        return new PolicyDef(
                policy.name(),
                policy.permissive(),
                policy.command(),
                alter.roles().map(this::roles).orElse(policy.roles()),
                conditions.using().map(condition -> verified(def, condition)).or(policy::using),
                conditions.check().map(condition -> verified(def, condition)).or(policy::check));
    }

    private List<String> roles(List<PolicyStatement.Role> roles) {
        return roles.stream()
                .map(role -> role.current() ? session.user() : role.name())
                .peek(engine.rights()::requireUser)
                .distinct()
                .toList();
    }

    /** The text of a condition that we can evaluate for each row, without other rows. */
    private String verified(TableDef def, Fragment condition) {
        Columns columns = RowPolicies.columns(def);
        try {
            if (condition.value().has(Expression.Parameter.class::isInstance)) {
                throw new SqlError(SqlCode.UNDEFINED_PARAMETER, "a policy takes no parameters");
            }
            TableRules.verify(condition.value(), columns, "a policy");
            new ExprCompiler(columns).condition(condition.value());
        } catch (SqlError error) {
            throw error.at(condition.position());
        }
        return condition.text();
    }

    private static void requireFree(TableDef def, String name) {
        if (def.security().policy(name).isPresent()) {
            throw new SqlError(
                    SqlCode.DUPLICATE_OBJECT,
                    "policy \"" + name + "\" for table \"" + def.name().name() + "\" already exists");
        }
    }

    private static SqlError missing(TableDef def, String name) {
        return new SqlError(
                SqlCode.UNDEFINED_OBJECT,
                "policy \"" + name + "\" for table \"" + def.name().name() + "\" does not exist");
    }

    /** Rows of user tables belong to one user already, and a stream's events are found by time. */
    static void requireShared(TableDef def) {
        if (def.kind() != TableKind.SHARED) {
            throw new SqlError(SqlCode.WRONG_OBJECT_TYPE, "row policies are for shared tables");
        }
    }

    /** Conditions that do not refer to the table's name, which changes. */
    static RowSecurity unqualified(RowSecurity security) {
        RowSecurity changed = new RowSecurity(security.enabled(), List.of());
        for (PolicyDef policy : security.policies()) {
            changed = changed.with(new PolicyDef(
                    policy.name(),
                    policy.permissive(),
                    policy.command(),
                    policy.roles(),
                    policy.using().map(ExpressionText::unqualified),
                    policy.check().map(ExpressionText::unqualified)));
        }
        return changed;
    }

    /** @throws SqlError if a policy names the column, which is to be dropped or renamed */
    static void refuseUsed(TableDef def, String column) {
        Optional<String> using = def.security()
                .conditions()
                .filter(condition -> QueryParser.expression(condition).names(column))
                .findFirst();
        if (using.isPresent()) {
            throw new SqlError(
                    SqlCode.DEPENDENT_OBJECTS, "column \"" + column + "\" is used in a policy (" + using.get() + ")");
        }
    }
}
