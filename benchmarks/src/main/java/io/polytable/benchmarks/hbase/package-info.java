/**
 * HBase's own client on a real HBase and on our face: {@link io.polytable.benchmarks.hbase.HBaseBenchmark} is what {@code
 * hbase.sh} runs, {@link io.polytable.benchmarks.hbase.Loads} says what is done.
 */
@NullMarked
package io.polytable.benchmarks.hbase;

import org.jspecify.annotations.NullMarked;
