/**
 * {@code hbase:meta}, the table that clients read to find all others, as a view of the catalog; and the regions that
 * can be addressed, which are those of tables and its own.
 */
@NullMarked
package io.polytable.hbase.meta;

import org.jspecify.annotations.NullMarked;
