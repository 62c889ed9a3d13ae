package io.polytable.entity.request;

import io.polytable.entity.cell.ReadAs;
import io.polytable.entity.filter.ColumnFilter;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.ValueMode;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * A request for a column, or for each column of a family.
 *
 * @param pageCells the number of cells per page; 0 to read all with the row. A paged column is read by its pager only.
 */
public record ColumnRequest(
        ColumnName column, int maxVersions, Optional<ColumnFilter> filter, int pageCells, ReadAs as, ValueMode values) {
    public ColumnRequest {
        if (maxVersions < 1 || pageCells < 0) {
            throw new EntityException(
                    EntityError.BAD_REQUEST,
                    "A request wants at least one version and pages of at least one cell",
                    Map.of("versions", maxVersions, "page", pageCells));
        }
    }

    /** The newest version. */
    public static ColumnRequest of(String column) {
        return of(ColumnName.parse(column));
    }

    public static ColumnRequest of(ColumnName column) {
        return new ColumnRequest(column, 1, Optional.empty(), 0, ReadAs.DEFAULT, ValueMode.FULL);
    }

    /** The same of one column of this family. */
    public ColumnRequest ofColumn(ColumnName name) {
        return new ColumnRequest(name, maxVersions, filter, pageCells, as, values);
    }

    public ColumnRequest versions(int versions) {
        return new ColumnRequest(column, versions, filter, pageCells, as, values);
    }

    public ColumnRequest allVersions() {
        return versions(Integer.MAX_VALUE);
    }

    public ColumnRequest filter(ColumnFilter newFilter) {
        return new ColumnRequest(column, maxVersions, Optional.of(newFilter), pageCells, as, values);
    }

    public ColumnRequest paged(int cells) {
        return new ColumnRequest(column, maxVersions, filter, cells, as, values);
    }

    public ColumnRequest as(ReadAs readAs) {
        return new ColumnRequest(column, maxVersions, filter, pageCells, readAs, values);
    }

    public ColumnRequest as(Schema schema) {
        return as(new ReadAs.Generic(schema));
    }

    public ColumnRequest as(Class<?> avroClass) {
        return as(new ReadAs.Specific(avroClass));
    }

    /** Without values: only which cells exist, and their timestamps. */
    public ColumnRequest withoutValues() {
        return new ColumnRequest(column, maxVersions, filter, pageCells, as, ValueMode.NONE);
    }

    /** The stored sizes instead of the values. */
    public ColumnRequest sizes() {
        return new ColumnRequest(column, maxVersions, filter, pageCells, as, ValueMode.SIZE);
    }

    public boolean isPaged() {
        return pageCells > 0;
    }
}
