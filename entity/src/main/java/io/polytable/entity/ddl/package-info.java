/**
 * The table definition language: {@link io.polytable.entity.ddl.DdlParser} turns text into {@link
 * io.polytable.entity.ddl.DdlStatement}s, {@link io.polytable.entity.ddl.DdlSession} executes them against the instances of a
 * store. A CREATE TABLE becomes a layout, an ALTER TABLE an edit of the current one ({@link
 * io.polytable.entity.ddl.LayoutEdits}), so both obey the rules of layouts. {@link io.polytable.entity.ddl.DdlDump} writes a
 * layout as the statements that make it.
 */
@NullMarked
package io.polytable.entity.ddl;

import org.jspecify.annotations.NullMarked;
