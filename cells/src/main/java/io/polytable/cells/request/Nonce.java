package io.polytable.cells.request;

/** Names a write, so that a retry of it is recognised: a number that its sender uses once. */
public record Nonce(long group, long number) {}
