package io.polytable.redis.model.upkeep;

/** What a check found before a repair, and what it still finds afterwards. */
public record RepairReport(CheckReport before, CheckReport after) {}
