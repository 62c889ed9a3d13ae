package io.polytable.sql.syntax;

import io.polytable.sql.tree.Query;
import io.polytable.table.TableKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parser of CREATE, ALTER, DROP and COMMENT. */
final class DefinitionParser {
    private final Tokens tokens;
    private final QueryParser queries;

    DefinitionParser(Tokens tokens, QueryParser queries) {
        this.tokens = tokens;
        this.queries = queries;
    }

    Statement parse() {
        Token first = tokens.next();
        return switch (first.text()) {
            case "create" -> create();
            case "alter" -> alter();
            case "drop" -> drop();
            default -> comment();
        };
    }

    private Statement create() {
        if (UserParser.isNext(tokens)) {
            return new UserParser(tokens).create();
        }
        if (tokens.take("storage")) {
            return new FileStatementParser(tokens).createStorage();
        }
        if (tokens.take("namespace") || tokens.take("schema")) {
            boolean ifNotExists = tokens.take("if", "not", "exists");
            return new Statement.CreateNamespace(tokens.name(), ifNotExists);
        }
        if (tokens.take("policy")) {
            return new PolicyParser(tokens, queries).create();
        }
        boolean orReplace = tokens.take("or", "replace");
        if (tokens.take("view")) {
            return createView(orReplace);
        }
        boolean unique = tokens.take("unique");
        if (tokens.take("index")) {
            return createIndex(unique);
        }
        TableKind kind = kind().orElse(TableKind.SHARED);
        tokens.expect("table");
        return new TableParser(tokens, queries).createTable(kind);
    }

    private Optional<TableKind> kind() {
        if (tokens.take("user")) {
            return Optional.of(TableKind.USER);
        }
        if (tokens.take("stream")) {
            return Optional.of(TableKind.STREAM);
        }
        return tokens.take("shared") ? Optional.of(TableKind.SHARED) : Optional.empty();
    }

    private Statement createView(boolean orReplace) {
        boolean ifNotExists = tokens.take("if", "not", "exists");
        Name name = tokens.qualifiedName();
        List<String> columns = tokens.current().isSymbol("(") ? tokens.names() : List.of();
        tokens.expect("as");
        int from = tokens.index();
        Query query = queries.whole();
        Statement.Select select = new Statement.Select(query, tokens.textFrom(from));
        return new Statement.CreateView(name, orReplace, ifNotExists, columns, select);
    }

    private Statement createIndex(boolean unique) {
        boolean ifNotExists = tokens.take("if", "not", "exists");
        Optional<String> name = tokens.areNext("on") ? Optional.empty() : Optional.of(tokens.name());
        tokens.expect("on");
        Name table = tokens.qualifiedName();
        if (tokens.take("using") && !tokens.take("btree")) {
            throw tokens.unsupported("an index method other than btree");
        }
        return new Statement.CreateIndex(name, table, indexColumns(), unique, ifNotExists);
    }

    /** A direction changes no result: an index is read in either direction, and a query sorts what it must. */
    private List<String> indexColumns() {
        tokens.expectSymbol("(");
        List<String> names = new ArrayList<>();
        do {
            names.add(tokens.anyName());
            if (!tokens.take("asc")) {
                tokens.take("desc");
            }
            if (!tokens.take("nulls", "first")) {
                tokens.take("nulls", "last");
            }
        } while (tokens.takeSymbol(","));
        tokens.expectSymbol(")");
        return names;
    }

    private Statement alter() {
        if (UserParser.isNext(tokens)) {
            return new UserParser(tokens).alter();
        }
        if (tokens.take("storage")) {
            return new FileStatementParser(tokens).alterStorage();
        }
        if (tokens.take("policy")) {
            return new PolicyParser(tokens, queries).alter();
        }
        kind();
        tokens.expect("table");
        boolean ifExists = tokens.take("if", "exists");
        Name name = tokens.qualifiedName();
        List<Statement.Alteration> alterations = new ArrayList<>();
        do {
            alterations.add(alteration());
        } while (tokens.takeSymbol(","));
        return new Statement.AlterTable(name, ifExists, alterations);
    }

    private Statement.Alteration alteration() {
        TableParser table = new TableParser(tokens, queries);
        if (tokens.take("add")) {
            tokens.take("column");
            boolean ifNotExists = tokens.take("if", "not", "exists");
            return new Statement.Alteration.AddColumn(table.column(), ifNotExists);
        }
        if (tokens.take("drop")) {
            tokens.take("column");
            boolean ifExists = tokens.take("if", "exists");
            int position = tokens.position();
            Statement.Alteration drop = new Statement.Alteration.DropColumn(tokens.anyName(), ifExists, position);
            tokens.take("cascade");
            return drop;
        }
        if (tokens.take("rename")) {
            return rename();
        }
        if (tokens.areNext("force") || tokens.areNext("no", "force")) {
            throw tokens.unsupported("FORCE ROW LEVEL SECURITY");
        }
        if (tokens.take("enable", "row", "level", "security")) {
            return new Statement.Alteration.SetRowSecurity(true);
        }
        if (tokens.take("disable", "row", "level", "security")) {
            return new Statement.Alteration.SetRowSecurity(false);
        }
        if (tokens.take("set")) {
            tokens.take("tblproperties");
            return new Statement.Alteration.SetOptions(table.options());
        }
        tokens.expect("alter");
        tokens.take("column");
        return alterColumn();
    }

    private Statement.Alteration rename() {
        if (tokens.take("to")) {
            return new Statement.Alteration.RenameTable(tokens.anyName());
        }
        tokens.take("column");
        int position = tokens.position();
        String column = tokens.anyName();
        tokens.expect("to");
        return new Statement.Alteration.RenameColumn(column, tokens.anyName(), position);
    }

    private Statement.Alteration alterColumn() {
        int position = tokens.position();
        String column = tokens.anyName();
        boolean set = tokens.take("set");
        if (!set) {
            tokens.expect("drop");
        }
        if (tokens.take("not", "null")) {
            return new Statement.Alteration.SetNotNull(column, set, position);
        }
        tokens.expect("default");
        Optional<Fragment> value = set ? Optional.of(new TableParser(tokens, queries).fragment()) : Optional.empty();
        return new Statement.Alteration.SetDefault(column, value, position);
    }

    private Statement drop() {
        if (UserParser.isNext(tokens)) {
            return new UserParser(tokens).drop();
        }
        if (tokens.take("storage")) {
            boolean ifExists = tokens.take("if", "exists");
            return new Statement.DropStorage(tokens.name(), ifExists);
        }
        if (tokens.take("namespace") || tokens.take("schema")) {
            boolean ifExists = tokens.take("if", "exists");
            String name = tokens.name();
            boolean cascade = tokens.take("cascade");
            tokens.take("restrict");
            return new Statement.DropNamespace(name, ifExists, cascade);
        }
        if (tokens.take("policy")) {
            return new PolicyParser(tokens, queries).drop();
        }
        if (tokens.take("index")) {
            boolean ifExists = tokens.take("if", "exists");
            return new Statement.DropIndex(tokens.qualifiedName(), ifExists);
        }
        if (tokens.take("view")) {
            boolean ifExists = tokens.take("if", "exists");
            List<Name> views = namesToDrop();
            return new Statement.DropView(views, ifExists, takeCascade());
        }
        Optional<TableKind> kind = kind();
        tokens.expect("table");
        boolean ifExists = tokens.take("if", "exists");
        List<Name> names = namesToDrop();
        return new Statement.DropTable(names, ifExists, kind, takeCascade());
    }

    private List<Name> namesToDrop() {
        List<Name> names = new ArrayList<>();
        do {
            names.add(tokens.qualifiedName());
        } while (tokens.takeSymbol(","));
        return names;
    }

    private boolean takeCascade() {
        boolean cascade = tokens.take("cascade");
        if (!cascade) {
            tokens.take("restrict");
        }
        return cascade;
    }

    private Statement comment() {
        tokens.expect("on");
        if (tokens.take("table")) {
            Name table = tokens.qualifiedName();
            return new Statement.CommentOn(table, Optional.empty(), commentText());
        }
        tokens.expect("column");
        int position = tokens.position();
        List<String> path = new ArrayList<>(List.of(tokens.anyName()));
        while (tokens.takeSymbol(".")) {
            path.add(tokens.anyName());
        }
        if (path.size() < 2 || path.size() > 3) {
            throw tokens.unexpected();
        }
        String qualifier = path.size() == 3 ? path.get(0) : null;
        Name table = new Name(qualifier, path.get(path.size() - 2), position);
        return new Statement.CommentOn(table, Optional.of(path.get(path.size() - 1)), commentText());
    }

    private Optional<String> commentText() {
        tokens.expect("is");
        return tokens.take("null") ? Optional.empty() : Optional.of(tokens.string());
    }
}
