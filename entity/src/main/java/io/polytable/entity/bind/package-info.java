/**
 * Entities as Java objects: a record, or a class with fields, whose fields are annotated with their column ({@link
 * io.polytable.entity.bind.InColumn}) or their part of the key ({@link io.polytable.entity.bind.KeyPart}); {@link
 * io.polytable.entity.bind.EntityBinding} reads and writes them.
 */
@NullMarked
package io.polytable.entity.bind;

import org.jspecify.annotations.NullMarked;
