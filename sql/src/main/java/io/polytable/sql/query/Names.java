package io.polytable.sql.query;

import io.polytable.sql.model.definition.ViewDef;
import io.polytable.sql.model.relation.Relation;
import io.polytable.table.TableName;
import java.util.Optional;

/** Resolves the names in a query. */
public interface Names {
    /** The namespace of unqualified names. */
    String namespace();

    Optional<Relation> relation(TableName name);

    /** A table as it was at a version of its files. */
    Optional<Relation> version(TableName name, long version);

    Optional<ViewDef> view(TableName name);

    /** The same with another default namespace: a view's query has that of the view. */
    Names in(String namespace);

    /** The value of {@code current_user}. */
    String user();
}
