package io.polytable.entity.request;

import io.polytable.entity.key.EntityId;
import io.polytable.entity.model.ColumnName;
import java.util.Optional;

/** What a row filter sees of an entity. */
public interface RowView {
    EntityId id();

    /** Whether the column, or any column of the family, has a cell. */
    boolean has(ColumnName column);

    /** The newest value of the column, decoded. */
    Optional<Object> newest(ColumnName column);
}
