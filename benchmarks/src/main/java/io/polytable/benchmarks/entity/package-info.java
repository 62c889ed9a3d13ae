/**
 * The entity library compared with raw calls for the same work: {@link io.polytable.benchmarks.entity.EntityBenchmark}
 * runs each load on both {@link io.polytable.benchmarks.entity.Side}s of a store and prints the ratio.
 */
@NullMarked
package io.polytable.benchmarks.entity;

import org.jspecify.annotations.NullMarked;
