/**
 * The contract of an entity store: a {@link io.polytable.entity.store.StoreProvider} opens an
 * {@link io.polytable.entity.store.EntityStore}, which has instances ({@link io.polytable.entity.store.InstanceStore}) of
 * small records and of tables ({@link io.polytable.entity.store.StoredTable}) of cells.
 *
 * <p>A store sees ids, not names, and bytes, not values: names, schemas and codecs belong to the library. A store declares its
 * {@link io.polytable.entity.store.StoreCapability}s and refuses everything else with {@code NOT_CAPABLE}. One test suite,
 * {@code EntityContract}, runs on every store.
 */
@NullMarked
package io.polytable.entity.store;

import org.jspecify.annotations.NullMarked;
