/**
 * Bulk import of files: a {@link io.polytable.entity.load.RecordSource} reads records of CSV, JSON lines or Avro, an {@link
 * io.polytable.entity.load.ImportPlan} maps fields to the id and to columns, and {@link
 * io.polytable.entity.load.BulkImport} writes them through a buffered writer. A record is written completely or rejected;
 * rejected ones are reported with their reason and do not stop the import.
 */
@NullMarked
package io.polytable.entity.load;

import org.jspecify.annotations.NullMarked;
