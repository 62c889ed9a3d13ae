package io.polytable.cells;

/** The compression that a family requests; a store uses the closest it has. */
public enum Compression {
    NONE,
    GZ,
    LZO,
    SNAPPY,
    LZ4,
    ZSTD,
    BZIP2,
    LZMA
}
