package io.polytable.server.metrics;

/** A metric's name and its one line of help. */
public record Metric(String name, String help) {}
