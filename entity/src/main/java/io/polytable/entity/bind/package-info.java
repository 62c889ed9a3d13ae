/**
 * Entities as Java objects: a record, or a class with fields, whose parts are annotated with the column they are in ({@link
 * io.polytable.entity.bind.InColumn}) or the part of the key they are ({@link io.polytable.entity.bind.KeyPart}); {@link
 * io.polytable.entity.bind.EntityBinding} reads and writes them.
 */
@NullMarked
package io.polytable.entity.bind;

import org.jspecify.annotations.NullMarked;
