/**
 * Data definition: {@link io.polytable.sql.command.definition.Definitions} runs CREATE, DROP and TRUNCATE,
 * {@link io.polytable.sql.command.definition.TableAlterer} runs ALTER TABLE and COMMENT. Both validate a statement and
 * then change the catalog under its definition lock, which excludes commits.
 */
@NullMarked
package io.polytable.sql.command.definition;

import org.jspecify.annotations.NullMarked;
