package io.polytable.sql.command.session;

import io.polytable.sql.model.relation.Relation;
import io.polytable.table.TableName;
import java.util.Collection;
import java.util.Optional;

/** The virtual tables that describe the server: {@code system} and {@code information_schema}. */
public interface SystemTables {
    Collection<Relation> all();

    Optional<Relation> find(TableName name);
}
