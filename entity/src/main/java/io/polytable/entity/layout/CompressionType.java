package io.polytable.entity.layout;

/** How stored blocks are compressed; a store takes the nearest it has. */
public enum CompressionType {
    NONE,
    GZ,
    LZO,
    SNAPPY,
    LZ4,
    ZSTD
}
