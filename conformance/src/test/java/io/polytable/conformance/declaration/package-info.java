/**
 * What a server says of its commands, field by field: arity, flags, key positions and specs, categories, tips,
 * subcommands. Hand-copied facts drift; here every one that we declare is held against the reference's own.
 */
@NullMarked
package io.polytable.conformance.declaration;

import org.jspecify.annotations.NullMarked;
