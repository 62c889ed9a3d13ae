/**
 * All definitions of a store. A statement takes an immutable {@link io.polytable.sql.model.catalog.CatalogState} from
 * the {@link io.polytable.sql.model.catalog.Catalog}. A change is validated
 * ({@link io.polytable.sql.model.catalog.TableBuilder}, {@link io.polytable.sql.model.catalog.Alterations}), committed
 * as one row, and then becomes the next state. Definitions of a transaction are written with its commit ({@link
 * io.polytable.sql.model.catalog.PendingDefinitions}).
 */
@NullMarked
package io.polytable.sql.model.catalog;

import org.jspecify.annotations.NullMarked;
