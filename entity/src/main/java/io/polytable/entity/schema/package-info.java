/** The schemas of an instance by number and by hash: {@link io.polytable.entity.schema.SchemaTable}. */
@NullMarked
package io.polytable.entity.schema;

import org.jspecify.annotations.NullMarked;
