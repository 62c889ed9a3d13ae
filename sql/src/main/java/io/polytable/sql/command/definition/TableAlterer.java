package io.polytable.sql.command.definition;

import io.polytable.sql.command.plan.TableRules;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Portal;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.command.write.Changes;
import io.polytable.sql.model.catalog.Alterations;
import io.polytable.sql.model.catalog.Catalog;
import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.RowSecurity;
import io.polytable.sql.model.definition.StorageOptions;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.row.StoredRows;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.syntax.ExpressionText;
import io.polytable.sql.syntax.Fragment;
import io.polytable.sql.syntax.QueryParser;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.Texts;
import io.polytable.table.Snapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Runs ALTER TABLE and COMMENT. */
final class TableAlterer {
    private static final Wanted ANY = new Wanted("any", row -> true);

    private final Portal portal;
    private final SqlEngine engine;
    private final Session session;
    private final Catalog catalog;

    /** What was found by searches without a lock, by the kind of row. */
    private final Map<String, Searched> filesHave = new HashMap<>();

    TableAlterer(Portal portal) {
        this.portal = portal;
        engine = portal.engine();
        session = portal.session();
        catalog = engine.catalog();
    }

    Outcome run(Statement.AlterTable alter) {
        boolean there = catalog.state().table(session.resolve(alter.name())).isPresent();
        if (alter.ifExists() && !there) {
            return Outcome.done("ALTER TABLE");
        }
        SqlTable table = session.table(alter.name());
        // All alterations take effect as one new definition, or none does.
        alter(table, def -> {
            TableDef changed = def;
            for (Statement.Alteration alteration : alter.alterations()) {
                changed = changed(table, changed, alteration);
            }
            return changed;
        });
        return Outcome.done("ALTER TABLE");
    }

    void alter(SqlTable table, UnaryOperator<TableDef> change) {
        session.transaction().settle(table);
        boolean missing = true;
        while (missing) {
            try {
                session.transaction().define(() -> catalog.alter(table, change));
                missing = false;
            } catch (FilesFirst first) {
                filesHave.put(first.wanted.what(), search(table, first.wanted));
            }
        }
    }

    /** A kind of row that an alteration must not meet. */
    private record Wanted(String what, Predicate<StoredRow> rows) {}

    /** The result of a search in a snapshot of the table, and the segments that it saw. */
    private record Searched(boolean found, Object segments) {}

    /** Ends an attempt under the definition lock: files must be searched first, for which nobody may wait. */
    private static final class FilesFirst extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient Wanted wanted;

        FilesFirst(Wanted wanted) {
            super("Files are searched first", null, false, false);
            this.wanted = wanted;
        }
    }

    /** Searches one snapshot of the store and the files: a flush may be moving rows from one to the other. */
    private Searched search(SqlTable table, Wanted wanted) {
        try (Snapshot moment = engine.store().snapshot();
                StoredRows rows = table.everyRow(moment)) {
            return new Searched(has(rows, wanted), table.cold().version(moment));
        }
    }

    /** @param def the definition after the preceding alterations of the statement */
    private TableDef changed(SqlTable table, TableDef def, Statement.Alteration alteration) {
        if (alteration instanceof Statement.Alteration.AddColumn add) {
            return addColumn(table, def, add);
        }
        if (alteration instanceof Statement.Alteration.DropColumn drop) {
            if (drop.ifExists() && def.indexOf(drop.column()) < 0) {
                return def;
            }
            refuseInCondition(def, drop.column());
            return Alterations.dropColumn(def, drop.column());
        }
        if (alteration instanceof Statement.Alteration.RenameColumn rename) {
            refuseInCondition(def, rename.column());
            return Alterations.renameColumn(def, rename.column(), rename.to());
        }
        if (alteration instanceof Statement.Alteration.RenameTable rename) {
            // A check may qualify its columns with the table's old name.
            List<String> checks =
                    def.checks().stream().map(ExpressionText::unqualified).toList();
            RowSecurity security = PolicyCommands.unqualified(def.security());
            return Alterations.rename(def, rename.to(), checks, security);
        }
        if (alteration instanceof Statement.Alteration.SetDefault set) {
            return setDefault(def, set);
        }
        if (alteration instanceof Statement.Alteration.SetNotNull set) {
            return setNotNull(table, def, set);
        }
        if (alteration instanceof Statement.Alteration.SetRowSecurity set) {
            PolicyCommands.requireShared(def);
            return def.withSecurity(def.security().enabled(set.enabled()));
        }
        Statement.Alteration.SetOptions set = (Statement.Alteration.SetOptions) alteration;
        refuseRepacking(table, set.options());
        return Alterations.setOptions(def, set.options());
    }

    /** Every reader would need to distinguish files of one user from files of all users, so {@code packed} cannot change. */
    private static void refuseRepacking(SqlTable table, Map<String, String> options) {
        String packed = options.get(StorageOptions.PACKED);
        boolean changes = packed != null
                && StorageOptions.isPacked(options)
                        != StorageOptions.isPacked(table.def().options());
        if (changes && table.cold().isUsed()) {
            throw new SqlError(
                    SqlCode.DEPENDENT_OBJECTS, "option packed stays as it is once rows of the table are in files");
        }
    }

    private TableDef addColumn(SqlTable table, TableDef def, Statement.Alteration.AddColumn add) {
        Statement.ColumnClause clause = add.column();
        if (add.ifNotExists() && def.indexOf(clause.name()) >= 0) {
            return def;
        }
        if (clause.primaryKey() || clause.unique() || clause.check().isPresent()) {
            throw new SqlError(SqlCode.UNSUPPORTED, "an added column has no key and no check", clause.position());
        }
        ColumnDef column = new Definitions(portal).column(clause);
        Object initial = column.defaultText() == null
                ? null
                : TableRules.compute(column.defaultText(), column.type(), portal.given());
        if (column.notNull() && initial == null && hasRow(table, ANY)) {
            throw new SqlError(
                    SqlCode.NOT_NULL_VIOLATION,
                    "column \"" + column.name() + "\" of " + table.name()
                            + " would be null in the rows that are there: give it a default",
                    clause.position());
        }
        return Alterations.addColumn(def, column, initial == null ? null : Texts.of(initial));
    }

    private TableDef setDefault(TableDef def, Statement.Alteration.SetDefault set) {
        int index = Changes.requireColumn(def, set.column(), set.position());
        ColumnDef column = def.columns().get(index);
        String text = set.value()
                .map((Fragment value) -> new Definitions(portal).defaultText(value, column.type()))
                .orElse(null);
        return Alterations.setDefault(def, set.column(), text);
    }

    private TableDef setNotNull(SqlTable table, TableDef def, Statement.Alteration.SetNotNull set) {
        int index = Changes.requireColumn(def, set.column(), set.position());
        if (set.notNull() && hasNull(table, def.columns().get(index))) {
            throw new SqlError(
                    SqlCode.NOT_NULL_VIOLATION,
                    "column \"" + set.column() + "\" of relation \""
                            + table.name().name() + "\" contains null values",
                    set.position());
        }
        return Alterations.setNotNull(def, set.column(), set.notNull());
    }

    private boolean hasNull(SqlTable table, ColumnDef column) {
        int index = table.def().indexOfId(column.id());
        // A column that the same statement adds has its initial value in all rows.
        return index < 0
                ? column.initialText() == null && hasRow(table, ANY)
                : hasRow(table, new Wanted("null in column " + column.id(), row -> row.values()[index] == null));
    }

    /**
     * Whether the table has such a live row. Called under the definition lock, when nobody can commit rows. A search of
     * the files is valid as long as the segments are the same; the rows of the store are looked at again.
     */
    private boolean hasRow(SqlTable table, Wanted wanted) {
        if (table.cold().isUsed()) {
            Searched searched = filesHave.get(wanted.what());
            if (searched == null || !searched.segments().equals(table.cold().version(engine.store()))) {
                throw new FilesFirst(wanted);
            }
            if (searched.found()) {
                return true;
            }
        }
        try (StoredRows rows = table.hotRows(engine.store())) {
            return has(rows, wanted);
        }
    }

    private boolean has(StoredRows rows, Wanted wanted) {
        while (rows.next()) {
            session.cancellation().check();
            StoredRow row = rows.row();
            if (!row.isDeleted() && wanted.rows().test(row)) {
                return true;
            }
        }
        return false;
    }

    private static void refuseInCondition(TableDef def, String column) {
        for (String check : def.checks()) {
            if (QueryParser.expression(check).names(column)) {
                throw new SqlError(
                        SqlCode.DEPENDENT_OBJECTS, "column \"" + column + "\" is used in the check (" + check + ")");
            }
        }
        PolicyCommands.refuseUsed(def, column);
    }

    Outcome comment(Statement.CommentOn comment) {
        SqlTable table = session.table(comment.table());
        String text = comment.comment().orElse(null);
        if (comment.column().isPresent()) {
            alter(table, def -> Alterations.commentColumn(def, comment.column().get(), text));
        } else {
            alter(table, def -> Alterations.comment(def, text));
        }
        return Outcome.done("COMMENT");
    }
}
