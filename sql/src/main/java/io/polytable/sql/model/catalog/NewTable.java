package io.polytable.sql.model.catalog;

import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import java.util.List;
import java.util.Map;

/** The input of CREATE TABLE, before the catalog assigns ids and places. */
public record NewTable(
        TableName name,
        TableKind kind,
        List<ColumnDef> columns,
        List<String> primaryKey,
        List<List<String>> uniques,
        List<String> checks,
        Map<String, String> options) {}
