package io.polytable.sql.tier;

import io.polytable.sql.model.definition.StorageOptions;
import io.polytable.sql.model.relation.FileScan;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.RowsRelation;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.tier.manifest.Manifest;
import io.polytable.sql.tier.storage.StorageFailure;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Reader;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import java.util.List;

/** The rows in the segments of one manifest version, without rows of the store: what AS OF reads. */
final class VersionRelation implements Relation {
    private final Tiering tier;
    private final SqlTable table;
    private final long version;

    VersionRelation(Tiering tier, SqlTable table, long version) {
        this.tier = tier;
        this.table = table;
        this.version = version;
    }

    @Override
    public TableName name() {
        return table.name();
    }

    @Override
    public List<RelationColumn> columns() {
        return table.columns();
    }

    @Override
    public List<String> key() {
        return table.key();
    }

    @Override
    public boolean isOurs() {
        return true;
    }

    @Override
    public boolean hasFiles() {
        return true;
    }

    @Override
    public FileScan files(Reader reader, Request request) {
        boolean packed = StorageOptions.isPacked(table.def().options());
        String scope = table.def().kind() == TableKind.USER && !packed ? request.user() : "";
        Manifest manifest = tier.manifests()
                .version(reader, table.table().id(), scope, version)
                .orElseThrow(() -> new SqlError(
                        SqlCode.UNDEFINED_OBJECT,
                        "there is no version " + version + " of the files of " + table.name()));
        Relation nothing = new RowsRelation(table.name(), table.columns(), List.of(), List::of);
        try {
            return new FileScanPlanner(table, tier.files().local()).past(manifest, request, nothing);
        } catch (StorageFailure failure) {
            throw ColdTable.unavailable(failure);
        }
    }

    @Override
    public Rows open(Reader reader, Request request) {
        throw new SqlError(SqlCode.UNSUPPORTED, "the past of a table is read without its hidden keys");
    }
}
