/**
 * Writing: {@link io.polytable.entity.write.TableWriter} writes at once, {@link io.polytable.entity.write.BufferedWriter} many
 * entities at a time, {@link io.polytable.entity.write.AtomicWriter} several cells of one entity atomically. {@link
 * io.polytable.entity.write.Edits} translates names and values into ids and bytes.
 */
@NullMarked
package io.polytable.entity.write;

import org.jspecify.annotations.NullMarked;
