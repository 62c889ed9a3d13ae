/**
 * All definitions of a store. A statement asks {@link io.polytable.sql.model.catalog.Catalog} for a
 * {@link io.polytable.sql.model.catalog.CatalogState}, which never changes. A definition is checked and numbered
 * ({@link io.polytable.sql.model.catalog.TableBuilder}, {@link io.polytable.sql.model.catalog.Alterations}), committed as one
 * row, and then makes the next state.
 */
@NullMarked
package io.polytable.sql.model.catalog;

import org.jspecify.annotations.NullMarked;
