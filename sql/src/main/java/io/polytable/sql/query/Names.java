package io.polytable.sql.query;

import io.polytable.sql.model.definition.ViewDef;
import io.polytable.sql.model.relation.Relation;
import io.polytable.table.TableName;
import java.util.Optional;

/** What names in a query mean. */
public interface Names {
    /** Where names without a namespace are looked up. */
    String namespace();

    Optional<Relation> relation(TableName name);

    Optional<ViewDef> view(TableName name);

    /** The same, for names in a view's query. */
    Names in(String namespace);

    /** Who asks: what {@code current_user} answers. */
    String user();
}
