package io.polytable.sql.syntax;

import io.polytable.sql.type.SqlType;
import io.polytable.table.TableKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a statement says. Absent parts are empty; {@code text} is the part of it that only DuckDB reads. */
public sealed interface Statement {

    // --- definitions -----------------------------------------------------------------------------------------------

    record CreateNamespace(String name, boolean ifNotExists) implements Statement {}

    record DropNamespace(String name, boolean ifExists, boolean cascade) implements Statement {}

    record CreateTable(
            TableKind kind,
            Name name,
            boolean ifNotExists,
            List<ColumnClause> columns,
            List<String> primaryKey,
            List<List<String>> uniques,
            List<Fragment> checks,
            Map<String, String> options,
            Optional<Select> source)
            implements Statement {}

    /** A column as CREATE TABLE and ADD COLUMN have it. */
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

    record AlterTable(Name name, boolean ifExists, List<Alteration> alterations) implements Statement {}

    /** One change of a table. */
    sealed interface Alteration {
        record AddColumn(ColumnClause column, boolean ifNotExists) implements Alteration {}

        record DropColumn(String column, boolean ifExists, int position) implements Alteration {}

        record RenameColumn(String column, String to, int position) implements Alteration {}

        record RenameTable(String to) implements Alteration {}

        record SetDefault(String column, Optional<Fragment> value, int position) implements Alteration {}

        record SetNotNull(String column, boolean notNull, int position) implements Alteration {}

        record SetOptions(Map<String, String> options) implements Alteration {}
    }

    record DropTable(List<Name> names, boolean ifExists, Optional<TableKind> kind, boolean cascade)
            implements Statement {}

    record CreateView(Name name, boolean orReplace, boolean ifNotExists, List<String> columns, Select query)
            implements Statement {}

    record DropView(List<Name> names, boolean ifExists, boolean cascade) implements Statement {}

    record CreateIndex(Optional<String> name, Name table, List<String> columns, boolean unique, boolean ifNotExists)
            implements Statement {}

    record DropIndex(Name name, boolean ifExists) implements Statement {}

    /** On a table, or on one of its columns; no text takes the comment away. */
    record CommentOn(Name table, Optional<String> column, Optional<String> comment) implements Statement {}

    // --- rows ------------------------------------------------------------------------------------------------------

    record Insert(
            Name table,
            Optional<String> alias,
            List<String> columns,
            Source source,
            Optional<OnConflict> onConflict,
            Optional<List<Item>> returning)
            implements Statement {}

    /** Where inserted rows come from. */
    sealed interface Source {
        /** An absent value is the column's default. */
        record Rows(List<List<Optional<Fragment>>> rows) implements Source {}

        record Query(Select select) implements Source {}

        record Defaults() implements Source {}
    }

    /**
     * Without assignments a conflicting row is left out.
     *
     * @param target the columns that the conflict is about
     * @param constraint the constraint or unique index that it is about, where that is named instead
     */
    record OnConflict(
            List<String> target,
            Optional<String> constraint,
            List<Assignment> assignments,
            Optional<Fragment> where,
            int position) {
        public OnConflict {
            target = List.copyOf(target);
            assignments = List.copyOf(assignments);
        }

        /** The same about these columns. */
        public OnConflict about(List<String> columns) {
            return new OnConflict(columns, Optional.empty(), assignments, where, position);
        }
    }

    /** {@code column = value}; an absent value is the column's default. */
    record Assignment(String column, Optional<Fragment> value, int position) {}

    record Update(
            Name table,
            Optional<String> alias,
            List<Assignment> assignments,
            Optional<Fragment> from,
            Optional<Fragment> where,
            Optional<List<Item>> returning)
            implements Statement {}

    record Delete(
            Name table,
            Optional<String> alias,
            Optional<Fragment> using,
            Optional<Fragment> where,
            Optional<List<Item>> returning)
            implements Statement {}

    /**
     * An INSERT, UPDATE or DELETE behind common table expressions.
     *
     * @param text the expressions, from {@code WITH} on
     */
    record With(String text, Statement statement) implements Statement {}

    record Truncate(List<Name> tables) implements Statement {}

    // --- files -----------------------------------------------------------------------------------------------------

    record CreateStorage(String id, String type, Map<String, String> options, boolean ifNotExists)
            implements Statement {}

    record AlterStorage(String id, Map<String, String> options) implements Statement {}

    record DropStorage(String id, boolean ifExists) implements Statement {}

    /** Work on the files of a table, or of all tables of a namespace, or of all there are. */
    record FileWork(Work work, Optional<Name> table, Optional<String> namespace) implements Statement {
        public enum Work {
            FLUSH,
            COMPACT,
            EXPIRE
        }
    }

    /** Tries to write, read and delete a file. */
    record CheckStorage(String id) implements Statement {}

    record Export(Name table, String path) implements Statement {}

    record Import(Name table, String path) implements Statement {}

    record KillJob(String id) implements Statement {}

    /** {@code simple} is there where our own path may answer it. */
    record Select(String text, int position, Optional<SimpleSelect> simple) implements Statement {}

    /** A SELECT from one table without anything that needs a planner. */
    record SimpleSelect(
            List<Item> items,
            Name table,
            Optional<String> alias,
            Optional<Expr> where,
            List<Order> orderBy,
            Optional<Expr> limit,
            Optional<Expr> offset) {}

    /** A column of a result: a star where the expression is absent. */
    record Item(Optional<Fragment> value, Optional<String> alias) {
        public boolean isStar() {
            return value.isEmpty();
        }
    }

    record Order(String column, boolean descending) {}

    // --- the session -----------------------------------------------------------------------------------------------

    record Explain(Statement statement, boolean analyze) implements Statement {}

    record Begin() implements Statement {}

    record Commit() implements Statement {}

    record Rollback(Optional<String> savepoint) implements Statement {}

    record Savepoint(String name) implements Statement {}

    record Release(String name) implements Statement {}

    /**
     * A statement kept under a name.
     *
     * @param parameters how many it takes
     * @param chars how long its text is
     */
    record Prepare(String name, Statement statement, int parameters, int chars) implements Statement {}

    record Execute(String name, List<Fragment> arguments) implements Statement {}

    /** All of them where no name is given. */
    record Deallocate(Optional<String> name) implements Statement {}

    record SetVariable(String name, String value) implements Statement {}

    /** Without a name all of them. */
    record ResetVariable(Optional<String> name) implements Statement {}

    record ShowVariable(String name) implements Statement {}

    record Use(String namespace) implements Statement {}

    /** {@code SHOW TABLES} and its like. */
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

    record Describe(Name table, boolean history) implements Statement {}

    record ExecuteAs(String user, Statement statement, String text) implements Statement {}

    /** Ends a running statement. */
    record KillQuery(String id) implements Statement {}
}
