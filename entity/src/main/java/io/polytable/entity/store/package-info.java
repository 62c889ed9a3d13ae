/**
 * What the entity library needs of a store, and nothing more: a {@link io.polytable.entity.store.StoreProvider} opens an
 * {@link io.polytable.entity.store.EntityStore}, which has instances ({@link io.polytable.entity.store.InstanceStore}) of
 * small records and of tables ({@link io.polytable.entity.store.StoredTable}) of cells.
 *
 * <p>A store sees ids, not names, and bytes, not values: names, schemas and codecs are the library's. What a store cannot do
 * is not among its {@link io.polytable.entity.store.StoreCapability}s, and is refused with {@code NOT_CAPABLE}. One suite,
 * {@code EntityContract} among the tests, runs on every store.
 */
@NullMarked
package io.polytable.entity.store;

import org.jspecify.annotations.NullMarked;
