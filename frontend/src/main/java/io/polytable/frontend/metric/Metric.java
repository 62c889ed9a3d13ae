package io.polytable.frontend.metric;

/** A metric's name and its help text. */
public record Metric(String name, String help) {}
