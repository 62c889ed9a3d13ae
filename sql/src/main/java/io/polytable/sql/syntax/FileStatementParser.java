package io.polytable.sql.syntax;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Parser of statements about storages and files: CREATE STORAGE, FLUSH, COMPACT, STORAGE, EXPORT, IMPORT. */
final class FileStatementParser {
    private final Tokens tokens;

    FileStatementParser(Tokens tokens) {
        this.tokens = tokens;
    }

    Statement parse(String first) {
        return switch (first) {
            case "flush" -> work(Statement.FileWork.Work.FLUSH);
            case "compact" -> work(Statement.FileWork.Work.COMPACT);
            case "export" -> export();
            case "import" -> imported();
            default -> storage();
        };
    }

    private Statement storage() {
        if (tokens.take("flush")) {
            return work(Statement.FileWork.Work.FLUSH);
        }
        if (tokens.take("compact")) {
            return work(Statement.FileWork.Work.COMPACT);
        }
        if (tokens.take("expire")) {
            return work(Statement.FileWork.Work.EXPIRE);
        }
        tokens.expect("check");
        return new Statement.CheckStorage(nameOrString());
    }

    private Statement work(Statement.FileWork.Work work) {
        if (tokens.take("table")) {
            return new Statement.FileWork(work, Optional.of(tokens.qualifiedName()), Optional.empty());
        }
        tokens.expect("all");
        Optional<String> namespace = tokens.take("in") ? Optional.of(tokens.name()) : Optional.empty();
        return new Statement.FileWork(work, Optional.empty(), namespace);
    }

    private Statement export() {
        tokens.expect("table");
        Name table = tokens.qualifiedName();
        tokens.expect("to");
        tokens.take("parquet");
        return new Statement.Export(table, tokens.string());
    }

    private Statement imported() {
        if (!tokens.take("table")) {
            tokens.take("into");
        }
        Name table = tokens.qualifiedName();
        tokens.expect("from");
        tokens.take("parquet");
        return new Statement.Import(table, tokens.string());
    }

    Statement createStorage() {
        boolean ifNotExists = tokens.take("if", "not", "exists");
        String id = tokens.name();
        String type = "filesystem";
        Map<String, String> options = new LinkedHashMap<>();
        while (!tokens.atEnd()) {
            if (tokens.take("type")) {
                tokens.takeSymbol("=");
                type = nameOrString();
            } else if (tokens.take("with")) {
                options.putAll(new TableParser(tokens, new QueryParser(tokens)).options());
            } else {
                option(options);
            }
        }
        String given = options.remove("type");
        return new Statement.CreateStorage(id, given == null ? type : given, options, ifNotExists);
    }

    /** An option such as {@code NAME 'description'}: a word, an optional equals sign, a string. */
    private void option(Map<String, String> options) {
        String name = tokens.anyName().toLowerCase(Locale.ROOT);
        tokens.takeSymbol("=");
        options.put(name, tokens.string());
    }

    Statement alterStorage() {
        String id = tokens.name();
        tokens.expect("set");
        Map<String, String> options = new LinkedHashMap<>();
        if (tokens.current().isSymbol("(")) {
            options.putAll(new TableParser(tokens, new QueryParser(tokens)).options());
        } else {
            option(options);
        }
        return new Statement.AlterStorage(id, options);
    }

    private String nameOrString() {
        return tokens.current().kind() == Token.Kind.STRING ? tokens.string() : tokens.name();
    }
}
