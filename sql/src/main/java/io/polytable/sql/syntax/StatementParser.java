package io.polytable.sql.syntax;

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

    private StatementParser(Tokens tokens) {
        this.tokens = tokens;
    }

    /**
     * A statement and its offset in the text.
     *
     * @param parameters the number of parameters that it takes
     */
    public record Parsed(Statement statement, String text, int position, int parameters) {}

    /** All statements of the text; positions are relative to its beginning. */
    public static List<Parsed> all(String text) {
        return parsed(numbered(text));
    }

    /** Replaces {@code ?} by {@code $n}, so that any part of a statement can be run on its own with its parameters. */
    private static String numbered(String text) {
        if (text.indexOf('?') < 0) {
            return text;
        }
        StringBuilder numbered = new StringBuilder();
        int copied = 0;
        int number = 0;
        for (Token token : Lexer.tokens(text)) {
            if (token.isSymbol(";")) {
                number = 0;
            }
            if (token.kind() == Token.Kind.PARAMETER && token.text().equals("?")) {
                numbered.append(text, copied, token.start()).append('$').append(++number);
                copied = token.end();
            }
        }
        return numbered.append(text, copied, text.length()).toString();
    }

    /**
     * The place in the client's text of a position that an error has: the text that was parsed has {@code $n} where the
     * client wrote {@code ?}.
     */
    public static int placeIn(String text, int position) {
        if (text.indexOf('?') < 0) {
            return position;
        }
        List<Token> tokens;
        try {
            tokens = Lexer.tokens(text);
        } catch (SqlError unreadable) {
            // The text was refused before anything in it was replaced.
            return position;
        }
        int grown = 0;
        int number = 0;
        for (Token token : tokens) {
            if (token.start() + grown >= position) {
                break;
            }
            number = token.isSymbol(";") ? 0 : number;
            if (token.kind() == Token.Kind.PARAMETER && token.text().equals("?")) {
                grown += Integer.toString(++number).length();
            }
        }
        return position - grown;
    }

    private static List<Parsed> parsed(String text) {
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
            return new SelectParser(tokens).parse();
        }
        if (first.kind() != Token.Kind.WORD) {
            throw tokens.unexpected();
        }
        return switch (first.text()) {
            case "select", "values", "table", "from" -> new SelectParser(tokens).parse();
            case "with" -> with();
            case "insert", "update", "delete", "truncate", "upsert" -> new WriteParser(tokens).parse();
            case "create", "alter", "drop", "comment" -> new DefinitionParser(tokens).parse();
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

    /** The keyword after the common table expressions decides whether the statement reads or writes. */
    private Statement with() {
        int from = tokens.index();
        int depth = 0;
        while (!tokens.atEnd()) {
            Token token = tokens.current();
            depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
            if (depth == 0 && (token.isWord("insert") || token.isWord("update") || token.isWord("delete"))) {
                String text = tokens.textFrom(from);
                return new Statement.With(text, new WriteParser(tokens).parse());
            }
            if (depth == 0 && (token.isWord("select") || token.isWord("values") || token.isWord("from"))) {
                break;
            }
            tokens.next();
        }
        tokens.back(from);
        return new SelectParser(tokens).parse();
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
        List<Fragment> arguments = new ArrayList<>();
        if (tokens.takeSymbol("(")) {
            Clauses clauses = new Clauses(tokens);
            do {
                arguments.add(clauses.fragment());
            } while (tokens.takeSymbol(","));
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
