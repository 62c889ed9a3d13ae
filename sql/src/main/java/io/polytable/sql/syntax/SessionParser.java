package io.polytable.sql.syntax;

import java.util.Optional;

/** Parser of statements about the session: transactions, variables, SHOW, DESCRIBE, KILL. */
final class SessionParser {
    private final Tokens tokens;

    SessionParser(Tokens tokens) {
        this.tokens = tokens;
    }

    Statement parse() {
        Token first = tokens.next();
        return switch (first.text()) {
            case "begin", "start" -> begin();
            case "commit", "end" -> commit();
            case "rollback", "abort" -> rollback();
            case "savepoint" -> new Statement.Savepoint(tokens.name());
            case "release" -> release();
            case "deallocate" -> deallocate();
            case "set" -> set();
            case "reset" ->
                new Statement.ResetVariable(tokens.take("all") ? Optional.empty() : Optional.of(variable()));
            case "use" -> use();
            case "show" -> show();
            case "describe", "desc" -> describe();
            case "kill" -> kill();
            case "flush", "compact", "storage", "export", "import" ->
                new FileStatementParser(tokens).parse(first.text());
            default -> {
                tokens.back(tokens.index() - 1);
                throw tokens.unexpected();
            }
        };
    }

    private Statement begin() {
        if (!tokens.take("transaction")) {
            tokens.take("work");
        }
        return new Statement.Begin(modes());
    }

    private Statement.Modes modes() {
        Optional<Statement.Isolation> isolation = Optional.empty();
        Optional<Boolean> readOnly = Optional.empty();
        while (!tokens.atEnd()) {
            if (tokens.take("isolation", "level")) {
                isolation = Optional.of(isolation());
            } else if (tokens.take("read", "only")) {
                readOnly = Optional.of(true);
            } else if (tokens.take("read", "write")) {
                readOnly = Optional.of(false);
            } else if (!tokens.take("not", "deferrable") && !tokens.take("deferrable")) {
                // DEFERRABLE only says that a transaction may wait for its snapshot, which ours never needs.
                throw tokens.unexpected();
            }
            tokens.takeSymbol(",");
        }
        return new Statement.Modes(isolation, readOnly);
    }

    private Statement.Isolation isolation() {
        if (tokens.take("read", "uncommitted")) {
            return Statement.Isolation.READ_UNCOMMITTED;
        }
        if (tokens.take("read", "committed")) {
            return Statement.Isolation.READ_COMMITTED;
        }
        if (tokens.take("repeatable", "read")) {
            return Statement.Isolation.REPEATABLE_READ;
        }
        tokens.expect("serializable");
        return Statement.Isolation.SERIALIZABLE;
    }

    private Statement commit() {
        takeWork();
        return new Statement.Commit();
    }

    private void takeWork() {
        if (!tokens.take("transaction")) {
            tokens.take("work");
        }
        // AND NO CHAIN is the default; AND CHAIN is not supported.
        tokens.take("and", "no", "chain");
    }

    private Statement rollback() {
        takeWork();
        if (tokens.take("to")) {
            tokens.take("savepoint");
            return new Statement.Rollback(Optional.of(tokens.name()));
        }
        return new Statement.Rollback(Optional.empty());
    }

    private Statement release() {
        tokens.take("savepoint");
        return new Statement.Release(tokens.name());
    }

    private Statement deallocate() {
        tokens.take("prepare");
        return new Statement.Deallocate(tokens.take("all") ? Optional.empty() : Optional.of(tokens.name()));
    }

    private Statement set() {
        if (tokens.take("transaction")) {
            return new Statement.SetTransaction(modes(), false);
        }
        if (tokens.take("session", "characteristics", "as", "transaction")) {
            return new Statement.SetTransaction(modes(), true);
        }
        boolean local = tokens.take("local");
        if (!local) {
            tokens.take("session");
        }
        if (tokens.take("namespace") || tokens.take("schema")) {
            tokens.take("to");
            return new Statement.Use(nameOrString());
        }
        if (tokens.take("time", "zone")) {
            return new Statement.SetVariable("timezone", nameOrString(), local);
        }
        String name = variable();
        if (!tokens.takeSymbol("=")) {
            tokens.expect("to");
        }
        String value = tokens.current().kind() == Token.Kind.STRING ? tokens.string() : tokens.rest();
        tokens.rest();
        return value.strip().equalsIgnoreCase("default")
                ? new Statement.ResetVariable(Optional.of(name))
                : new Statement.SetVariable(name, value, local);
    }

    private String variable() {
        StringBuilder name = new StringBuilder(tokens.anyName());
        while (tokens.takeSymbol(".")) {
            name.append('.').append(tokens.anyName());
        }
        return name.toString();
    }

    private String nameOrString() {
        return tokens.current().kind() == Token.Kind.STRING ? tokens.string() : tokens.anyName();
    }

    private Statement use() {
        if (!tokens.take("namespace")) {
            tokens.take("schema");
        }
        return new Statement.Use(nameOrString());
    }

    private Statement show() {
        if (tokens.take("namespaces") || tokens.take("schemas") || tokens.take("databases")) {
            return new Statement.Show(Statement.Show.What.NAMESPACES, Optional.empty());
        }
        if (tokens.take("grants")) {
            return new UserParser(tokens).showGrants();
        }
        if (tokens.take("tables")) {
            return new Statement.Show(Statement.Show.What.TABLES, namespace());
        }
        if (tokens.take("views")) {
            return new Statement.Show(Statement.Show.What.VIEWS, namespace());
        }
        if (tokens.take("columns")) {
            return new Statement.Show(Statement.Show.What.COLUMNS, table());
        }
        if (tokens.take("indexes")) {
            return new Statement.Show(Statement.Show.What.INDEXES, table());
        }
        if (tokens.take("storages")) {
            return new Statement.Show(Statement.Show.What.STORAGES, Optional.empty());
        }
        if (tokens.take("jobs")) {
            return new Statement.Show(Statement.Show.What.JOBS, Optional.empty());
        }
        return showOther();
    }

    private Statement showOther() {
        if (tokens.take("stats") || tokens.take("statistics")) {
            tokens.take("for");
            tokens.take("table");
            return new Statement.Show(Statement.Show.What.STATISTICS, Optional.of(tokens.qualifiedName()));
        }
        if (tokens.take("create", "table")) {
            return new Statement.Describe(tokens.qualifiedName(), false);
        }
        if (tokens.take("transaction", "isolation", "level")) {
            return new Statement.ShowVariable("transaction_isolation");
        }
        if (tokens.take("time", "zone")) {
            return new Statement.ShowVariable("timezone");
        }
        StringBuilder name = new StringBuilder(tokens.anyName());
        while (tokens.takeSymbol(".")) {
            name.append('.').append(tokens.anyName());
        }
        return new Statement.ShowVariable(name.toString());
    }

    private Optional<Name> namespace() {
        if (tokens.take("in") || tokens.take("from")) {
            int position = tokens.position();
            return Optional.of(new Name(null, tokens.name(), position));
        }
        return Optional.empty();
    }

    private Optional<Name> table() {
        if (tokens.take("from") || tokens.take("in") || tokens.take("on")) {
            return Optional.of(tokens.qualifiedName());
        }
        return Optional.empty();
    }

    private Statement describe() {
        boolean before = tokens.take("history");
        tokens.take("table");
        Name table = tokens.qualifiedName();
        boolean history = tokens.take("history");
        return new Statement.Describe(table, before || history);
    }

    private Statement kill() {
        boolean job = tokens.take("job");
        if (!job) {
            tokens.expect("query");
        }
        String id = tokens.current().kind() == Token.Kind.STRING
                ? tokens.string()
                : tokens.next().text();
        return job ? new Statement.KillJob(id) : new Statement.KillQuery(id);
    }
}
