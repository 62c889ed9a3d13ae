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
     * @param edit derives the new layout from the current one
     */
    record AlterTable(String table, UnaryOperator<TableLayout> edit) implements DdlStatement {}

    record DropTable(String table) implements DdlStatement {}

    record CreateInstance(String name, Map<String, String> properties) implements DdlStatement {}

    record DropInstance(String name) implements DdlStatement {}

    /** Switches to another instance or, without a name, to the first one of the session. */
    record UseInstance(Optional<String> name) implements DdlStatement {}

    /** Makes the classes of a jar available to schemas. */
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

    /** The role of a schema for a column. */
    enum SchemaRole {
        READER,
        WRITER,
        RECORDED
    }
}
