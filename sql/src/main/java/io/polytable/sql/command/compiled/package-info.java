/**
 * The cache of compiled statements, for clients that repeat them with other parameters.
 * {@link io.polytable.sql.command.compiled.RuleCache} has the {@link io.polytable.sql.command.compiled.TableRules} of a
 * table: its defaults and checks, and the {@link io.polytable.sql.command.compiled.CompiledExpressions} of statements
 * on it.
 */
@NullMarked
package io.polytable.sql.command.compiled;

import org.jspecify.annotations.NullMarked;
