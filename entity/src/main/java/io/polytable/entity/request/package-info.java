/**
 * Read requests: a {@link io.polytable.entity.request.DataRequest} of columns and families, and {@link
 * io.polytable.entity.request.ScanOptions} for many rows, with {@link io.polytable.entity.request.RowFilter}s.
 */
@NullMarked
package io.polytable.entity.request;

import org.jspecify.annotations.NullMarked;
