/**
 * Writing: {@link io.polytable.entity.write.TableWriter} writes at once, {@link io.polytable.entity.write.BufferedWriter} many
 * entities at a time, {@link io.polytable.entity.write.AtomicWriter} several cells of one entity together. {@link
 * io.polytable.entity.write.Edits} turns names and values into what stores take.
 */
@NullMarked
package io.polytable.entity.write;

import org.jspecify.annotations.NullMarked;
