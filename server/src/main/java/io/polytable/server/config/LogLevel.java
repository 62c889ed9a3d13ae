package io.polytable.server.config;

/** How much is logged; each level includes those before it. */
public enum LogLevel {
    OFF,
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE
}
