package io.polytable.sql.syntax;

import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parser of texts with one or more statements. The first word selects the parser of the statement's family. */
public final class StatementParser {
    /** The most statements in one text. */
    public static final int STATEMENTS_MAX = 10_000;

    private static final int NESTING_MAX = 20;

    private final Tokens tokens;
    private final QueryParser queries;

    private StatementParser(Tokens tokens) {
        this.tokens = tokens;
        queries = new QueryParser(tokens);
    }

    /**
     * A statement and its offset in the text.
     *
     * @param parameters the number of parameters that it takes
     */
    public record Parsed(Statement statement, String text, int position, int parameters) {}

    /** All statements of the text; positions are relative to its beginning. */
    public static List<Parsed> all(String text) {
        List<Parsed> parsed = new ArrayList<>();
        List<Token> every = Lexer.tokens(text);
        int from = 0;
        for (int i = 0; i < every.size(); i++) {
            Token token = every.get(i);
            boolean ends = token.isSymbol(";") || token.kind() == Token.Kind.END;
            if (ends && i > from) {
                if (parsed.size() >= STATEMENTS_MAX) {
                    throw new SqlError(SqlCode.LIMIT_EXCEEDED, "too many statements in one text", token.start());
                }
                parsed.add(one(text, every, from, i));
            }
            from = ends ? i + 1 : from;
        }
        return parsed;
    }

    /** The only statement of the text. */
    public static Parsed one(String text) {
        List<Parsed> parsed = all(text);
        if (parsed.size() != 1) {
            throw new SqlError(
                    SqlCode.SYNTAX_ERROR, parsed.isEmpty() ? "there is no statement" : "one statement is allowed here");
        }
        return parsed.get(0);
    }

    private static Parsed one(String text, List<Token> every, int from, int to) {
        List<Token> own = new ArrayList<>(every.subList(from, to));
        int end = own.get(own.size() - 1).end();
        own.add(new Token(Token.Kind.END, "", end, end));
        Tokens tokens = new Tokens(text, own);
        Statement statement = new StatementParser(tokens).statement(0);
        tokens.expectEnd();
        int start = own.get(0).start();
        // The parameters of a prepared statement are bound by EXECUTE, not by PREPARE.
        int parameters = statement instanceof Statement.Prepare ? 0 : parameters(own);
        return new Parsed(statement, text.substring(start, end), start, parameters);
    }

    private static int parameters(List<Token> tokens) {
        int bare = 0;
        int most = 0;
        for (Token token : tokens) {
            if (token.kind() == Token.Kind.PARAMETER) {
                String digits = token.text().substring(1);
                bare += digits.isEmpty() ? 1 : 0;
                most = digits.isEmpty() || digits.length() > 5 ? most : Math.max(most, Integer.parseInt(digits));
            }
        }
        return Math.max(bare, most);
    }

    private Statement statement(int nesting) {
        if (nesting > NESTING_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "statements are nested too deeply", tokens.position());
        }
        Token first = tokens.current();
        if (first.isSymbol("(")) {
            return select();
        }
        if (first.kind() != Token.Kind.WORD) {
            throw tokens.unexpected();
        }
        return switch (first.text()) {
            case "select", "values", "table", "from" -> select();
            case "with" -> with();
            case "insert", "update", "delete", "truncate", "upsert" ->
                new WriteParser(tokens, queries, Statement.With.NONE).parse();
            case "create", "alter", "drop", "comment" -> new DefinitionParser(tokens, queries).parse();
            case "grant", "revoke" -> {
                tokens.next();
                yield new UserParser(tokens).grant(first.text().equals("revoke"));
            }
            case "explain" -> explain(nesting);
            case "prepare" -> prepare(nesting);
            case "execute" -> execute(nesting);
            default -> new SessionParser(tokens).parse();
        };
    }

    private Statement select() {
        int from = tokens.index();
        Query query = queries.whole();
        return new Statement.Select(query, tokens.textFrom(from));
    }

    /** The keyword after the common table expressions decides whether the statement reads or writes. */
    private Statement with() {
        int from = tokens.index();
        tokens.next();
        boolean recursive = tokens.take("recursive");
        List<Query.Cte> ctes = queries.ctes();
        Statement.With with = new Statement.With(recursive, ctes);
        if (tokens.areNext("insert") || tokens.areNext("update") || tokens.areNext("delete")) {
            return new WriteParser(tokens, queries, with).parse();
        }
        Query query = with.before(queries.query());
        queries.requireShort(from);
        return new Statement.Select(query, tokens.textFrom(from));
    }

    private Statement explain(int nesting) {
        tokens.next();
        boolean analyze = tokens.take("analyze");
        return new Statement.Explain(statement(nesting + 1), analyze);
    }

    private Statement prepare(int nesting) {
        tokens.next();
        String name = tokens.name();
        int declared = 0;
        if (tokens.takeSymbol("(")) {
            // Parameter types are inferred from their use, so declared types have no effect.
            do {
                TypeParser.parse(tokens);
                declared++;
            } while (tokens.takeSymbol(","));
            tokens.expectSymbol(")");
        }
        tokens.expect("as");
        int from = tokens.index();
        Statement statement = statement(nesting + 1);
        String text = tokens.textFrom(from);
        int used = parameters(Lexer.tokens(text));
        return new Statement.Prepare(name, statement, Math.max(declared, used), text.length());
    }

    private Statement execute(int nesting) {
        tokens.next();
        if (tokens.take("as")) {
            return executeAs(nesting);
        }
        String name = tokens.name();
        List<Expression> arguments = List.of();
        if (tokens.takeSymbol("(")) {
            arguments = queries.expressions().list();
            tokens.expectSymbol(")");
        }
        return new Statement.Execute(name, arguments);
    }

    private Statement executeAs(int nesting) {
        tokens.take("user");
        String user = tokens.string();
        tokens.expectSymbol("(");
        int from = tokens.index();
        Tokens inner = tokens.untilClosing();
        Statement statement = new StatementParser(inner).statement(nesting + 1);
        inner.expectEnd();
        String text = tokens.textFrom(from);
        tokens.expectSymbol(")");
        return new Statement.ExecuteAs(user, statement, text);
    }

    static Optional<String> alias(Tokens tokens) {
        if (tokens.take("as")) {
            return Optional.of(tokens.anyName());
        }
        Token token = tokens.current();
        boolean bare = token.kind() == Token.Kind.QUOTED
                || (token.kind() == Token.Kind.WORD && !Tokens.isReserved(token.text()));
        return bare ? Optional.of(tokens.next().text()) : Optional.empty();
    }
}
