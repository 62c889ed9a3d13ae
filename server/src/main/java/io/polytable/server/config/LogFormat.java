package io.polytable.server.config;

/** How a line of the log is written. */
public enum LogFormat {
    TEXT,
    JSON
}
