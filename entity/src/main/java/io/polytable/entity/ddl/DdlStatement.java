package io.polytable.entity.ddl;

import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.ColumnName;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A parsed statement. */
public sealed interface DdlStatement {
    record CreateTable(TableLayout layout) implements DdlStatement {}

    /**
     * An update of a layout.
     *
     * @param edit makes the wanted layout of the current one
     */
    record AlterTable(String table, UnaryOperator<TableLayout> edit) implements DdlStatement {}

    record DropTable(String table) implements DdlStatement {}

    record CreateInstance(String name, Map<String, String> properties) implements DdlStatement {}

    record DropInstance(String name) implements DdlStatement {}

    /** Another instance, or without a name the one that the session began with. */
    record UseInstance(Optional<String> name) implements DdlStatement {}

    /** Classes of a jar become usable in schemas. */
    record UseJar(String file) implements DdlStatement {}

    record ShowInstances() implements DdlStatement {}

    record ShowTables() implements DdlStatement {}

    record ShowModules() implements DdlStatement {}

    record Describe(String table, boolean extended) implements DdlStatement {}

    /** The newest schemas of one role of a column or map-type family. */
    record DescribeColumn(String table, ColumnName column, SchemaRole role, int limit) implements DdlStatement {}

    record Dump(Optional<String> table, Optional<String> file) implements DdlStatement {}

    /** Statements, or a layout as JSON, from a file. */
    record Load(String file) implements DdlStatement {}

    record Help() implements DdlStatement {}

    record Quit() implements DdlStatement {}

    /** What a schema is to a column. */
    enum SchemaRole {
        READER,
        WRITER,
        RECORDED
    }
}
