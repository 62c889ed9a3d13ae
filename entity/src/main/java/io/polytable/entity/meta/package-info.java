/**
 * Metadata of an instance: {@link io.polytable.entity.meta.LayoutTable}, {@link
 * io.polytable.entity.meta.SystemTable} and {@link io.polytable.entity.meta.Notes}, all as small records of the store.
 */
@NullMarked
package io.polytable.entity.meta;

import org.jspecify.annotations.NullMarked;
