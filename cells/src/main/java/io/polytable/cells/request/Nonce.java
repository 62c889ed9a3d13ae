package io.polytable.cells.request;

/** Identifies a write, so that the store recognises a retry; its sender never reuses the number. */
public record Nonce(long group, long number) {}
