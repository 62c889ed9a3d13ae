#!/usr/bin/env bash
# The engine compared with plain RocksDB with its own log, in one run: rows per second, ratio, processor time per row. Then a server's
# SET alone, and with a client that scans all keys without a pause.
# usage: benchmarks/engine.sh [rows, default 10000000] [parts, default "engine scan"] [SETs per round, default 1000000]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
rows=${1:-10000000}
parts=${2:-engine scan}
requests=${3:-1000000}
rounds=3
[ -d "$root/benchmarks/target/lib" ] || mvn -q -B -f "$root/pom.xml" -pl benchmarks -am package -DskipTests
# shellcheck source=benchmarks/servers.sh
. "$root/benchmarks/servers.sh"

engine() {
  java -Xmx2g -cp "$root/benchmarks/target/classes:$root/benchmarks/target/lib/*" \
    io.polytable.benchmarks.EngineBenchmark "$work/engine" "$rows"
  rm -rf "$work/engine"
}

# Prints "ops p99" of the best of several rounds.
sets() {
  local best="0 0" result
  for _ in $(seq "$rounds"); do
    redis-benchmark -h 127.0.0.1 -p "$ours_port" -c 50 -n "$requests" -P 16 -d 100 -r 1000000 --csv -t set >"$work/csv"
    result=$(awk -F, 'NR > 1 { gsub(/"/, ""); print $2, $7 }' "$work/csv" | tail -n 1)
    best=$(printf '%s\n%s\n' "$best" "$result" | sort -n | tail -n 1)
  done
  echo "$best"
}

scan() {
  local alone beside scanner scans
  need redis-benchmark redis-cli
  start_ours --store.durability=everysec
  sets >/dev/null
  alone=$(sets)
  redis-cli -p "$ours_port" -r 1000000000 keys 'nomatch*' >"$work/scans" &
  scanner=$!
  beside=$(sets)
  kill "$scanner"
  wait "$scanner" 2>/dev/null || true
  scans=$(wc -l <"$work/scans")
  echo "$alone $beside $scans" | awk '{
    printf "SET -P 16, alone:               %10.0f /s, p99 %7.2f ms\n", $1, $2
    printf "SET -P 16, during a full scan:  %10.0f /s, p99 %7.2f ms (%d scans ended)\n", $3, $4, $5
    printf "ratio %.2f (aim 0.5), p99 %.1f times (aim at most 4)\n", $3 / $1, $4 / $2 }'
  stop
}

for part in $parts; do
  case $part in
    engine | scan) "$part" ;;
    *)
      echo "no such part: $part" >&2
      exit 1
      ;;
  esac
done
