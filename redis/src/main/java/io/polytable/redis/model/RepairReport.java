package io.polytable.redis.model;

/** What a check found before a repair, and what it still finds afterwards. */
public record RepairReport(CheckReport before, CheckReport after) {}
