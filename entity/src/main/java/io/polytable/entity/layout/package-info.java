/**
 * What a table is: a {@link io.polytable.entity.layout.TableLayout} of locality groups, families and columns. {@link
 * io.polytable.entity.layout.LayoutJson} reads and writes it, {@link io.polytable.entity.layout.LayoutUpdate} makes the
 * next layout of the current one and a wanted one, {@link io.polytable.entity.layout.SchemaRules} keeps readers and writers
 * compatible, {@link io.polytable.entity.layout.LayoutDifference} says what changed.
 *
 * <p>Each part has a name, which may change, and an id, which stores keep cells under and which never changes and is never
 * used again. Ids are readable: the name that the part had first.
 */
@NullMarked
package io.polytable.entity.layout;

import org.jspecify.annotations.NullMarked;
