/**
 * Work in the background that outlives a restart: {@link io.polytable.sql.tier.job.Job}s are rows of the store, shown in
 * {@code system.jobs}. {@link io.polytable.sql.tier.job.JobQueue} runs them one after the other, tries again what failed for a
 * reason that may pass, and takes up what a crash interrupted.
 */
@NullMarked
package io.polytable.sql.tier.job;

import org.jspecify.annotations.NullMarked;
