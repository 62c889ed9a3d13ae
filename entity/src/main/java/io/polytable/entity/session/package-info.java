/**
 * Work under a layout: {@link io.polytable.entity.session.TableAccess} hands out the current {@link
 * io.polytable.entity.session.LayoutState} of a table and sees that nothing is written under a withdrawn one; {@link
 * io.polytable.entity.session.LayoutChanges} replaces layouts.
 */
@NullMarked
package io.polytable.entity.session;

import org.jspecify.annotations.NullMarked;
