package io.polytable.entity.ddl;

import io.polytable.entity.ddl.DdlStatement.SchemaRole;
import io.polytable.entity.ddl.Token.Position;
import io.polytable.entity.model.ColumnName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Parses the statements of a text, each ended by a semicolon, which is optional for the last. */
final class DdlParser {
    /** A statement's tokens, parsed just before it runs: it may reference what earlier statements create. */
    record Unit(List<Token> tokens) {
        Position at() {
            return tokens.get(0).at();
        }
    }

    private final TokenCursor in;
    private final DdlContext context;
    private final SchemaClause schemas;
    private final GroupClause groups;
    private final TableClause tables;

    private DdlParser(List<Token> tokens, DdlContext context) {
        in = new TokenCursor(tokens);
        this.context = context;
        schemas = new SchemaClause(in, context);
        groups = new GroupClause(in, schemas);
        tables = new TableClause(in, schemas, groups);
    }

    /** The statements of a script, all of them checked for syntax. */
    static List<Unit> units(String script) {
        List<Unit> units = new ArrayList<>();
        List<Token> open = new ArrayList<>();
        for (Token token : DdlLexer.tokens(script)) {
            boolean isEnd = token.kind() == Token.Kind.END || token.isSymbol(';');
            if (!isEnd) {
                open.add(token);
            } else if (!open.isEmpty()) {
                open.add(new Token(Token.Kind.END, "", token.at()));
                units.add(new Unit(List.copyOf(open)));
                open.clear();
            }
        }
        units.forEach(unit -> parse(unit, DdlContext.SYNTAX_ONLY));
        return units;
    }

    static DdlStatement parse(Unit unit, DdlContext context) {
        DdlParser parser = new DdlParser(unit.tokens(), context);
        DdlStatement statement = parser.statement();
        if (!parser.in.isAtEnd()) {
            throw parser.in.expected("the end of the statement");
        }
        return statement;
    }

    private DdlStatement statement() {
        if (in.accept("CREATE")) {
            return create();
        }
        if (in.accept("ALTER")) {
            in.expect("TABLE");
            String table = in.name("table");
            AlterClause clause = new AlterClause(in, schemas, groups, tables, context.validation(table));
            return new DdlStatement.AlterTable(table, clause.edit());
        }
        if (in.accept("DROP")) {
            if (in.accept("INSTANCE")) {
                return new DdlStatement.DropInstance(in.instanceName());
            }
            in.expect("TABLE");
            return new DdlStatement.DropTable(in.name("table"));
        }
        if (in.accept("USE")) {
            return use();
        }
        if (in.accept("SHOW")) {
            return show();
        }
        if (in.accept("DESCRIBE")) {
            return describe();
        }
        if (in.accept("DUMP")) {
            return dump();
        }
        if (in.accept("LOAD")) {
            in.expect("FROM", "FILE");
            return new DdlStatement.Load(in.string("a file"));
        }
        if (in.accept("HELP")) {
            return new DdlStatement.Help();
        }
        if (in.accept("QUIT") || in.accept("EXIT")) {
            return new DdlStatement.Quit();
        }
        throw in.expected("a statement");
    }

    private DdlStatement create() {
        if (in.accept("TABLE")) {
            return new DdlStatement.CreateTable(tables.table());
        }
        in.expect("INSTANCE");
        String name = in.instanceName();
        Map<String, String> properties = new LinkedHashMap<>();
        if (in.accept("PROPERTIES")) {
            in.expectSymbol('(');
            do {
                String key = in.string("a property");
                in.expectSymbol('=');
                properties.put(key, in.string("a value"));
            } while (in.acceptSymbol(','));
            in.expectSymbol(')');
        }
        return new DdlStatement.CreateInstance(name, properties);
    }

    private DdlStatement use() {
        if (in.accept("DEFAULT")) {
            in.expect("INSTANCE");
            return new DdlStatement.UseInstance(Optional.empty());
        }
        if (in.accept("JAR")) {
            in.expect("INFILE");
            return new DdlStatement.UseJar(in.string("a file"));
        }
        in.expect("INSTANCE");
        return new DdlStatement.UseInstance(Optional.of(in.instanceName()));
    }

    private DdlStatement show() {
        if (in.accept("INSTANCES")) {
            return new DdlStatement.ShowInstances();
        }
        if (in.accept("TABLES")) {
            return new DdlStatement.ShowTables();
        }
        if (in.accept("MODULES")) {
            return new DdlStatement.ShowModules();
        }
        throw in.expected("INSTANCES, TABLES or MODULES");
    }

    private DdlStatement describe() {
        boolean extended = in.accept("EXTENDED");
        String table = in.name("table");
        if (!in.accept("COLUMN")) {
            return new DdlStatement.Describe(table, extended);
        }
        String family = in.name("family");
        ColumnName column = in.acceptSymbol(':') ? ColumnName.of(family, in.name("column")) : ColumnName.family(family);
        in.expect("SHOW");
        int limit = in.peek().kind() == Token.Kind.NUMBER
                ? (int) in.number("a number", 1, Integer.MAX_VALUE)
                : Integer.MAX_VALUE;
        SchemaRole role = in.choice(SchemaRole.class, "READER, WRITER or RECORDED");
        in.expect("SCHEMAS");
        return new DdlStatement.DescribeColumn(table, column, role, limit);
    }

    private DdlStatement dump() {
        in.expect("DDL");
        Optional<String> table = Optional.empty();
        if (in.accept("FOR")) {
            in.expect("TABLE");
            table = Optional.of(in.name("table"));
        }
        Optional<String> file = Optional.empty();
        if (in.accept("TO")) {
            in.expect("FILE");
            file = Optional.of(in.string("a file"));
        }
        return new DdlStatement.Dump(table, file);
    }
}
