package io.polytable.sql.command;

import io.polytable.frontend.limit.Budget;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.user.Users;
import io.polytable.sql.command.file.Exports;
import io.polytable.sql.command.file.Imports;
import io.polytable.sql.command.introspection.SystemRelations;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.model.catalog.Catalog;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.query.run.DuckEngine;
import io.polytable.sql.tier.Tiering;
import io.polytable.sql.tier.job.Job;
import io.polytable.table.TableStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Wires the classes that run statements to the engine that sessions share. */
public final class SqlCommands {
    private SqlCommands() {}

    /**
     * Creates an engine whose sessions run all statements.
     *
     * @param faces tables that other frontends expose at the moment
     * @param budget the heap that statements and transactions share
     * @param sessions the registry of the sessions of all protocols
     * @param users the users of all protocols, if the caller is a server
     */
    public static SqlEngine engine(
            TableStore store,
            Catalog catalog,
            DuckEngine duck,
            Tiering tiering,
            Supplier<List<Relation>> faces,
            Settings settings,
            InstantSource clock,
            Duration statementTimeout,
            Budget budget,
            Sessions sessions,
            Optional<Users> users) {
        SqlEngine engine = new SqlEngine(
                store,
                catalog,
                duck,
                tiering,
                faces,
                clock,
                statementTimeout,
                budget,
                sessions,
                users,
                settings,
                made -> Dispatcher::run,
                SystemRelations::new);
        tiering.handle(Job.Type.EXPORT, new Exports(engine)::run);
        tiering.handle(Job.Type.IMPORT, new Imports(engine)::run);
        return engine;
    }
}
