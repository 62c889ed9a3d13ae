#!/usr/bin/env bash
# The engine beside plain RocksDB with its own log, in one run: rows a second, ratio, processor time a row.
# usage: benchmarks/engine.sh [rows, default 10000000]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
[ -d "$root/benchmarks/target/lib" ] || mvn -q -B -f "$root/pom.xml" -pl benchmarks -am package -DskipTests
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
java -Xmx2g -cp "$root/benchmarks/target/classes:$root/benchmarks/target/lib/*" \
  io.polytable.benchmarks.EngineBenchmark "$data" "${1:-10000000}"
