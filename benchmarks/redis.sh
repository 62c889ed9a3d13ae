#!/usr/bin/env bash
# redis-benchmark against redis-server (append-only file) and Polytable, alternating, best of three:
# operations a second, 99th percentile, server processor time an operation, and the ratio.
# usage: benchmarks/redis.sh [requests a test, default 1000000] [rounds, default 3]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
requests=${1:-1000000}
rounds=${2:-3}
for tool in redis-server redis-benchmark redis-cli; do
  command -v "$tool" >/dev/null || { echo "$tool is needed (Debian: redis-server, redis-tools)" >&2; exit 1; }
done
work=$(mktemp -d)
ours_pid= theirs_pid=
stop() {
  for pid in $ours_pid $theirs_pid; do kill "$pid" 2>/dev/null || true; done
  for pid in $ours_pid $theirs_pid; do wait "$pid" 2>/dev/null || true; done
  ours_pid= theirs_pid=
}
trap 'stop; rm -rf "$work"' EXIT

free_port() {
  local port
  while true; do
    port=$((20000 + RANDOM % 20000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
  done
}

await() {
  for _ in $(seq 1 600); do
    [ "$(redis-cli -p "$1" ping 2>/dev/null)" = PONG ] && return
    sleep 0.1
  done
  echo "no answer on port $1" >&2
  exit 1
}

start() { # durability of ours, appendfsync of theirs
  stop
  rm -rf "$work/ours" "$work/theirs"
  mkdir -p "$work/ours" "$work/theirs"
  theirs_port=$(free_port)
  (cd "$work/theirs" && exec redis-server --port "$theirs_port" --bind 127.0.0.1 --save "" \
    --appendonly yes --appendfsync "$2" >/dev/null) &
  theirs_pid=$!
  ours_port=$(free_port)
  "$root/polytable" serve --data.dir="$work/ours" --redis.port="$ours_port" --http.port=0 \
    --store.durability="$1" ${POLYTABLE_FLAGS:-} >"$work/ours.log" 2>&1 &
  ours_pid=$!
  await "$theirs_port"
  await "$ours_port"
}

cpu_ticks() { # of a process and its threads
  awk '{print $14 + $15}' "/proc/$1/stat"
}

# One run: prints "ops p99 cpu".
run() { # port pid pipeline arguments...
  local port=$1 pid=$2 pipeline=$3 before after
  shift 3
  before=$(cpu_ticks "$pid")
  redis-benchmark -h 127.0.0.1 -p "$port" -c 50 -n "$requests" -P "$pipeline" -d 100 -r 1000000 --csv "$@" >"$work/csv"
  after=$(cpu_ticks "$pid")
  awk -F, -v ticks=$((after - before)) -v n="$requests" \
    'NR > 1 { gsub(/"/, ""); printf "%s %s %.2f\n", $2, $7, ticks * 10000 / n }' "$work/csv" | tail -n 1
}

ratios=
compare() { # name pipeline arguments...
  local name=$1 pipeline=$2 best_ours="0 0 0" best_theirs="0 0 0" result
  shift 2
  for _ in $(seq "$rounds"); do
    result=$(run "$theirs_port" "$theirs_pid" "$pipeline" "$@")
    best_theirs=$(printf '%s\n%s\n' "$best_theirs" "$result" | sort -n | tail -n 1)
    result=$(run "$ours_port" "$ours_pid" "$pipeline" "$@")
    best_ours=$(printf '%s\n%s\n' "$best_ours" "$result" | sort -n | tail -n 1)
  done
  ratio=$(echo "$best_ours $best_theirs" | awk '{printf "%.2f", $1 / $4}')
  ratios="$ratios $ratio"
  echo "$name|$best_ours|$best_theirs|$ratio" | awk -F'[| ]' \
    '{printf "%-10s %10.0f %8s %8s   %10.0f %8s %8s   %6s\n", $1, $2, $3, $4, $5, $6, $7, $8}'
}

suite() { # title pipeline
  echo
  echo "$1, -P $2"
  printf '%-10s %10s %8s %8s   %10s %8s %8s   %6s\n' "" "ours/s" "p99 ms" "cpu us" "redis/s" "p99 ms" "cpu us" ratio
  ratios=
  compare set "$2" -t set
  compare get "$2" -t get
  compare incr "$2" -t incr
  compare hset "$2" -t hset
  compare zadd "$2" -t zadd
  compare mset "$2" -t mset
  echo "$ratios" | awk '{s = 0; for (i = 1; i <= NF; i++) s += log($i); printf "geometric mean %.2f\n", exp(s / NF)}'
}

start everysec everysec
suite "everysec beside appendfsync everysec" 16
suite "everysec beside appendfsync everysec" 1
start always always
suite "always beside appendfsync always" 16
suite "always beside appendfsync always" 1
