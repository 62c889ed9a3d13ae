package io.polytable.store.log.file;

/**
 * What opening a log cut off: writes that a crash tore, none of which was ever promised to survive it.
 *
 * @param file where the cut starts
 * @param bytes what was cut, in this file and those behind it
 * @param position the first record that is gone
 */
public record TornTail(String file, long offset, long bytes, long position) {}
