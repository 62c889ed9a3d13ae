#!/usr/bin/env bash
# What an operation on a hash, a list, a set, a stream or a sorted set costs by its size, 10^2 to 10^6 elements: ours, then redis-server's.
# usage: benchmarks/scaling.sh
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=benchmarks/servers.sh
. "$root/benchmarks/servers.sh"
need redis-server redis-cli
[ -d "$root/benchmarks/target/lib" ] || mvn -q -B -f "$root/pom.xml" -pl benchmarks -am package -DskipTests
start_ours
start_theirs everysec
java -cp "$root/benchmarks/target/classes:$root/benchmarks/target/lib/*" \
  io.polytable.benchmarks.ScalingBenchmark polytable "$ours_port" redis-server "$theirs_port"
