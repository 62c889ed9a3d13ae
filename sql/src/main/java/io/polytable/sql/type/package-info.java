/**
 * SQL types, their values, and errors. A value is a plain Java object, null for NULL: {@link io.polytable.sql.type.SqlType}
 * says of which class. {@link io.polytable.sql.type.Casts} converts, {@link io.polytable.sql.type.Texts} reads and writes
 * the text form, which is PostgreSQL's.
 */
@NullMarked
package io.polytable.sql.type;

import org.jspecify.annotations.NullMarked;
