package io.polytable.entity.request;

import io.polytable.entity.key.EntityId;
import io.polytable.entity.model.ColumnName;
import java.util.Optional;

/** An entity as a row filter sees it. */
public interface RowView {
    EntityId id();

    /** Whether the column, or any column of the family, has a cell. */
    boolean has(ColumnName column);

    /** The newest value of the column, decoded. */
    Optional<Object> newest(ColumnName column);
}
