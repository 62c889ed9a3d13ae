/**
 * Where flushed files are: a {@link io.polytable.sql.tier.storage.Storage} is a directory or an S3 bucket, which statements
 * define ({@link io.polytable.sql.tier.storage.StorageDef}) and {@link io.polytable.sql.tier.storage.Storages} keeps. Readers
 * get local files from {@link io.polytable.sql.tier.storage.LocalFiles}, which fetches and keeps what is elsewhere.
 */
@NullMarked
package io.polytable.sql.tier.storage;

import org.jspecify.annotations.NullMarked;
