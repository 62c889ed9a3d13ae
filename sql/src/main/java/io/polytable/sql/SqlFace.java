package io.polytable.sql;

import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.Users;
import io.polytable.frontend.view.View;
import io.polytable.sql.command.SqlCommands;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.model.catalog.Catalog;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.ViewRelation;
import io.polytable.sql.query.duck.DuckOptions;
import io.polytable.sql.query.run.DuckEngine;
import io.polytable.sql.tier.StoredFiles;
import io.polytable.sql.tier.Tiering;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The SQL frontend, running on a store. Closing it leaves the store open. */
public final class SqlFace implements AutoCloseable {
    private final Tiering tiering;
    private final DuckEngine duck;
    private final SqlEngine engine;
    private final Housekeeping housekeeping;

    private SqlFace(
            TableStore store,
            SqlOptions options,
            SqlMemory memory,
            Supplier<List<View>> views,
            InstantSource clock,
            Sessions sessions,
            Optional<Users> users) {
        Path tables = StoredFiles.tables(options.directory());
        tiering = new Tiering(
                store,
                new Tiering.Options(
                        tables,
                        options.directory().resolve("cold"),
                        options.coldBytes(),
                        options.storageLimits(),
                        options.steps()),
                clock);
        Catalog catalog = Catalog.open(store, tables, clock, tiering);
        DuckOptions limits = new DuckOptions(
                options.memoryBytes(),
                options.cache(),
                options.threads(),
                options.directory().resolve("spill"),
                options.spillBytes(),
                tiering.readable());
        duck = new DuckEngine(limits, store, memory.results());
        Supplier<List<Relation>> relations = () -> views.get().stream()
                .map(view -> (Relation) new ViewRelation(view))
                .toList();
        engine = SqlCommands.engine(
                store,
                catalog,
                duck,
                tiering,
                relations,
                options.settings(),
                clock,
                options.statementTimeout(),
                memory.statements(),
                sessions,
                users);
        housekeeping = new Housekeeping(store, catalog, engine.jobs(), tiering, clock);
        tiering.start(catalog);
    }

    /**
     * Opens the frontend on a store.
     *
     * @param views the tables that other frontends expose, asked for again at each use
     */
    public static SqlFace open(TableStore store, SqlOptions options, Supplier<List<View>> views, InstantSource clock) {
        return new SqlFace(store, options, SqlMemory.standard(), views, clock, new Sessions(clock), Optional.empty());
    }

    /** As above, with the memory that the server assigned, its users, and the sessions of all protocols. */
    public static SqlFace open(
            TableStore store,
            SqlOptions options,
            SqlMemory memory,
            Supplier<List<View>> views,
            InstantSource clock,
            Sessions sessions,
            Users users) {
        return new SqlFace(store, options, memory, views, clock, sessions, Optional.of(users));
    }

    public static SqlFace open(TableStore store, SqlOptions options) {
        return open(store, options, List::of, InstantSource.system());
    }

    public SqlEngine engine() {
        return engine;
    }

    /** The files that the store's manifests name. */
    public StoredFiles storedFiles() {
        return tiering.storedFiles();
    }

    /** Opens a session for the user. */
    public Session session(String user) {
        return engine.session(user);
    }

    @Override
    public void close() {
        housekeeping.close();
        tiering.close();
        duck.close();
    }
}
