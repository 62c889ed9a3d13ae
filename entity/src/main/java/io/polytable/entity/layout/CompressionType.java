package io.polytable.entity.layout;

/** The compression of stored blocks; a store uses the nearest one it supports. */
public enum CompressionType {
    NONE,
    GZ,
    LZO,
    SNAPPY,
    LZ4,
    ZSTD
}
