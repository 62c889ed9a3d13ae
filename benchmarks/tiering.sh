#!/usr/bin/env bash
# Tiering beside what it is made of, in one run: flushes beside parquet-java alone, aggregates over flushed and hot rows beside plain
# DuckDB on the same files, reads by key, INSERTs during a flush, ten thousand users; and a server's SETs during a flush.
# Columns: ours, theirs, ratio.
# usage: benchmarks/tiering.sh [rows, default 1000000]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
rows=${1:-1000000}
# shellcheck source=benchmarks/servers.sh
. "$root/benchmarks/servers.sh"
need redis-benchmark redis-cli curl
[ -d "$root/benchmarks/target/lib" ] || mvn -q -B -f "$root/pom.xml" -pl benchmarks -am package -DskipTests
java -Xmx2g --add-opens=java.base/java.nio=ALL-UNNAMED \
  -cp "$root/benchmarks/target/classes:$root/benchmarks/target/lib/*" \
  io.polytable.benchmarks.TieringBenchmark "$work/tiering" "$rows"

http_port=$(free_port)
start_ours --http.port="$http_port"
sql() {
  curl -sS --fail-with-body "localhost:$http_port/v1/api/sql" -H 'Content-Type: application/json' -d "{\"sql\": \"$1\"}" >/dev/null
}
sets() { # requests
  redis-benchmark -h 127.0.0.1 -p "$ours_port" -c 50 -n "$1" -d 100 -r 1000000 -t set --csv | tail -n 1 | cut -d, -f2 | tr -d '"'
}
sql "CREATE TABLE moved (id BIGINT PRIMARY KEY, who TEXT, amount DOUBLE, quantity INT, note TEXT)"
for ((at = 0; at < rows; at += 50000)); do
  sql "INSERT INTO moved SELECT i, 'user' || (i % 1000), i * 0.5, CAST(i % 97 AS INT), 'note ' || i FROM range($at, $((at + 50000 < rows ? at + 50000 : rows))) AS r(i)"
done
requests=$((rows / 5))
sets "$requests" >/dev/null
alone=$(sets "$requests")
sql "FLUSH TABLE moved" &
flushing=$!
beside=$(sets "$requests")
wait "$flushing"
awk -v ours="$beside" -v theirs="$alone" \
  'BEGIN { printf "%-52s %14.1f %14.1f %8.2f\n", "SETs per second during a flush (theirs: alone)", ours, theirs, ours / theirs }'
stop
