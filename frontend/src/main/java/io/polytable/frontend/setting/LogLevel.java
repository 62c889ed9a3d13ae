package io.polytable.frontend.setting;

/** Log levels; each level includes those before it. */
public enum LogLevel {
    OFF,
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE
}
