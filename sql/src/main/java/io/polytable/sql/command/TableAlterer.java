package io.polytable.sql.command;

import io.polytable.sql.model.Alterations;
import io.polytable.sql.model.Catalog;
import io.polytable.sql.model.ColumnDef;
import io.polytable.sql.model.SqlTable;
import io.polytable.sql.model.StorageOptions;
import io.polytable.sql.model.StoredRow;
import io.polytable.sql.model.StoredRows;
import io.polytable.sql.syntax.Expr;
import io.polytable.sql.syntax.ExpressionText;
import io.polytable.sql.syntax.Fragment;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.Texts;
import io.polytable.table.Snapshot;
import java.util.Map;
import java.util.function.Predicate;

/** ALTER TABLE and COMMENT. */
final class TableAlterer {
    private final SqlEngine engine;
    private final Session session;
    private final Catalog catalog;

    TableAlterer(SqlEngine engine, Session session) {
        this.engine = engine;
        this.session = session;
        catalog = engine.catalog();
    }

    Outcome run(Statement.AlterTable alter) {
        boolean there = catalog.state().table(session.resolve(alter.name())).isPresent();
        if (alter.ifExists() && !there) {
            return StatementRunner.done("ALTER TABLE");
        }
        for (Statement.Alteration alteration : alter.alterations()) {
            // Each change makes another version of the table, so it is looked up anew.
            apply(session.table(alter.name()), alteration);
            if (alteration instanceof Statement.Alteration.RenameTable) {
                break;
            }
        }
        return StatementRunner.done("ALTER TABLE");
    }

    private void apply(SqlTable table, Statement.Alteration alteration) {
        if (alteration instanceof Statement.Alteration.AddColumn add) {
            addColumn(table, add);
        } else if (alteration instanceof Statement.Alteration.DropColumn drop) {
            boolean there = table.def().indexOf(drop.column()) >= 0;
            if (there || !drop.ifExists()) {
                refuseInCheck(table, drop.column());
                catalog.alter(table, def -> Alterations.dropColumn(def, drop.column()));
            }
        } else if (alteration instanceof Statement.Alteration.RenameColumn rename) {
            refuseInCheck(table, rename.column());
            catalog.alter(table, def -> Alterations.renameColumn(def, rename.column(), rename.to()));
        } else if (alteration instanceof Statement.Alteration.RenameTable rename) {
            catalog.alter(table, def -> Alterations.rename(def, rename.to()));
        } else if (alteration instanceof Statement.Alteration.SetDefault set) {
            setDefault(table, set);
        } else if (alteration instanceof Statement.Alteration.SetNotNull set) {
            setNotNull(table, set);
        } else if (alteration instanceof Statement.Alteration.SetOptions set) {
            refuseRepacking(table, set.options());
            catalog.alter(table, def -> Alterations.setOptions(def, set.options()));
        }
    }

    /** Files of one user and files of all would have to be told apart by every reader. */
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

    private void addColumn(SqlTable table, Statement.Alteration.AddColumn add) {
        Statement.ColumnClause clause = add.column();
        if (add.ifNotExists() && table.def().indexOf(clause.name()) >= 0) {
            return;
        }
        if (clause.primaryKey() || clause.unique() || clause.check().isPresent()) {
            throw new SqlError(SqlCode.UNSUPPORTED, "an added column has no key and no check", clause.position());
        }
        ColumnDef column = new Definitions(engine, session).column(clause);
        Object initial = column.defaultText() == null
                ? null
                : TableRules.compute(column.defaultText(), column.type(), session.environment());
        if (column.notNull() && initial == null && hasRow(table, row -> true)) {
            throw new SqlError(
                    SqlCode.NOT_NULL_VIOLATION,
                    "column \"" + column.name() + "\" of " + table.name()
                            + " would be null in the rows that are there: give it a default",
                    clause.position());
        }
        String text = initial == null ? null : Texts.of(initial);
        catalog.alter(table, def -> Alterations.addColumn(def, column, text));
    }

    private void setDefault(SqlTable table, Statement.Alteration.SetDefault set) {
        int index = Changes.requireColumn(table.def(), set.column(), set.position());
        ColumnDef column = table.def().columns().get(index);
        String text = set.value()
                .map((Fragment value) -> new Definitions(engine, session).defaultText(value, column.type()))
                .orElse(null);
        catalog.alter(table, def -> Alterations.setDefault(def, set.column(), text));
    }

    private void setNotNull(SqlTable table, Statement.Alteration.SetNotNull set) {
        int index = Changes.requireColumn(table.def(), set.column(), set.position());
        if (set.notNull() && hasRow(table, row -> row.values()[index] == null)) {
            throw new SqlError(
                    SqlCode.NOT_NULL_VIOLATION,
                    "column \"" + set.column() + "\" of relation \""
                            + table.name().name() + "\" contains null values",
                    set.position());
        }
        catalog.alter(table, def -> Alterations.setNotNull(def, set.column(), set.notNull()));
    }

    private boolean hasRow(SqlTable table, Predicate<StoredRow> wanted) {
        // One moment of the store and of the files: a row may be on its way from one to the other.
        try (Snapshot moment = engine.store().snapshot();
                StoredRows rows = table.everyRow(moment)) {
            while (rows.next()) {
                StoredRow row = rows.row();
                if (!row.isDeleted() && wanted.test(row)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static void refuseInCheck(SqlTable table, String column) {
        for (String check : table.def().checks()) {
            if (mentions(ExpressionText.parse(check), column)) {
                throw new SqlError(
                        SqlCode.DEPENDENT_OBJECTS, "column \"" + column + "\" is used in the check (" + check + ")");
            }
        }
    }

    /** By its text: a record prints all its parts. */
    private static boolean mentions(Expr expr, String column) {
        return expr.toString().contains("ColumnRef[path=[" + column + "]");
    }

    Outcome comment(Statement.CommentOn comment) {
        SqlTable table = session.table(comment.table());
        String text = comment.comment().orElse(null);
        if (comment.column().isPresent()) {
            catalog.alter(
                    table,
                    def -> Alterations.commentColumn(def, comment.column().get(), text));
        } else {
            catalog.alter(table, def -> Alterations.comment(def, text));
        }
        return StatementRunner.done("COMMENT");
    }
}
