/**
 * Basic types of the entity library: {@link io.polytable.entity.model.ColumnName}s, {@link
 * io.polytable.entity.model.Names}, and the one exception, {@link io.polytable.entity.model.EntityException}.
 */
@NullMarked
package io.polytable.entity.model;

import org.jspecify.annotations.NullMarked;
