package io.polytable.sql.syntax;

import io.polytable.sql.tree.At;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.tree.Source;
import io.polytable.sql.tree.Source.Pairing;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Parser of the FROM clause. */
final class SourceParser {
    /** Words that begin a join, and so are no alias although they may be names. */
    private static final Set<String> NO_ALIAS = Set.of("asof", "positional", "semi", "anti", "qualify");

    private static final int VERSION_DIGITS_MAX = 15;

    private final Tokens tokens;
    private final QueryParser queries;

    SourceParser(Tokens tokens, QueryParser queries) {
        this.tokens = tokens;
        this.queries = queries;
    }

    /** Sources separated by commas, which is a cross join. */
    Source list() {
        Source left = joined();
        int length = 0;
        while (tokens.current().isSymbol(",")) {
            At at = queries.at();
            tokens.next();
            requireShort(++length);
            left = new Source.Join(left, joined(), Pairing.CROSS, false, false, Optional.empty(), List.of(), at);
        }
        return left;
    }

    private void requireShort(int length) {
        if (length > QueryParser.SET_OPERATIONS_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "the statement is nested too deeply", tokens.position());
        }
    }

    private Source joined() {
        Source left = source();
        int length = 0;
        while (isJoin()) {
            requireShort(++length);
            left = join(left);
        }
        return left;
    }

    private boolean isJoin() {
        Token token = tokens.current();
        if (token.kind() != Token.Kind.WORD) {
            return false;
        }
        return switch (token.text()) {
            case "join", "inner", "cross", "left", "right", "full", "natural" -> true;
            case "asof", "positional", "semi", "anti" ->
                tokens.ahead(1).isWord("join")
                        || tokens.ahead(1).isWord("left")
                        || tokens.ahead(1).isWord("right")
                        || tokens.ahead(1).isWord("inner")
                        || tokens.ahead(1).isWord("full");
            default -> false;
        };
    }

    private Source join(Source left) {
        At at = queries.at();
        boolean asof = tokens.take("asof");
        boolean natural = tokens.take("natural");
        Pairing pairing = pairing();
        tokens.expect("join");
        Source right = source();
        boolean conditional = !natural && pairing != Pairing.CROSS && pairing != Pairing.POSITIONAL;
        if (!conditional) {
            return new Source.Join(left, right, pairing, asof, natural, Optional.empty(), List.of(), at);
        }
        // `a JOIN b JOIN c ON x ON y`: the conditions belong to the joins from inside out.
        while (isJoin() && !tokens.areNext("on") && !tokens.areNext("using")) {
            right = join(right);
        }
        if (tokens.take("on")) {
            Expression on = queries.expressions().parse();
            return new Source.Join(left, right, pairing, asof, false, Optional.of(on), List.of(), at);
        }
        tokens.expect("using");
        return new Source.Join(left, right, pairing, asof, false, Optional.empty(), tokens.names(), at);
    }

    private Pairing pairing() {
        if (tokens.take("cross")) {
            return Pairing.CROSS;
        }
        if (tokens.take("positional")) {
            return Pairing.POSITIONAL;
        }
        if (tokens.take("semi")) {
            return Pairing.SEMI;
        }
        if (tokens.take("anti")) {
            return Pairing.ANTI;
        }
        Pairing pairing = tokens.take("left")
                ? Pairing.LEFT
                : tokens.take("right") ? Pairing.RIGHT : tokens.take("full") ? Pairing.FULL : Pairing.INNER;
        if (pairing == Pairing.INNER) {
            tokens.take("inner");
        } else {
            tokens.take("outer");
        }
        return pairing;
    }

    private Source source() {
        At at = queries.at();
        boolean lateral = tokens.take("lateral");
        if (tokens.current().isSymbol("(")) {
            return inParentheses(lateral, at);
        }
        if (!lateral) {
            tokens.take("only");
        }
        if (tokens.areNext("rows", "from") && tokens.ahead(2).isSymbol("(")) {
            throw tokens.unsupported("ROWS FROM");
        }
        if (tokens.current().isName() && isCall()) {
            Expression value = queries.expressions().call();
            if (!(value instanceof Expression.Call call)) {
                throw tokens.unexpected();
            }
            boolean ordinality = tokens.take("with", "ordinality");
            return new Source.Function(call, lateral, ordinality, alias(), at);
        }
        return table(at);
    }

    private boolean isCall() {
        return tokens.ahead(1).isSymbol("(");
    }

    private Source inParentheses(boolean lateral, At at) {
        queries.enter();
        Source source;
        boolean query = queries.isQueryNext(1);
        tokens.next();
        if (query) {
            Query derived = queries.query();
            tokens.expectSymbol(")");
            source = new Source.Derived(derived, lateral, alias(), at);
        } else {
            source = list();
            tokens.expectSymbol(")");
            if (tokens.areNext("as")) {
                throw tokens.unsupported("an alias of a join");
            }
        }
        queries.leave();
        return source;
    }

    private Source table(At at) {
        List<String> path = new ArrayList<>();
        // A namespace may be named like a keyword: only a name is possible before a dot.
        path.add(tokens.ahead(1).isSymbol(".") ? tokens.anyName() : tokens.name());
        while (tokens.takeSymbol(".")) {
            path.add(tokens.anyName());
        }
        OptionalLong version = version();
        Source.Alias alias = alias();
        if (tokens.areNext("tablesample")) {
            throw tokens.unsupported("TABLESAMPLE");
        }
        return new Source.Table(path, version, alias, at);
    }

    /** {@code AS OF VERSION n}. */
    private OptionalLong version() {
        if (!tokens.areNext("as", "of")) {
            return OptionalLong.empty();
        }
        boolean versioned = tokens.ahead(2).isWord("version");
        Token number = tokens.ahead(versioned ? 3 : 2);
        if (number.kind() != Token.Kind.NUMBER) {
            if (!versioned) {
                return OptionalLong.empty();
            }
            throw new SqlError(SqlCode.SYNTAX_ERROR, "AS OF takes the number of a version", number.start());
        }
        boolean whole = number.text().chars().allMatch(Character::isDigit);
        if (!whole || number.text().length() > VERSION_DIGITS_MAX) {
            throw new SqlError(SqlCode.SYNTAX_ERROR, "AS OF takes the number of a version", number.start());
        }
        tokens.back(tokens.index() + (versioned ? 4 : 3));
        return OptionalLong.of(Long.parseLong(number.text()));
    }

    private Source.Alias alias() {
        Optional<String> name = Optional.empty();
        if (tokens.take("as")) {
            name = Optional.of(tokens.anyName());
        } else {
            Token token = tokens.current();
            boolean bare = token.kind() == Token.Kind.QUOTED
                    || (token.kind() == Token.Kind.WORD
                            && !Tokens.isReserved(token.text())
                            && !(NO_ALIAS.contains(token.text()) && (isJoin() || token.isWord("qualify"))));
            name = bare ? Optional.of(tokens.next().text()) : name;
        }
        boolean columns = name.isPresent() && tokens.current().isSymbol("(");
        return new Source.Alias(name, columns ? tokens.names() : List.of());
    }
}
