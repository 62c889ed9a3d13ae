package io.polytable.server.metrics;

/** A metric's name and its help text. */
public record Metric(String name, String help) {}
