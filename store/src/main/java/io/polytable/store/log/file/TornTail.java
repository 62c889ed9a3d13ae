package io.polytable.store.log.file;

/**
 * The torn tail that opening a log truncated: writes interrupted by a crash, none of them promised to survive it.
 *
 * @param file where the truncation starts
 * @param bytes truncated bytes, in this file and later ones
 * @param position the first lost record
 */
public record TornTail(String file, long offset, long bytes, long position) {}
