/**
 * Storages of flushed files. A {@link io.polytable.sql.tier.storage.Storage} is a directory or an S3 bucket. Statements
 * define it ({@link io.polytable.sql.tier.storage.StorageDef}), and {@link io.polytable.sql.tier.storage.Storages}
 * keeps the definitions. Readers get local files from {@link io.polytable.sql.tier.storage.LocalFiles}, which downloads
 * and caches remote ones.
 */
@NullMarked
package io.polytable.sql.tier.storage;

import org.jspecify.annotations.NullMarked;
