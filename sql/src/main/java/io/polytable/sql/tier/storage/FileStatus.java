package io.polytable.sql.tier.storage;

import java.util.Optional;

/**
 * A file as its storage describes it.
 *
 * @param etag of an object storage
 * @param version of an object storage that keeps versions
 */
public record FileStatus(long bytes, Optional<String> etag, Optional<String> version) {}
