package io.polytable.cells;

/** The compression that a family asks for; a store uses the nearest it has. */
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
