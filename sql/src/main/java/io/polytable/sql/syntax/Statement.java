package io.polytable.sql.syntax;

import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.type.SqlType;
import io.polytable.table.TableKind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A parsed statement. Absent parts are empty. */
public sealed interface Statement {

    /** A statement that defines what others read and write. */
    sealed interface Definition extends Statement {}

    /** A statement that writes rows. */
    sealed interface Write extends Statement {}

    /** A statement about files and storages. */
    sealed interface OfFiles extends Statement {}

    /** A statement that begins or ends a transaction, or a part of one. */
    sealed interface OfTransaction extends Statement {}

    // --- definitions -----------------------------------------------------------------------------------------------

    record CreateNamespace(String name, boolean ifNotExists) implements Definition {}

    record DropNamespace(String name, boolean ifExists, boolean cascade) implements Definition {}

    record CreateTable(
            TableKind kind,
            Name name,
            boolean ifNotExists,
            List<ColumnClause> columns,
            List<String> primaryKey,
            List<List<String>> uniques,
            List<Fragment> checks,
            Map<String, String> options,
            Optional<Query> source)
            implements Definition {}

    /** A column definition of CREATE TABLE or ADD COLUMN. */
    record ColumnClause(
            String name,
            SqlType type,
            boolean notNull,
            Optional<Fragment> defaultValue,
            boolean primaryKey,
            boolean unique,
            Optional<Fragment> check,
            Optional<String> comment,
            int position) {}

    record AlterTable(Name name, boolean ifExists, List<Alteration> alterations) implements Definition {}

    /** One change of a table. */
    sealed interface Alteration {
        record AddColumn(ColumnClause column, boolean ifNotExists) implements Alteration {}

        record DropColumn(String column, boolean ifExists, int position) implements Alteration {}

        record RenameColumn(String column, String to, int position) implements Alteration {}

        record RenameTable(String to) implements Alteration {}

        record SetDefault(String column, Optional<Fragment> value, int position) implements Alteration {}

        record SetNotNull(String column, boolean notNull, int position) implements Alteration {}

        record SetOptions(Map<String, String> options) implements Alteration {}

        /** ENABLE or DISABLE ROW LEVEL SECURITY. */
        record SetRowSecurity(boolean enabled) implements Alteration {}
    }

    record DropTable(List<Name> names, boolean ifExists, Optional<TableKind> kind, boolean cascade)
            implements Definition {}

    record CreateView(Name name, boolean orReplace, boolean ifNotExists, List<String> columns, Select query)
            implements Definition {}

    record DropView(List<Name> names, boolean ifExists, boolean cascade) implements Definition {}

    record CreateIndex(Optional<String> name, Name table, List<String> columns, boolean unique, boolean ifNotExists)
            implements Definition {}

    record DropIndex(Name name, boolean ifExists) implements Definition {}

    /** CREATE, ALTER or DROP POLICY. */
    record OfPolicy(PolicyStatement statement) implements Definition {}

    /** A comment on a table or on one of its columns; an absent text removes the comment. */
    record CommentOn(Name table, Optional<String> column, Optional<String> comment) implements Definition {}

    // --- rows ------------------------------------------------------------------------------------------------------

    record Insert(
            Name table,
            Optional<String> alias,
            List<String> columns,
            Source source,
            Optional<OnConflict> onConflict,
            List<Query.Item> returning)
            implements Write {}

    /** Where inserted rows come from. */
    sealed interface Source {
        /** An absent value is the column's default. */
        record Rows(List<List<Optional<Expression>>> rows) implements Source {}

        record Selected(Query query) implements Source {}

        record Defaults() implements Source {}
    }

    /**
     * An ON CONFLICT clause. Without assignments it is DO NOTHING: a conflicting row is skipped.
     *
     * @param target the columns of the arbiter, the unique key whose conflicts the clause handles
     * @param constraint the name of the arbiter's constraint or unique index, if given instead of columns
     */
    record OnConflict(
            List<String> target,
            Optional<String> constraint,
            List<Assignment> assignments,
            Optional<Expression> where,
            int position) {
        public OnConflict {
            target = List.copyOf(target);
            assignments = List.copyOf(assignments);
        }

        /** The same clause with the arbiter given by its columns. */
        public OnConflict about(List<String> columns) {
            return new OnConflict(columns, Optional.empty(), assignments, where, position);
        }
    }

    /** {@code column = value}; an absent value is the column's default. */
    record Assignment(String column, Optional<Expression> value, int position) {}

    /** The common table expressions before a statement. */
    record With(boolean recursive, List<Query.Cte> ctes) {
        public static final With NONE = new With(false, List.of());

        public With {
            ctes = List.copyOf(ctes);
        }

        public Query before(Query query) {
            return query.within(recursive, ctes);
        }
    }

    /**
     * The rows that an UPDATE or DELETE changes.
     *
     * @param others the tables of FROM or USING
     * @param words the length of the statement in words
     */
    record Rows(
            With with,
            Name table,
            Optional<String> alias,
            Optional<io.polytable.sql.tree.Source> others,
            Optional<Expression> where,
            int words) {
        /** Whether they are those of one table. */
        public boolean isPlain() {
            return with.ctes().isEmpty() && others.isEmpty();
        }
    }

    /** Without RETURNING the list is empty. */
    record Update(Rows rows, List<Assignment> assignments, List<Query.Item> returning) implements Write {}

    record Delete(Rows rows, List<Query.Item> returning) implements Write {}

    record Truncate(List<Name> tables) implements Definition {}

    // --- files -----------------------------------------------------------------------------------------------------

    record CreateStorage(String id, String type, Map<String, String> options, boolean ifNotExists) implements OfFiles {}

    record AlterStorage(String id, Map<String, String> options) implements OfFiles {}

    record DropStorage(String id, boolean ifExists) implements OfFiles {}

    /** A job on the files of one table, of all tables of a namespace, or of all tables. */
    record FileWork(Work work, Optional<Name> table, Optional<String> namespace) implements OfFiles {
        public enum Work {
            FLUSH,
            COMPACT,
            EXPIRE
        }
    }

    /** Tests a storage: writes, reads and deletes a file. */
    record CheckStorage(String id) implements OfFiles {}

    record Export(Name table, String path) implements OfFiles {}

    record Import(Name table, String path) implements OfFiles {}

    record KillJob(String id) implements OfFiles {}

    /** A query. */
    record Select(Query query, String text) implements Statement {}

    // --- the session -----------------------------------------------------------------------------------------------

    record Explain(Statement statement, boolean analyze) implements Statement {}

    record Begin(Modes modes) implements OfTransaction {}

    /** The modes of the open transaction, or with {@code session} those of the transactions to come. */
    record SetTransaction(Modes modes, boolean session) implements Statement {}

    /** The modes of a transaction that a statement names. */
    record Modes(Optional<Isolation> isolation, Optional<Boolean> readOnly) {}

    /** All levels but the last are snapshot isolation, the level of REPEATABLE READ in PostgreSQL. */
    enum Isolation {
        READ_UNCOMMITTED,
        READ_COMMITTED,
        REPEATABLE_READ,
        SERIALIZABLE;

        /** As in SET and SHOW. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    record Commit() implements OfTransaction {}

    record Rollback(Optional<String> savepoint) implements OfTransaction {}

    record Savepoint(String name) implements OfTransaction {}

    record Release(String name) implements OfTransaction {}

    /**
     * PREPARE: a statement stored in the session under a name.
     *
     * @param parameters the number of parameters that it takes
     * @param chars the length of its text
     */
    record Prepare(String name, Statement statement, int parameters, int chars) implements Statement {}

    record Execute(String name, List<Expression> arguments) implements Statement {}

    /** Without a name, all prepared statements. */
    record Deallocate(Optional<String> name) implements Statement {}

    /** With {@code local}, until the end of the transaction. */
    record SetVariable(String name, String value, boolean local) implements Statement {}

    /** Without a name, all variables. */
    record ResetVariable(Optional<String> name) implements Statement {}

    record ShowVariable(String name) implements Statement {}

    record Use(String namespace) implements Statement {}

    /** {@code SHOW TABLES} and similar. */
    record Show(What what, Optional<Name> of) implements Statement {
        public enum What {
            NAMESPACES,
            TABLES,
            VIEWS,
            COLUMNS,
            INDEXES,
            STORAGES,
            JOBS,
            STATISTICS
        }
    }

    record OfUsers(UserStatement statement) implements Statement {}

    record Describe(Name table, boolean history) implements Statement {}

    record ExecuteAs(String user, Statement statement, String text) implements Statement {}

    /** Cancels a running statement. */
    record KillQuery(String id) implements Statement {}
}
