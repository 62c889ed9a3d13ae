package io.polytable.sql.command.session;

import io.polytable.sql.model.catalog.CatalogState;
import io.polytable.sql.syntax.StatementParser;
import io.polytable.sql.type.LruCache;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cache of prepared statements and of their plans: clients repeat the same few texts. A plan is made at the first run,
 * and again when the statement's names mean something else. A definition empties the cache, because plans hold the tables
 * that they read and write, also those that were dropped.
 */
final class PreparedCache {
    /** The most characters of all texts together; their statements take up to a hundred bytes a character. */
    private static final int CHARS_MAX = 200_000;

    private static final int TEXT_CHARS_MAX = 4000;

    /** A plan's size does not follow its statement's: {@code *} may stand for a thousand columns, a view for a page of text. */
    static final int PLANS_MAX = 256;

    /** The cost of an entry besides its text. */
    private static final int ENTRY_CHARS = 20;

    private final LruCache<Key, List<Prepared>> prepared = new LruCache<>(
            CHARS_MAX, (key, statements) -> ENTRY_CHARS + key.text().length());

    private final LruCache<Prepared, Prepared.Planned> plans = new LruCache<>(PLANS_MAX, (statement, plan) -> 1);

    private @Nullable CatalogState of;

    private record Key(String text, String namespace, String user) {}

    /** The statements of a text. */
    List<Prepared> of(String text, Prepared.Meaning meaning) {
        Key key = new Key(text, meaning.namespace(), meaning.user());
        List<Prepared> known = known(key, meaning.state());
        if (known == null) {
            known = StatementParser.all(text).stream().map(Prepared::new).toList();
            if (text.length() <= TEXT_CHARS_MAX) {
                prepared.put(key, known);
            }
        }
        return known;
    }

    /** What a statement does as long as its names mean the same. */
    Prepared.Planned planned(Prepared statement, Prepared.Meaning meaning) {
        Prepared.Planned known = plans.get(statement);
        if (known == null || !known.isOf(meaning)) {
            known = new Prepared.Planned(meaning);
            plans.put(statement, known);
        }
        return known;
    }

    /** The number of plans that are kept. */
    int plans() {
        return plans.size();
    }

    @SuppressWarnings("ReferenceEquality") // Every definition creates a new state.
    private synchronized @Nullable List<Prepared> known(Key key, CatalogState state) {
        if (of != state) {
            prepared.clear();
            plans.clear();
            of = state;
        }
        return prepared.get(key);
    }
}
