/**
 * What the server tells of itself: SHOW and DESCRIBE ({@link io.polytable.sql.command.introspection.Listings}), the tables
 * of {@code system} ({@link io.polytable.sql.command.introspection.SystemRelations}) and of {@code information_schema}
 * ({@link io.polytable.sql.command.introspection.InformationSchema}).
 */
@NullMarked
package io.polytable.sql.command.introspection;

import org.jspecify.annotations.NullMarked;
