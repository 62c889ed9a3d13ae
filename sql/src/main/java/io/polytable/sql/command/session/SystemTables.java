package io.polytable.sql.command.session;

import io.polytable.sql.model.relation.Relation;
import io.polytable.table.TableName;
import java.util.Collection;
import java.util.Optional;

/** The tables that tell of the system: they are there without having been created. */
public interface SystemTables {
    Collection<Relation> all();

    Optional<Relation> find(TableName name);
}
