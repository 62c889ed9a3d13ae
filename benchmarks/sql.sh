#!/usr/bin/env bash
# SQL beside its peers, in one run: statements by key in process beside SQLite (WAL) and H2, the same over HTTP, aggregates beside
# DuckDB's own table and SQLite, and what Redis traffic loses to a query over its rows. Columns: ours, theirs, ratio.
# usage: benchmarks/sql.sh [statements by key, default 200000] [rows, default 1000000]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
points=${1:-200000}
rows=${2:-1000000}
[ -f "$root/benchmarks/target/classes/io/polytable/benchmarks/sql/SqlBenchmark.class" ] ||
  mvn -q -B -f "$root/pom.xml" -pl benchmarks -am package -DskipTests
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The flags of a server (see ./polytable), for it runs in this process too.
java -Xmx4g -XX:+UseG1GC -XX:G1HeapRegionSize=1m -XX:MaxNewSize=256m -Dio.netty.leakDetection.level=disabled \
  --add-opens=java.base/java.nio=ALL-UNNAMED -cp "$root/benchmarks/target/classes:$root/benchmarks/target/lib/*" \
  io.polytable.benchmarks.sql.SqlBenchmark "$work" "$points" "$rows"
