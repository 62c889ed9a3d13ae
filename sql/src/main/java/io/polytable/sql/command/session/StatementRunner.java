package io.polytable.sql.command.session;

/** Runs the statements of sessions; implemented by the packages that depend on this one. */
public interface StatementRunner {
    Outcome run(Portal portal);
}
