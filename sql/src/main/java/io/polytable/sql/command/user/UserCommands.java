package io.polytable.sql.command.user;

import io.polytable.frontend.session.Principal.Role;
import io.polytable.frontend.user.Grant;
import io.polytable.frontend.user.Privilege;
import io.polytable.frontend.user.Scope;
import io.polytable.frontend.user.User;
import io.polytable.frontend.user.Users;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.model.definition.PolicyDef;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.ListedRows;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.syntax.Name;
import io.polytable.sql.syntax.UserStatement;
import io.polytable.sql.syntax.UserStatement.Attributes;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.table.TableName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs CREATE, ALTER and DROP USER, GRANT, REVOKE and SHOW GRANTS. Changes are no part of a transaction. */
public final class UserCommands {
    private final SqlEngine engine;
    private final Session session;
    private final Users users;

    public UserCommands(SqlEngine engine, Session session) {
        this.engine = engine;
        this.session = session;
        users = engine.rights().users();
    }

    public Outcome run(UserStatement statement) {
        if (statement instanceof UserStatement.ShowGrants show) {
            return show(show);
        }
        session.transaction().refuseInside("a change of users and grants");
        session.transaction().requireWritable();
        try {
            return change(statement);
        } catch (Users.RefusedChange refused) {
            throw new SqlError(SqlCode.INVALID_PARAMETER, refused.text());
        }
    }

    private Outcome change(UserStatement statement) {
        if (statement instanceof UserStatement.CreateUser create) {
            return create(create);
        }
        if (statement instanceof UserStatement.AlterUser alter) {
            return alter(alter);
        }
        if (statement instanceof UserStatement.DropUsers drop) {
            return drop(drop);
        }
        return grant((UserStatement.Granting) statement);
    }

    // --- users -----------------------------------------------------------------------------------------------------

    private Outcome create(UserStatement.CreateUser create) {
        session.require(Role.DBA, "permission denied to create role");
        requireBelow(create.attributes().role());
        if (create.name().isEmpty()) {
            throw new SqlError(SqlCode.INVALID_PARAMETER, "a user's name must not be empty");
        }
        boolean[] created = {true};
        users.change(session.actor(), create.name(), user -> {
            if (users.find(create.name()).isPresent()) {
                created[0] = false;
                if (create.ifNotExists()) {
                    return user;
                }
                throw new SqlError(SqlCode.DUPLICATE_OBJECT, "role \"" + create.name() + "\" already exists");
            }
            return with(user.withEnabled(true), create.attributes());
        });
        return Outcome.done("CREATE ROLE");
    }

    private Outcome alter(UserStatement.AlterUser alter) {
        boolean own = isOwn(alter);
        if (!own) {
            session.require(Role.DBA, "permission denied to alter role");
        }
        Optional<User> found = users.find(name(alter.name()));
        if (found.isEmpty()) {
            if (alter.ifExists()) {
                return Outcome.done("ALTER ROLE");
            }
            throw undefined(alter.name());
        }
        if (!own) {
            requireBelow(Optional.of(found.get().principal().role()));
        }
        requireBelow(alter.attributes().role());
        if (removesPassword(alter)) {
            requirePasswordLeft(List.of(name(alter.name())));
        }
        users.change(session.actor(), name(alter.name()), user -> {
            if (users.find(name(alter.name())).isEmpty()) {
                throw undefined(alter.name());
            }
            return with(user, alter.attributes());
        });
        if (alter.attributes().login().equals(Optional.of(false))) {
            User unusedLocked = users.lock(session.actor(), name(alter.name()));
        }
        return Outcome.done("ALTER ROLE");
    }

    /** Whether users may do this to themselves. One that another acts for does not: it would not be its password. */
    private boolean isOwn(UserStatement.AlterUser alter) {
        return alter.name().equals(session.user())
                && !session.isActedFor()
                && alter.attributes().role().isEmpty()
                && alter.attributes().login().isEmpty()
                && !removesPassword(alter);
    }

    private static boolean removesPassword(UserStatement.AlterUser alter) {
        return alter.attributes()
                .password()
                .filter(password -> password.text().isEmpty())
                .isPresent();
    }

    /** Once no user has a password, every process of this machine is root. */
    private void requirePasswordLeft(List<String> losing) {
        boolean isLast =
                users.all().stream().allMatch(user -> user.secrets().isEmpty() || losing.contains(user.name()));
        if (isLast && users.hasPasswords()) {
            session.require(Role.SYSTEM, "permission denied: no user would have a password");
        }
    }

    /** The default user is called root in SQL. */
    private static String name(String given) {
        return given.equals(SqlEngine.ROOT) ? User.DEFAULT : given;
    }

    private static User with(User user, Attributes attributes) {
        User changed = user;
        if (attributes.role().isPresent() && user.isDefault()) {
            throw new SqlError(SqlCode.NOT_ALLOWED, "the role of the default user cannot be changed");
        }
        if (attributes.role().isPresent()) {
            changed = changed.withRole(attributes.role().get());
        }
        if (attributes.login().isPresent()) {
            changed = changed.withEnabled(attributes.login().get());
        }
        if (attributes.email().isPresent()) {
            changed = changed.withEmail(attributes.email().get());
        }
        if (attributes.password().isPresent()) {
            Optional<String> text = attributes.password().get().text();
            changed = text.isPresent()
                    ? changed.withPassword(text.get().getBytes(StandardCharsets.UTF_8))
                    : changed.withSecrets(List.of(), false);
        }
        return changed;
    }

    /** Nobody makes or changes a user with more rights than its own. */
    private void requireBelow(Optional<Role> role) {
        if (role.isPresent()) {
            session.require(
                    role.get(),
                    "permission denied: only users with role "
                            + role.get().name().toLowerCase(Locale.ROOT) + " or higher manage such users");
        }
    }

    private static SqlError undefined(String name) {
        return new SqlError(SqlCode.UNDEFINED_OBJECT, "role \"" + name + "\" does not exist");
    }

    private Outcome drop(UserStatement.DropUsers drop) {
        session.require(Role.DBA, "permission denied to drop role");
        for (String name : drop.names()) {
            Optional<User> found = users.find(name(name));
            if (found.isEmpty() && !drop.ifExists()) {
                throw undefined(name);
            }
            if (name.equals(session.user())) {
                throw new SqlError(SqlCode.OBJECT_IN_USE, "current user cannot be dropped");
            }
            requireBelow(found.map(user -> user.principal().role()));
            requireUnused(name);
        }
        List<String> names = drop.names().stream().map(UserCommands::name).toList();
        requirePasswordLeft(names);
        users.remove(session.actor(), names, ended -> false);
        return Outcome.done("DROP ROLE");
    }

    /** A later user of the same name must not be the one that a policy is for. */
    private void requireUnused(String name) {
        for (SqlTable table : engine.catalog().state().tables()) {
            for (PolicyDef policy : table.def().security().policies()) {
                if (policy.roles().contains(name)) {
                    throw new SqlError(
                            SqlCode.DEPENDENT_OBJECTS,
                            "role \"" + name + "\" cannot be dropped because policy " + policy.name() + " on table "
                                    + table.name() + " is for it");
                }
            }
        }
    }

    // --- grants ----------------------------------------------------------------------------------------------------

    private Outcome grant(UserStatement.Granting granting) {
        List<Scope> scopes = scopes(granting.target());
        for (Scope scope : scopes) {
            if (!engine.rights().mayGrant(session.user(), scope)) {
                throw new SqlError(SqlCode.NOT_ALLOWED, "permission denied for " + text(scope));
            }
        }
        for (String user : granting.users()) {
            if (!user.equals(Grant.PUBLIC) && users.find(user).isEmpty()) {
                throw undefined(user);
            }
        }
        for (Scope scope : scopes) {
            if (granting.revokes()) {
                users.grants().revoke(session.actor(), granting.users(), scope, granting.privileges());
            } else {
                users.grants().grant(session.actor(), granting.users(), scope, granting.privileges());
            }
        }
        return Outcome.done(granting.revokes() ? "REVOKE" : "GRANT");
    }

    private static String text(Scope scope) {
        if (scope instanceof Scope.OfTable one) {
            return "table " + one.table().name();
        }
        return scope instanceof Scope.OfNamespace all ? "schema " + all.namespace() : "database";
    }

    private List<Scope> scopes(UserStatement.Target target) {
        List<Scope> scopes = new ArrayList<>();
        if (target instanceof UserStatement.Target.Tables tables) {
            tables.names().forEach(name -> scopes.add(new Scope.OfTable(existing(name))));
            return scopes;
        }
        UserStatement.Target.Namespaces namespaces = (UserStatement.Target.Namespaces) target;
        for (String namespace : namespaces.names()) {
            requireNamespace(namespace);
            if (namespaces.later()) {
                scopes.add(new Scope.OfNamespace(namespace));
            } else {
                names().filter(name -> name.namespace().equals(namespace))
                        .forEach(name -> scopes.add(new Scope.OfTable(name)));
            }
        }
        return scopes;
    }

    private TableName existing(Name name) {
        TableName full = session.resolve(name);
        if (full.namespace().equals(TableName.SYSTEM_NAMESPACE)) {
            throw new SqlError(SqlCode.NOT_ALLOWED, "nothing can be granted on tables of system", name.position());
        }
        if (names().noneMatch(full::equals)) {
            throw new SqlError(SqlCode.UNDEFINED_TABLE, "relation \"" + name + "\" does not exist", name.position());
        }
        return full;
    }

    private Stream<TableName> names() {
        return Stream.of(
                        engine.catalog().state().tables().stream().map(table -> table.name()),
                        engine.catalog().state().views().stream().map(view -> view.name()),
                        engine.virtualRelations().stream().map(relation -> relation.name()))
                .flatMap(all -> all);
    }

    private void requireNamespace(String namespace) {
        boolean known = engine.catalog().state().hasNamespace(namespace)
                || names().anyMatch(name -> name.namespace().equals(namespace));
        if (!known) {
            throw new SqlError(SqlCode.UNDEFINED_NAMESPACE, "schema \"" + namespace + "\" does not exist");
        }
        if (namespace.equals(TableName.SYSTEM_NAMESPACE)) {
            throw new SqlError(SqlCode.NOT_ALLOWED, "nothing can be granted on tables of system");
        }
    }

    private Outcome show(UserStatement.ShowGrants show) {
        String self = session.user();
        boolean all = engine.rights().isAtLeast(self, Role.DBA);
        if (show.user().isPresent() && !all && !show.user().get().equals(self)) {
            throw new SqlError(SqlCode.NOT_ALLOWED, "permission denied to show grants of other users");
        }
        List<@Nullable Object[]> rows = new ArrayList<>();
        Collection<Grant> grants = users.grants().all();
        grants.stream()
                .filter(grant -> show.user()
                        .map(grant.grantee()::equals)
                        .orElse(all || Set.of(self, Grant.PUBLIC).contains(grant.grantee())))
                .sorted(Comparator.comparing(Grant::grantee).thenComparing(grant -> text(grant.scope())))
                .forEach(grant -> rows.add(row(grant)));
        List<QueryRows.Output> outputs = List.of("grantee", "namespace", "table_name", "privileges", "grantor").stream()
                .map(name -> new QueryRows.Output(name, SqlType.TEXT))
                .toList();
        return new Outcome.Rows(new ListedRows(outputs, rows));
    }

    /** A grant as SHOW GRANTS and {@code system.grants} have it; NULL stands for all. */
    public static @Nullable Object[] row(Grant grant) {
        String namespace = null;
        String table = null;
        if (grant.scope() instanceof Scope.OfTable one) {
            namespace = one.table().namespace();
            table = one.table().name();
        } else if (grant.scope() instanceof Scope.OfNamespace all) {
            namespace = all.namespace();
        }
        String privileges =
                grant.privileges().stream().sorted().map(Privilege::name).collect(Collectors.joining(", "));
        return new @Nullable Object[] {grant.grantee(), namespace, table, privileges, grant.grantor()};
    }
}
