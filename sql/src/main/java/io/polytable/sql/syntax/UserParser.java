package io.polytable.sql.syntax;

import io.polytable.frontend.session.Principal.Role;
import io.polytable.frontend.user.Privilege;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Parser of statements about users and grants. */
final class UserParser {
    private static final Set<Privilege> OF_TABLES =
            EnumSet.of(Privilege.SELECT, Privilege.INSERT, Privilege.UPDATE, Privilege.DELETE);

    private final Tokens tokens;

    UserParser(Tokens tokens) {
        this.tokens = tokens;
    }

    /** Whether the words after CREATE, ALTER or DROP are about a user, and not about a user table. */
    static boolean isNext(Tokens tokens) {
        return (tokens.areNext("user") && !tokens.areNext("user", "table")) || tokens.areNext("role");
    }

    Statement create() {
        tokens.next();
        boolean ifNotExists = tokens.take("if", "not", "exists");
        return of(new UserStatement.CreateUser(tokens.anyName(), ifNotExists, attributes()));
    }

    Statement alter() {
        tokens.next();
        boolean ifExists = tokens.take("if", "exists");
        return of(new UserStatement.AlterUser(tokens.anyName(), ifExists, attributes()));
    }

    Statement drop() {
        tokens.next();
        boolean ifExists = tokens.take("if", "exists");
        return of(new UserStatement.DropUsers(list(), ifExists));
    }

    Statement grant(boolean revokes) {
        Set<Privilege> privileges = privileges();
        tokens.expect("on");
        UserStatement.Target target = target();
        tokens.expect(revokes ? "from" : "to");
        return of(new UserStatement.Granting(revokes, privileges, target, grantees()));
    }

    Statement showGrants() {
        return of(new UserStatement.ShowGrants(tokens.take("for") ? Optional.of(tokens.anyName()) : Optional.empty()));
    }

    private static Statement of(UserStatement statement) {
        return new Statement.OfUsers(statement);
    }

    private UserStatement.Attributes attributes() {
        tokens.take("with");
        Optional<UserStatement.Password> password = Optional.empty();
        Optional<Role> role = Optional.empty();
        Optional<Boolean> login = Optional.empty();
        Optional<String> email = Optional.empty();
        while (!tokens.atEnd()) {
            if (password.isEmpty() && tokens.take("password")) {
                Optional<String> text = tokens.take("null") ? Optional.empty() : Optional.of(tokens.string());
                password = Optional.of(new UserStatement.Password(text));
            } else if (role.isEmpty() && tokens.take("role")) {
                role = Optional.of(role());
            } else if (login.isEmpty() && tokens.take("login")) {
                login = Optional.of(true);
            } else if (login.isEmpty() && tokens.take("nologin")) {
                login = Optional.of(false);
            } else if (email.isEmpty() && tokens.take("email")) {
                email = Optional.of(tokens.string());
            } else {
                throw tokens.unexpected();
            }
        }
        return new UserStatement.Attributes(password, role, login, email);
    }

    private Role role() {
        for (Role role : Role.values()) {
            if (role != Role.ANONYMOUS && tokens.take(role.name().toLowerCase(Locale.ROOT))) {
                return role;
            }
        }
        throw tokens.unexpected();
    }

    private Set<Privilege> privileges() {
        if (tokens.take("all")) {
            tokens.take("privileges");
            return OF_TABLES;
        }
        Set<Privilege> privileges = EnumSet.noneOf(Privilege.class);
        do {
            privileges.add(privilege());
        } while (tokens.takeSymbol(","));
        return privileges;
    }

    private Privilege privilege() {
        for (Privilege privilege : Privilege.values()) {
            if (OF_TABLES.contains(privilege) && tokens.take(privilege.name().toLowerCase(Locale.ROOT))) {
                if (tokens.current().isSymbol("(")) {
                    throw tokens.unsupported("a privilege on columns");
                }
                return privilege;
            }
        }
        throw tokens.unsupported("a privilege other than SELECT, INSERT, UPDATE, DELETE");
    }

    private UserStatement.Target target() {
        if (tokens.take("all", "tables", "in")) {
            takeNamespace();
            return new UserStatement.Target.Namespaces(list(), false);
        }
        if (takeNamespace()) {
            return new UserStatement.Target.Namespaces(list(), true);
        }
        tokens.take("table");
        List<Name> names = new ArrayList<>();
        do {
            names.add(tokens.qualifiedName());
        } while (tokens.takeSymbol(","));
        return new UserStatement.Target.Tables(names);
    }

    private boolean takeNamespace() {
        return tokens.take("schema") || tokens.take("namespace");
    }

    private List<String> grantees() {
        List<String> users = new ArrayList<>();
        do {
            if (!tokens.take("user")) {
                tokens.take("role");
            }
            users.add(tokens.anyName());
        } while (tokens.takeSymbol(","));
        return users;
    }

    private List<String> list() {
        List<String> names = new ArrayList<>();
        do {
            names.add(tokens.anyName());
        } while (tokens.takeSymbol(","));
        return names;
    }
}
