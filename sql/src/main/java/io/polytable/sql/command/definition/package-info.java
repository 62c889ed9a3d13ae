/**
 * CREATE, ALTER, DROP, COMMENT and TRUNCATE: {@link io.polytable.sql.command.definition.Definitions} and, for tables that
 * are there, {@link io.polytable.sql.command.definition.TableAlterer}. Both check what a statement says and change the catalog
 * while nobody commits.
 */
@NullMarked
package io.polytable.sql.command.definition;

import org.jspecify.annotations.NullMarked;
