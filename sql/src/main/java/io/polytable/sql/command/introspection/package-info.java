/**
 * Introspection: SHOW and DESCRIBE ({@link io.polytable.sql.command.introspection.Listings}), the tables of
 * {@code system} ({@link io.polytable.sql.command.introspection.SystemRelations}) and of {@code information_schema}
 * ({@link io.polytable.sql.command.introspection.InformationSchema}). The tables compute their rows when a query reads
 * them; most of SHOW is a query over them.
 */
@NullMarked
package io.polytable.sql.command.introspection;

import org.jspecify.annotations.NullMarked;
