/**
 * Layouts: a {@link io.polytable.entity.layout.TableLayout} defines the locality groups, families and columns of a table. {@link
 * io.polytable.entity.layout.LayoutJson} reads and writes it, {@link io.polytable.entity.layout.LayoutUpdate} derives the
 * next layout from the current one and an update, {@link io.polytable.entity.layout.SchemaRules} keeps readers and writers
 * compatible, {@link io.polytable.entity.layout.LayoutDifference} reports the changes.
 *
 * <p>Each part has a name, which may change, and an id, under which stores keep its cells and which never changes and is never
 * reused. Ids are readable: the first name of the part.
 */
@NullMarked
package io.polytable.entity.layout;

import org.jspecify.annotations.NullMarked;
