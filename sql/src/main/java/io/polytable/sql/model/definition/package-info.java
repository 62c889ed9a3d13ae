/**
 * Definitions as immutable values: {@link io.polytable.sql.model.definition.TableDef} with its
 * {@link io.polytable.sql.model.definition.ColumnDef}s and indexes, namespaces and views.
 * {@link io.polytable.sql.model.definition.DefinitionJson} writes and reads them for the catalog's rows and the schema
 * files. {@link io.polytable.sql.model.definition.StorageOptions} checks the options of WITH.
 */
@NullMarked
package io.polytable.sql.model.definition;

import org.jspecify.annotations.NullMarked;
