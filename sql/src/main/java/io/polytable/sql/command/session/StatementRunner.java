package io.polytable.sql.command.session;

import io.polytable.sql.syntax.Statement;
import org.jspecify.annotations.Nullable;

/** Runs the statements of sessions; implemented by the packages that depend on this one. */
public interface StatementRunner {
    Outcome run(Session session, Statement statement, @Nullable Object[] parameters);
}
