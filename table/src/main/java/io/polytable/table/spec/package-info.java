/**
 * What a table is: its name, kind, typed columns, key and options.
 *
 * <p>{@link io.polytable.table.spec.TableSpec} is the whole of it, checked when it is made;
 * {@link io.polytable.table.spec.TableOptions} are the parts that an engine may tune by.
 */
@NullMarked
package io.polytable.table.spec;

import org.jspecify.annotations.NullMarked;
