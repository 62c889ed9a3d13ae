/**
 * HBase's own client on a real HBase and on our frontend: {@code hbase.sh} runs {@link
 * io.polytable.benchmarks.hbase.HBaseBenchmark}, {@link io.polytable.benchmarks.hbase.Loads} defines the loads.
 */
@NullMarked
package io.polytable.benchmarks.hbase;

import org.jspecify.annotations.NullMarked;
