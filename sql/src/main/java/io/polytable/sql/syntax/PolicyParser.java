package io.polytable.sql.syntax;

import io.polytable.sql.model.definition.PolicyDef;
import io.polytable.sql.model.definition.PolicyDef.Command;
import io.polytable.sql.syntax.PolicyStatement.Conditions;
import io.polytable.sql.syntax.PolicyStatement.Role;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Parser of statements about row policies, after CREATE, ALTER or DROP and the word POLICY. */
final class PolicyParser {
    private final Tokens tokens;
    private final QueryParser queries;

    PolicyParser(Tokens tokens, QueryParser queries) {
        this.tokens = tokens;
        this.queries = queries;
    }

    Statement create() {
        String name = tokens.anyName();
        Name table = table();
        boolean permissive = permissive();
        Command command = tokens.take("for") ? command() : Command.ALL;
        List<Role> roles = tokens.take("to") ? roles() : List.of(new Role(PolicyDef.PUBLIC, false));
        Conditions conditions = conditions();
        requireFitting(command, conditions);
        return new Statement.OfPolicy(new PolicyStatement.Create(name, table, permissive, command, roles, conditions));
    }

    Statement alter() {
        String name = tokens.anyName();
        Name table = table();
        if (tokens.take("rename")) {
            tokens.expect("to");
            return new Statement.OfPolicy(new PolicyStatement.Rename(name, table, tokens.anyName()));
        }
        Optional<List<Role>> roles = tokens.take("to") ? Optional.of(roles()) : Optional.empty();
        return new Statement.OfPolicy(new PolicyStatement.Alter(name, table, roles, conditions()));
    }

    Statement drop() {
        boolean ifExists = tokens.take("if", "exists");
        String name = tokens.anyName();
        Name table = table();
        if (!tokens.take("cascade")) {
            tokens.take("restrict");
        }
        return new Statement.OfPolicy(new PolicyStatement.Drop(name, table, ifExists));
    }

    private Name table() {
        tokens.expect("on");
        return tokens.qualifiedName();
    }

    private boolean permissive() {
        if (!tokens.take("as")) {
            return true;
        }
        if (tokens.take("permissive")) {
            return true;
        }
        tokens.expect("restrictive");
        return false;
    }

    private Command command() {
        for (Command command : Command.values()) {
            if (tokens.take(command.name().toLowerCase(Locale.ROOT))) {
                return command;
            }
        }
        throw tokens.unexpected();
    }

    private List<Role> roles() {
        List<Role> roles = new ArrayList<>();
        do {
            boolean current = tokens.take("current_user") || tokens.take("current_role") || tokens.take("session_user");
            roles.add(new Role(current ? "" : tokens.anyName(), current));
        } while (tokens.takeSymbol(","));
        return roles;
    }

    private Conditions conditions() {
        TableParser table = new TableParser(tokens, queries);
        Optional<Fragment> using = tokens.take("using") ? Optional.of(table.parenthesized()) : Optional.empty();
        Optional<Fragment> check = tokens.take("with", "check") ? Optional.of(table.parenthesized()) : Optional.empty();
        return new Conditions(using, check);
    }

    /** As in PostgreSQL: only statements that write rows check them, and an INSERT finds none. */
    static void requireFitting(Command command, Conditions conditions) {
        boolean writes = command != Command.SELECT && command != Command.DELETE;
        if (!writes && conditions.check().isPresent()) {
            throw new SqlError(SqlCode.SYNTAX_ERROR, "WITH CHECK cannot be applied to SELECT or DELETE");
        }
        if (command == Command.INSERT && conditions.using().isPresent()) {
            throw new SqlError(SqlCode.SYNTAX_ERROR, "only WITH CHECK expression allowed for INSERT");
        }
    }
}
