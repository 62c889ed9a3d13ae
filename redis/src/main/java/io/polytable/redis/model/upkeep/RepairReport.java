package io.polytable.redis.model.upkeep;

/** The findings before and after a repair. */
public record RepairReport(CheckReport before, CheckReport after) {}
