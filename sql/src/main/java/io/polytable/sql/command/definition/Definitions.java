package io.polytable.sql.command.definition;

import io.polytable.frontend.session.Principal.Role;
import io.polytable.sql.command.plan.TableRules;
import io.polytable.sql.command.read.Reads;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Portal;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.command.write.Inserts;
import io.polytable.sql.expr.Columns;
import io.polytable.sql.model.catalog.Catalog;
import io.polytable.sql.model.catalog.NewTable;
import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.IndexDef;
import io.polytable.sql.model.definition.ViewDef;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.row.StoredRows;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.Cancellation;
import io.polytable.sql.query.Names;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.syntax.Fragment;
import io.polytable.sql.syntax.Name;
import io.polytable.sql.syntax.QueryParser;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.tree.Query;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.table.TableName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** Runs CREATE, ALTER, DROP, COMMENT and TRUNCATE. */
public final class Definitions {
    /** For a second: an index that another session builds is there only when it is complete. */
    private static final int ATTEMPTS_MAX = 200;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** Errors of a definition that another session may have caused between a check and the change. */
    private static final Set<SqlCode> RACED = Set.of(
            SqlCode.DUPLICATE_TABLE,
            SqlCode.DUPLICATE_NAMESPACE,
            SqlCode.DUPLICATE_OBJECT,
            SqlCode.SERIALIZATION_FAILURE);

    private static final Set<SqlCode> RACED_DROP = Set.of(
            SqlCode.UNDEFINED_TABLE,
            SqlCode.UNDEFINED_NAMESPACE,
            SqlCode.UNDEFINED_OBJECT,
            SqlCode.SERIALIZATION_FAILURE);

    private final Portal portal;
    private final SqlEngine engine;
    private final Session session;
    private final Catalog catalog;

    public Definitions(Portal portal) {
        this.portal = portal;
        engine = portal.engine();
        session = portal.session();
        catalog = engine.catalog();
    }

    /** Registers the statement as running, so that it can be killed: some definitions scan a whole table. */
    public Outcome run(Statement.Definition statement) {
        requireRoot();
        long id = engine.queries().add(session.user(), session.text(), session.cancellation());
        try {
            return definedOrPresent(statement);
        } finally {
            engine.queries().remove(id);
        }
    }

    private void define(Runnable change) {
        session.transaction().define(change);
    }

    /**
     * IF NOT EXISTS and IF EXISTS hold also when another session creates or drops the object between the check and the
     * change: the statement is run again, and finds it there or gone.
     */
    private Outcome definedOrPresent(Statement.Definition statement) {
        Set<SqlCode> raced = createsIfAbsent(statement) ? RACED : dropsIfPresent(statement) ? RACED_DROP : Set.of();
        for (int attempt = 1; !raced.isEmpty() && attempt < ATTEMPTS_MAX; attempt++) {
            try {
                return defined(statement);
            } catch (SqlError error) {
                if (!raced.contains(error.code())) {
                    throw error;
                }
                session.cancellation().check();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        return defined(statement);
    }

    private static boolean createsIfAbsent(Statement statement) {
        return (statement instanceof Statement.CreateNamespace namespace && namespace.ifNotExists())
                || (statement instanceof Statement.CreateTable table && table.ifNotExists())
                || (statement instanceof Statement.CreateView view && view.ifNotExists())
                || (statement instanceof Statement.CreateIndex index && index.ifNotExists());
    }

    private static boolean dropsIfPresent(Statement statement) {
        return (statement instanceof Statement.DropNamespace namespace && namespace.ifExists())
                || (statement instanceof Statement.DropTable tables && tables.ifExists())
                || (statement instanceof Statement.DropView views && views.ifExists())
                || (statement instanceof Statement.DropIndex index && index.ifExists());
    }

    private Outcome defined(Statement.Definition statement) {
        if (statement instanceof Statement.CreateNamespace create) {
            if (!create.ifNotExists() || !catalog.state().hasNamespace(create.name())) {
                define(() -> catalog.createNamespace(create.name()));
            }
            return Outcome.done("CREATE NAMESPACE");
        }
        if (statement instanceof Statement.DropNamespace drop) {
            if (!drop.ifExists() || catalog.state().hasNamespace(drop.name())) {
                define(() -> catalog.dropNamespace(drop.name(), drop.cascade()));
            }
            return Outcome.done("DROP NAMESPACE");
        }
        if (statement instanceof Statement.CreateTable create) {
            return createTable(create);
        }
        if (statement instanceof Statement.AlterTable alter) {
            return new TableAlterer(portal).run(alter);
        }
        if (statement instanceof Statement.DropTable drop) {
            return dropTable(drop);
        }
        return others(statement);
    }

    /** Until there are roles, only root may run definitions. */
    private void requireRoot() {
        session.require(Role.DBA, "permission denied: only users with role dba or system define tables and namespaces");
    }

    private Outcome others(Statement.Definition statement) {
        if (statement instanceof Statement.CreateView create) {
            return createView(create);
        }
        if (statement instanceof Statement.DropView drop) {
            return dropView(drop);
        }
        if (statement instanceof Statement.CreateIndex create) {
            return createIndex(create);
        }
        if (statement instanceof Statement.DropIndex drop) {
            return dropIndex(drop);
        }
        if (statement instanceof Statement.Truncate truncate) {
            Set<SqlTable> tables =
                    truncate.tables().stream().map(session::table).collect(Collectors.toUnmodifiableSet());
            session.transaction().refuseInside("TRUNCATE");
            define(() -> catalog.truncate(tables));
            return Outcome.done("TRUNCATE TABLE");
        }
        if (statement instanceof Statement.OfPolicy policy) {
            return new PolicyCommands(portal).run(policy.statement());
        }
        return new TableAlterer(portal).comment((Statement.CommentOn) statement);
    }

    // --- tables ----------------------------------------------------------------------------------------------------

    private Outcome createTable(Statement.CreateTable create) {
        TableName name = session.resolve(create.name());
        if (exists(name)) {
            if (create.ifNotExists()) {
                return Outcome.done("CREATE TABLE");
            }
            throw new SqlError(
                    SqlCode.DUPLICATE_TABLE,
                    "relation \"" + name + "\" already exists",
                    create.name().position());
        }
        if (create.source().isPresent()) {
            return createAs(create, name);
        }
        NewTable wanted = newTable(create, name, columns(create.columns()));
        define(() -> catalog.createTable(wanted));
        return Outcome.done("CREATE TABLE");
    }

    private boolean exists(TableName name) {
        return catalog.state().table(name).isPresent()
                || catalog.state().view(name).isPresent()
                || engine.virtualRelation(name).isPresent();
    }

    private NewTable newTable(Statement.CreateTable create, TableName name, List<ColumnDef> columns) {
        List<String> key = new ArrayList<>(create.primaryKey());
        List<List<String>> uniques = new ArrayList<>(create.uniques());
        List<String> checks = new ArrayList<>();
        for (Statement.ColumnClause column : create.columns()) {
            if (column.primaryKey()) {
                if (!key.isEmpty()) {
                    throw new SqlError(SqlCode.INVALID_DEFINITION, "a table has one primary key", column.position());
                }
                key.add(column.name());
            }
            if (column.unique()) {
                uniques.add(List.of(column.name()));
            }
            column.check().ifPresent(check -> checks.add(check.text()));
        }
        create.checks().forEach(check -> checks.add(check.text()));
        List<RelationColumn> shown = columns.stream()
                .map(column -> RelationColumn.shown(column.name(), column.type()))
                .toList();
        Columns scope = new Columns().with(List.of(name.name()), shown);
        for (String check : checks) {
            TableRules.verify(QueryParser.expression(check), scope, "a check");
        }
        return new NewTable(name, create.kind(), columns, key, uniques, checks, create.options());
    }

    private List<ColumnDef> columns(List<Statement.ColumnClause> clauses) {
        return clauses.stream().map(this::column).toList();
    }

    ColumnDef column(Statement.ColumnClause clause) {
        return new ColumnDef(
                0,
                clause.name(),
                clause.type(),
                clause.notNull(),
                0,
                clause.defaultValue()
                        .map(value -> defaultText(value, clause.type()))
                        .orElse(null),
                null,
                clause.comment().orElse(null));
    }

    /** Evaluates the default once, so that one that never fits its type is rejected now and not at every row. */
    String defaultText(Fragment value, SqlType type) {
        try {
            TableRules.verify(value.value(), new Columns(), "a default");
            TableRules.compute(value.text(), type, portal.given());
        } catch (SqlError error) {
            throw error.at(value.position());
        }
        return value.text();
    }

    /** CREATE TABLE ... AS: runs the query for its columns, creates the table, then inserts the query's rows. */
    private Outcome createAs(Statement.CreateTable create, TableName name) {
        Query select = create.source().orElseThrow();
        List<ColumnDef> columns = new ArrayList<>();
        try (QueryRows rows = new Reads(portal).query(select)) {
            for (QueryRows.Output output : rows.columns()) {
                columns.add(new ColumnDef(0, output.name(), output.type(), false, 0, null, null, null));
            }
        }
        NewTable wanted = newTable(create, name, columns);
        SqlTable created = session.transaction().defined(() -> catalog.createTable(wanted));
        Statement.Insert insert = new Statement.Insert(
                new Name(name.namespace(), name.name(), 0),
                Optional.empty(),
                List.of(),
                new Statement.Source.Selected(select),
                Optional.empty(),
                List.of());
        try {
            return new Inserts(portal.of(insert)).insert(insert);
        } catch (RuntimeException failure) {
            if (session.isInTransaction()) {
                // The transaction has failed, and its end drops the table.
                throw failure;
            }
            try {
                dropUnlessUsed(created);
            } catch (RuntimeException also) {
                failure.addSuppressed(also);
            }
            throw failure;
        }
    }

    /**
     * Drops the table unless somebody has redefined it or written to it. Waits for the lock without the statement's
     * time limit, which may have expired.
     */
    private void dropUnlessUsed(SqlTable created) {
        Lock defining = catalog.defining();
        defining.lock();
        try {
            if (catalog.isCurrent(created) && isEmpty(created)) {
                catalog.drop(Set.of(created), Set.of());
            }
        } finally {
            defining.unlock();
        }
    }

    /** Whether nobody has written to the table; one with files was written to. */
    private boolean isEmpty(SqlTable table) {
        if (table.cold().isUsed()) {
            return false;
        }
        try (StoredRows rows = table.hotRows(engine.store())) {
            return !rows.next();
        }
    }

    private Outcome dropTable(Statement.DropTable drop) {
        Set<SqlTable> tables = new LinkedHashSet<>();
        Set<TableName> views = new LinkedHashSet<>();
        for (Name name : drop.names()) {
            TableName full = session.resolve(name);
            if (drop.ifExists() && !exists(full)) {
                continue;
            }
            SqlTable table = session.table(name);
            if (drop.kind().isPresent() && drop.kind().get() != table.def().kind()) {
                throw new SqlError(
                        SqlCode.WRONG_OBJECT_TYPE,
                        "\"" + full + "\" is a " + table.def().kind() + " table",
                        name.position());
            }
            session.transaction().settle(table);
            views.addAll(viewsOf(full, drop.cascade(), Set.of()));
            tables.add(table);
        }
        define(() -> catalog.drop(tables, views));
        return Outcome.done("DROP TABLE");
    }

    // --- views and indexes -----------------------------------------------------------------------------------------

    /**
     * The views that depend on a table or view, to be dropped with it; without CASCADE, any of them prevents the drop.
     *
     * @param going the views that are dropped in any case
     */
    private Set<TableName> viewsOf(TableName read, boolean cascade, Set<TableName> going) {
        Set<TableName> views = new LinkedHashSet<>();
        for (ViewDef view : catalog.state().views()) {
            if (going.contains(view.name()) || !isRead(view, read)) {
                continue;
            }
            if (!cascade) {
                throw new SqlError(
                        SqlCode.DEPENDENT_OBJECTS,
                        "cannot drop " + read + " because view " + view.name() + " depends on it");
            }
            views.add(view.name());
        }
        return views;
    }

    private boolean isRead(ViewDef view, TableName read) {
        RecordedNames names = new RecordedNames(session.names().in(view.namespace()), new HashSet<>());
        try {
            return engine.duck()
                            .prepare(QueryParser.parse(view.query()), names)
                            .query()
                            .tables()
                            .contains(read)
                    || names.found().contains(read);
        } catch (SqlError error) {
            if (isPassing(error.code())) {
                throw error;
            }
            // The view is broken: something that it reads no longer exists. It depends on what was found before that.
            return names.found().contains(read);
        }
    }

    /** Whether the error says nothing about the view itself, so that the same analysis may succeed later. */
    private static boolean isPassing(SqlCode code) {
        return switch (code) {
            case TOO_MANY, UNAVAILABLE, OUT_OF_MEMORY, TIMEOUT, CANCELLED, INTERNAL -> true;
            default -> false;
        };
    }

    /** Resolves names as the session does, and records the tables and views found. */
    private record RecordedNames(Names names, Set<TableName> found) implements Names {
        @Override
        public String namespace() {
            return names.namespace();
        }

        @Override
        public Optional<Relation> relation(TableName name) {
            Optional<Relation> relation = names.relation(name);
            relation.ifPresent(known -> found.add(known.name()));
            return relation;
        }

        @Override
        public Optional<Relation> version(TableName name, long version) {
            Optional<Relation> relation = names.version(name, version);
            relation.ifPresent(known -> found.add(name));
            return relation;
        }

        @Override
        public Optional<ViewDef> view(TableName name) {
            Optional<ViewDef> view = names.view(name);
            view.ifPresent(known -> found.add(known.name()));
            return view;
        }

        @Override
        public Names in(String namespace) {
            return new RecordedNames(names.in(namespace), found);
        }

        @Override
        public String user() {
            return names.user();
        }
    }

    private Outcome createView(Statement.CreateView create) {
        TableName name = session.resolve(create.name());
        if (create.ifNotExists() && exists(name)) {
            return Outcome.done("CREATE VIEW");
        }
        if (engine.virtualRelation(name).isPresent()) {
            throw new SqlError(SqlCode.DUPLICATE_TABLE, "relation \"" + name + "\" already exists");
        }
        String text = create.query().text();
        // Bind the query now, so that a broken view is rejected when it is created and not when it is read.
        engine.duck()
                .check(
                        engine.duck()
                                .prepare(create.query().query(), session.names())
                                .query(),
                        engine.store(),
                        session.user());
        ViewDef view = new ViewDef(name, text, session.namespace(), create.columns(), catalog.now());
        define(() -> catalog.createView(view, create.orReplace()));
        return Outcome.done("CREATE VIEW");
    }

    private Outcome dropView(Statement.DropView drop) {
        Set<TableName> going = new LinkedHashSet<>();
        for (Name name : drop.names()) {
            TableName full = session.resolve(name);
            if (catalog.state().view(full).isPresent()) {
                going.add(full);
            } else if (catalog.state().table(full).isPresent()) {
                throw new SqlError(SqlCode.WRONG_OBJECT_TYPE, "\"" + name + "\" is not a view", name.position());
            } else if (!drop.ifExists()) {
                throw new SqlError(SqlCode.UNDEFINED_TABLE, "view \"" + name + "\" does not exist", name.position());
            }
        }
        Set<TableName> views = new LinkedHashSet<>(going);
        going.forEach(view -> views.addAll(viewsOf(view, drop.cascade(), going)));
        define(() -> catalog.drop(Set.of(), views));
        return Outcome.done("DROP VIEW");
    }

    private Outcome createIndex(Statement.CreateIndex create) {
        SqlTable table = session.table(create.table());
        String name =
                create.name().orElseGet(() -> table.name().name() + "_" + String.join("_", create.columns()) + "_idx");
        boolean there = catalog.state().tables().stream()
                .filter(other -> other.name().namespace().equals(table.name().namespace()))
                .anyMatch(other -> other.def().index(name).isPresent());
        if (there && create.ifNotExists()) {
            return Outcome.done("CREATE INDEX");
        }
        if (there) {
            throw new SqlError(SqlCode.DUPLICATE_TABLE, "index \"" + name + "\" already exists");
        }
        settleForIndex(table);
        Cancellation cancellation = session.cancellation();
        SqlTable unused = catalog.newIndex(table, name, create.columns(), create.unique())
                .run(session.transaction()::defined, session.transaction()::definedAtLast, cancellation::check);
        session.transaction().forgetSnapshot();
        return Outcome.done("CREATE INDEX");
    }

    /** The snapshot of an open transaction has no entries of an index that is built now. */
    private void settleForIndex(SqlTable table) {
        session.transaction().settle(table);
        if (session.transaction().isSnapshotNeeded() && !session.transaction().isCreatedHere(table)) {
            session.transaction().refuseInside("CREATE INDEX on a table that existed before");
        }
    }

    private Outcome dropIndex(Statement.DropIndex drop) {
        TableName full = session.resolve(drop.name());
        for (SqlTable table : catalog.state().tables()) {
            Optional<IndexDef> index = table.def().index(full.name());
            if (table.name().namespace().equals(full.namespace()) && index.isPresent()) {
                session.transaction().settle(table);
                define(() -> catalog.dropIndex(table, index.get()));
                return Outcome.done("DROP INDEX");
            }
        }
        if (drop.ifExists()) {
            return Outcome.done("DROP INDEX");
        }
        throw new SqlError(
                SqlCode.UNDEFINED_OBJECT,
                "index \"" + drop.name() + "\" does not exist",
                drop.name().position());
    }
}
