/**
 * Comparison of command declarations, field by field: arity, flags, key positions and specs, categories, tips,
 * subcommands. Hand-copied facts drift, so each one is compared with the reference's.
 */
@NullMarked
package io.polytable.conformance.declaration;

import org.jspecify.annotations.NullMarked;
