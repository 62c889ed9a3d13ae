/**
 * Background jobs that survive a restart: {@link io.polytable.sql.tier.job.Job}s are rows of the store, visible in
 * {@code system.jobs}. {@link io.polytable.sql.tier.job.JobQueue} runs them one after the other, retries transient
 * failures, and resumes jobs that a crash interrupted.
 */
@NullMarked
package io.polytable.sql.tier.job;

import org.jspecify.annotations.NullMarked;
