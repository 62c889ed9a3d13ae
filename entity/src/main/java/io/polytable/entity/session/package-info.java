/**
 * Calls under a version of a layout: {@link io.polytable.entity.session.TableAccess} provides the current {@link
 * io.polytable.entity.session.LayoutState} of a table and prevents writes under a replaced one; {@link
 * io.polytable.entity.session.LayoutChanges} replaces layouts.
 */
@NullMarked
package io.polytable.entity.session;

import org.jspecify.annotations.NullMarked;
