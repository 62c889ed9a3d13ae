/**
 * SQL types, their values, and errors. A value is a plain Java object, null for NULL;
 * {@link io.polytable.sql.type.SqlType} defines its class. {@link io.polytable.sql.type.Casts} converts between types,
 * {@link io.polytable.sql.type.Texts} writes the text form, which is PostgreSQL's, and
 * {@link io.polytable.sql.type.DateTimeParser} parses dates and times. {@link io.polytable.sql.type.SqlError} is what a
 * client gets for a statement that fails.
 */
@NullMarked
package io.polytable.sql.type;

import org.jspecify.annotations.NullMarked;
